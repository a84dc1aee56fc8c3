import { createHash } from 'node:crypto';
import type { Type } from '@nestjs/common';
import {
  activeMembersOf,
  CommonErrors,
  DomainError,
  invalid,
  own,
  sql,
  table,
  type BaseEntity,
  type CustomFieldValues,
  type Tx,
} from '../../../kit/index.js';
import { CustomFieldChecks, customFieldTargets, Sql, type CustomFieldOptions } from '../../../kit/internal.js';
import { definitionsOn, type DefinedField, type OrganizationFields } from '../rows/custom-field-definitions.js';
import { mergeFields, type MergedFields, type MergeOptions } from '../rows/custom-field-rules.js';
import { comparedAs, isOneOf } from '../rows/custom-field-sql.js';
import { hiddenValues } from '../rows/hidden-values.js';
import type { Reader } from '../rows/reader.js';
import { Values } from '../rows/sql.js';
import type { CallContext } from './call-context.js';
import type { TxConnection } from './tx-connection.js';

const PARAM = 'custom_fields';

type WithFields = BaseEntity & { project_id: string; custom_fields: CustomFieldValues };

interface Place {
  entity: Type<BaseEntity>;
  projectId: string;
  /** The row that is changed. */
  id: string | null;
}

/** The transaction to which the checks belong. */
interface Owner extends Tx {
  readonly connection: TxConnection;
  readonly reader: Reader;
  readonly ctx: CallContext;
}

/** Implements `Tx.customFields`. */
export class CustomFieldChanges extends CustomFieldChecks {
  /** Read after a rejection: once, because every row of an import may be invalid. */
  private fresh: Promise<OrganizationFields> | null = null;

  constructor(private readonly tx: Owner) {
    super();
  }

  async ofNew(
    entity: Type<BaseEntity>,
    given: CustomFieldValues = {},
    { projectId, isComplete = true, open = [], onlyValid = false }: CustomFieldOptions,
  ): Promise<CustomFieldValues> {
    const place = { entity, projectId: this.tx.ctx.projectId ?? projectId, id: null };
    const { values, changed } = await this.merged(place, given, { before: null, isComplete, open, onlyValid });
    await this.check(place, values, changed);
    return values;
  }

  async ofChanged(row: WithFields, given: CustomFieldValues | undefined): Promise<CustomFieldValues> {
    const before = row.custom_fields;
    if (given === undefined) return before;
    const place = { entity: row.constructor as Type<BaseEntity>, projectId: row.project_id, id: row.id };
    const { values, changed } = await this.merged(place, given, { before, isComplete: true });
    if (changed.length === 0 && Object.keys(values).length === Object.keys(before).length) return before;
    await this.check(place, values, changed);
    return { ...hiddenValues(before), ...values };
  }

  /** Those of a row that comes back: without values of fields that no longer exist. A unique value may have been taken meanwhile. */
  async ofRestored(row: WithFields): Promise<CustomFieldValues> {
    const entity = row.constructor as Type<BaseEntity>;
    const { all } = await this.tx.reader.customFields.read(definitionsOn(this.tx.connection.reads), this.tx.ctx.organizationId);
    const fields = all.filter(
      ({ resource, project_id, key }) =>
        resource === this.tx.reader.plan(entity).customFields &&
        (project_id ?? row.project_id) === row.project_id &&
        key in row.custom_fields,
    );
    const values = Object.fromEntries(fields.map(({ key }) => [key, row.custom_fields[key]]));
    const unique = fields.filter((field) => field.unique && field.deleted_at === null);
    if (unique.length > 0) await this.requireUnique({ entity, projectId: row.project_id, id: row.id }, values, unique);
    return values;
  }

  /** The definitions may be stale, so a rejection is decided again with the current ones. */
  private async merged({ entity, projectId }: Place, given: CustomFieldValues, options: MergeOptions): Promise<MergedFields> {
    const { customFields: resource, name } = this.tx.reader.plan(entity);
    if (resource === null) throw new Error(`${name} has no @CustomFields.`);
    const { customFields } = this.tx.reader;
    const merge = (fields: OrganizationFields) => mergeFields(fields.of(resource, projectId), given, options);
    const fields = await customFields.of(definitionsOn(this.tx.connection.reads), this.tx.ctx.organizationId);
    try {
      return merge(fields);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      this.fresh ??= customFields.read(definitionsOn(this.tx.connection.reads), this.tx.ctx.organizationId);
      return merge(await this.fresh);
    }
  }

  private async check(place: Place, values: CustomFieldValues, changed: readonly DefinedField[]): Promise<void> {
    for (const { key, type } of changed) await this.requireTarget(place, type, values[key], `${PARAM}.${key}`);
    const unique = changed.filter((definition) => definition.unique);
    if (unique.length > 0) await this.requireUnique(place, values, unique);
  }

  /** The same error for an id that does not exist and one of somebody else. */
  private async requireTarget({ projectId }: Place, type: string, value: unknown, param: string): Promise<void> {
    if (type === 'member') {
      const [active] = await activeMembersOf(this.tx, [value as string]);
      if (active === undefined) throw invalid(param, 'must be an active member');
    }
    const target = customFieldTargets().get(type);
    if (!target) return;
    if (!this.tx.reader.dataSource.hasMetadata(target)) throw invalid(param, `cannot be set, because there are no records of type ${type}`);
    await this.tx.reference(target as Type<BaseEntity>, value as string, param, { projectId, lock: 'none' });
  }

  private async requireUnique({ entity, projectId, id }: Place, values: CustomFieldValues, fields: readonly DefinedField[]): Promise<void> {
    const { organizationId, mode } = this.tx.ctx;
    const hash = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('base64url');
    // until the end of the transaction, so that two rows that are written at once do not both find the value free
    await this.tx.advanced.mutex(...fields.map((field) => `custom field ${organizationId} ${mode} ${field.id} ${hash(values[field.key])}`));
    for (const { key, project_id, ...field } of fields) {
      const same = this.sameValue(comparedAs(field), key, values[key]);
      const others = id === null ? sql`true` : sql`t.id <> ${id}`;
      const [taken] = await this.tx.sql<{ id: string; project_id: string }>(
        project_id === null
          ? sql.inAllProjects('whether a value is taken that is unique in the organization')`
              SELECT t.id, t.project_id FROM ${table(entity)} t WHERE ${own('t')} AND ${same} AND ${others} LIMIT 1`
          : sql`SELECT t.id, t.project_id FROM ${table(entity)} t
              WHERE ${own('t')} AND t.project_id = ${projectId} AND ${same} AND ${others} LIMIT 1`,
      );
      if (!taken) continue;
      const isSeen = this.tx.ctx.projectId === null || this.tx.ctx.projectId === taken.project_id;
      const where = isSeen ? `: ${taken.id}` : ' in another project';
      throw CommonErrors.duplicate({
        param: `${PARAM}.${key}`,
        message: `${PARAM}.${key} must be unique, and ${String(values[key]).slice(0, 100)} exists already${where}.`,
        ofProject: project_id !== null,
        ...(isSeen ? { extra: { existing_id: taken.id } } : {}),
      });
    }
  }

  /** The condition of the filter, whose placeholders become holes. */
  private sameValue(as: ReturnType<typeof comparedAs>, key: string, value: unknown): Sql {
    const values = new Values();
    const texts = isOneOf(as, key, [value], (one) => values.add(one)).split(/\$\d+/);
    return new Sql(texts, values.list);
  }
}
