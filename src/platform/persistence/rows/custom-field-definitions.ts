import { LRUCache } from 'lru-cache';
import type { DataSource } from 'typeorm';
import type { CustomFieldRow } from '../../../kit/index.js';

export const CUSTOM_FIELD_TYPES = [
  'text',
  'long_text',
  'integer',
  'number',
  'decimal',
  'money',
  'boolean',
  'date',
  'time',
  'choice',
  'choices',
  'member',
  'url',
] as const;

/**
 * A custom field as validation, filters and tools need it. Its type is one of `CUSTOM_FIELD_TYPES`, or of those that entities declare with
 * `@CustomFieldTarget`; `options` are the values of `choice` and `choices`.
 */
export interface DefinedField extends Omit<CustomFieldRow, 'options' | 'group' | 'position' | 'version' | 'created_at' | 'updated_at'> {
  options: readonly string[];
  /** Of the project with `project_id`. */
  project_key: string | null;
}

/** How long a change by another process may be unknown; this process sees its own changes at once. */
const STALE_MS = 5_000;
const MOST_ORGANIZATIONS = 10_000;

const READ = `
  SELECT id, resource, project_id, key, label, description, type, options, currency, required, "unique", filterable, default_value, active,
    deleted_at, (SELECT p.key FROM projects p WHERE p.id = custom_fields.project_id) AS project_key
  FROM custom_fields WHERE organization_id = $1 ORDER BY position, id`;

/** The custom fields of an organization. */
export class OrganizationFields {
  private readonly active = new Map<string, readonly DefinedField[]>();
  private readonly hidden = new Map<string, readonly string[]>();
  private readonly deleted: readonly DefinedField[];

  constructor(readonly all: readonly DefinedField[]) {
    this.deleted = all.filter(({ deleted_at }) => deleted_at !== null);
  }

  /** Those that changes of the project's records can set, in their order; without a project, those of all projects. */
  of(resource: string, projectId: string | null): readonly DefinedField[] {
    const at = `${resource} ${projectId}`;
    let found = this.active.get(at);
    if (!found) {
      found = this.all.filter((one) => one.deleted_at === null && one.active && one.resource === resource && isIn(one, projectId));
      this.active.set(at, found);
    }
    return found;
  }

  /** Whether values of any resource are to be hidden, because their field was deleted and can be restored. */
  get hidesValues(): boolean {
    return this.deleted.length > 0;
  }

  /** The keys of deleted fields. */
  hiddenOf(resource: string, projectId: string | null): readonly string[] {
    const at = `${resource} ${projectId}`;
    let keys = this.hidden.get(at);
    if (!keys) {
      keys = this.deleted.filter((one) => one.resource === resource && isIn(one, projectId)).map(({ key }) => key);
      this.hidden.set(at, keys);
    }
    return keys;
  }
}

function isIn({ project_id }: DefinedField, projectId: string | null): boolean {
  return projectId === null || project_id === null || project_id === projectId;
}

/** Runs a statement that reads definitions. */
export type ReadRows = (text: string, values: unknown[]) => Promise<DefinedField[]>;

/** Reads them on a connection. */
export function definitionsOn(on: { query(config: { text: string; values: unknown[] }): Promise<{ rows: object[] }> }): ReadRows {
  return async (text, values) => (await on.query({ text, values })).rows as DefinedField[];
}

/** The definitions of organizations, from memory. */
export class CustomFieldDefinitions {
  /** Grows with its entries; with `max`, it would take memory from the start. */
  private readonly known = new LRUCache<string, OrganizationFields>({
    maxSize: MOST_ORGANIZATIONS,
    sizeCalculation: () => 1,
    ttl: STALE_MS,
  });
  /** How often they were in memory. */
  readonly use = { hits: 0, misses: 0 };
  /** Incremented by `forget`, so that a read that began before a change does not keep the old rows. */
  private changes = 0;

  /** Reads on the given connection: a transaction must not wait for a second one. */
  async of(on: ReadRows, organizationId: string): Promise<OrganizationFields> {
    const known = this.known.get(organizationId);
    if (known) {
      this.use.hits++;
      return known;
    }
    this.use.misses++;
    return this.read(on, organizationId);
  }

  async read(on: ReadRows, organizationId: string): Promise<OrganizationFields> {
    const { changes } = this;
    const rows = await on(READ, [organizationId]);
    const fields = new OrganizationFields(rows);
    if (changes === this.changes) this.known.set(organizationId, fields);
    return fields;
  }

  forget(organizationId: string): void {
    this.changes++;
    this.known.delete(organizationId);
  }
}

const ofDataSources = new WeakMap<DataSource, CustomFieldDefinitions>();

export function customFieldsOf(dataSource: DataSource): CustomFieldDefinitions {
  let definitions = ofDataSources.get(dataSource);
  if (!definitions) ofDataSources.set(dataSource, (definitions = new CustomFieldDefinitions()));
  return definitions;
}
