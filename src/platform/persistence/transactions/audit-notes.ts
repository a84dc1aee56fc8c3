import { encryptedColumnsOf, snakeCase } from '../../../kit/internal.js';
import type { AuditRecord } from '../../../kit/internal.js';
import type { EntityPlan } from '../rows/entity-plan.js';
import type { Changed } from '../rows/row-sql.js';

/** Columns that every change sets. */
const NOISE = new Set(['id', 'organization_id', 'version', 'created_at', 'updated_at']);
/** By their names, besides the columns that no read selects, bytes and ciphertexts. */
export const SECRET_NAME = /(^|_)(hash|hashes|token|secret|secrets|password|sealed)(_|$)/;
const HIDDEN = '[not recorded]';
/** The longest JSON of one value. */
const MOST_CHARACTERS = 8_192;

type Values = Readonly<Record<string, unknown>>;

/**
 * What a transaction changes of records that are not business data: keys, members, roles, endpoints, settings, types. The scoping of an
 * entity decides, so that none can be forgotten. `@NotAudited` excludes records of work, such as mails.
 */
export class AuditNotes {
  private readonly records: AuditRecord[] = [];
  private silent = 0;

  get length(): number {
    return this.records.length;
  }

  /** Forgets what was noted after that many; for a part that is rolled back. */
  truncate(length: number): void {
    this.records.length = length;
  }

  all(): readonly AuditRecord[] {
    return this.records;
  }

  add(record: AuditRecord): void {
    if (this.silent === 0) this.records.push(record);
  }

  async silently<R>(work: () => Promise<R>): Promise<R> {
    this.silent++;
    try {
      return await work();
    } finally {
      this.silent--;
    }
  }

  created(plan: EntityPlan, row: object): void {
    if (plan.audited) this.note(plan, 'created', row, null, valuesOf(plan, row as Values, [...plan.columns.keys()]));
  }

  updated(plan: EntityPlan, row: object, changed: Changed): void {
    if (!plan.audited) return;
    const columns = changed.map(([column]) => column);
    const before = valuesOf(plan, row as Values, columns);
    if (Object.keys(before).length === 0) return;
    this.note(plan, 'updated', row, before, valuesOf(plan, Object.fromEntries(changed), columns));
  }

  deleted(plan: EntityPlan, row: object): void {
    if (plan.audited) this.note(plan, 'deleted', row, valuesOf(plan, row as Values, [...plan.columns.keys()]), null);
  }

  private note(plan: EntityPlan, action: string, row: object, before: object | null, after: object | null): void {
    this.add({ action, objectType: snakeCase(plan.entity.name), objectId: (row as { id: string }).id, before, after });
  }
}

function valuesOf(plan: EntityPlan, values: Values, columns: readonly string[]): Record<string, unknown> {
  const sealed = encryptedColumnsOf(plan.entity);
  const recorded: Record<string, unknown> = {};
  for (const column of columns) {
    const known = plan.columns.get(column);
    if (NOISE.has(column) || !known) continue;
    const isSecret = !known.selected || known.type === 'bytea' || sealed.includes(column) || SECRET_NAME.test(column);
    // what nothing selects is unknown before a change
    if (isSecret) recorded[column] = HIDDEN;
    else recorded[column] = bounded(values[column] ?? null);
  }
  return recorded;
}

function bounded(value: unknown): unknown {
  const length = JSON.stringify(value)?.length ?? 0;
  return length > MOST_CHARACTERS ? `[${length} characters]` : value;
}
