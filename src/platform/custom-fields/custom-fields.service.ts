import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import {
  CommonErrors,
  CustomFieldCatalog,
  definedOf,
  invalid,
  Jobs,
  own,
  Projects,
  sql,
  Store,
  table,
  type Ctx,
  type CustomFieldsWanted,
  type ListQuery,
  type Page,
  type Sql,
  type Tx,
} from '../../kit/index.js';
import { platformSql, Sql as Part, type FieldSpec } from '../../kit/internal.js';
import { customFieldsOf, type DefinedField } from '../persistence/rows/custom-field-definitions.js';
import { specOf } from '../persistence/rows/custom-field-rules.js';
import { comparedAs, comparedValue, hasValue } from '../persistence/rows/custom-field-sql.js';
import { suggestion } from '../registry/near-matches.js';
import { CustomField } from './custom-field.entity.js';
import { CustomFieldErrors } from './custom-field.errors.js';
import { CustomFieldIndexes } from './custom-field-indexes.js';
import { CustomFieldResources, type FieldResource } from './custom-field-resources.js';
import type { CreateOrgCustomFieldDto, UpdateOrgCustomFieldDto } from './custom-fields.dto.js';
import { consistent, requireCurrencyOf, requireFreeKey, requireLimits } from './definition-checks.js';
import { IndexCustomFields } from './index-custom-fields.job.js';

type WithIndex = CustomField & { index: string };

/** The definitions of custom fields. */
@Injectable()
export class CustomFieldsService extends CustomFieldCatalog {
  constructor(
    private readonly store: Store,
    private readonly dataSource: DataSource,
    private readonly projects: Projects,
    private readonly jobs: Jobs,
    private readonly known: CustomFieldResources,
    private readonly indexes: CustomFieldIndexes,
  ) {
    super();
  }

  resources() {
    const types = this.known.types();
    return this.known
      .all()
      .map(({ resource, module }) => ({ object: 'custom_field_resource', resource, module, types }))
      .sort((a, b) => a.resource.localeCompare(b.resource));
  }

  async page(ctx: Ctx, query: ListQuery, { resources, projectId, deleted = false }: CustomFieldsWanted): Promise<Page<WithIndex>> {
    const project = await this.projects.reach(ctx, projectId);
    // a module that the suite runs without leaves its definitions in the table
    const known = this.known.all().map(({ resource }) => resource);
    const listed = resources ? known.filter((resource) => resources.includes(resource)) : known;
    const conditions: Sql[] = [sql`t.resource = ANY(${listed})`, deleted ? sql`t.deleted_at IS NOT NULL` : sql`t.deleted_at IS NULL`];
    if (project) conditions.push(sql`t.project_id IS NULL OR t.project_id = ${project.id}`);
    const page = await this.store.page(ctx, CustomField, query, ...conditions);
    return { ...page, data: await this.withIndex(ctx, page.data) };
  }

  /** Within a write, on its connection. */
  async definitions(ctx: Ctx, resource: string, projectId: string | null): Promise<readonly DefinedField[]> {
    const reader = this.store.reader(ctx);
    const fields = await customFieldsOf(this.dataSource).of((text, values) => reader.sql(platformSql(text, values)), ctx.organizationId);
    return fields.of(resource, projectId);
  }

  async columns(ctx: Ctx, resource: string, projectId: string): Promise<ReadonlyMap<string, FieldSpec>> {
    const definitions = await this.definitions(ctx, resource, projectId);
    return new Map(definitions.map((definition) => [`custom_fields.${definition.key}`, specOf(definition)]));
  }

  async get(ctx: Ctx, id: string): Promise<WithIndex> {
    return this.one(ctx, await this.store.get(ctx, CustomField, id));
  }

  async create(ctx: Ctx, body: CreateOrgCustomFieldDto): Promise<WithIndex> {
    const resource = this.requireResource(body.resource);
    const project = body.project_id ? await this.projects.resolve(ctx, body.project_id) : null;
    const { key, label, type } = body;
    this.requireType(type);
    const field = consistent({
      project_id: project?.id ?? null,
      resource: resource.resource,
      key,
      label,
      type,
      description: body.description ?? null,
      options: body.options ?? [],
      currency: requireCurrencyOf(type, body.currency ?? null),
      required: body.required ?? false,
      unique: body.unique ?? false,
      filterable: body.filterable ?? body.unique ?? false,
      default_value: body.default_value ?? null,
      group: body.group ?? null,
      active: true,
      deleted_at: null,
    });
    return this.change(ctx, async (tx) => {
      const others = await tx.list(CustomField, { resource: field.resource });
      requireFreeKey(field, others);
      requireLimits(field, others);
      const created = await tx.insert(CustomField, { ...field, position: Math.max(0, ...others.map(({ position }) => position)) + 1 });
      await this.index(ctx, tx, created);
      return this.one(ctx, created);
    });
  }

  update(ctx: Ctx, id: string, body: UpdateOrgCustomFieldDto): Promise<WithIndex> {
    return this.change(ctx, async (tx) => {
      const field = await this.target(tx, id);
      const unique = body.unique ?? field.unique;
      const changes: Partial<CustomField> = { ...body, ...(body.unique ? { filterable: true } : {}) };
      if (body.filterable === false && unique) throw invalid('filterable', 'must be true for a unique field');
      const changed = consistent({ ...field, ...definedOf(changes) });
      // as the field's type has it
      if (body.default_value !== undefined) changes.default_value = changed.default_value;
      if (changed.filterable && !field.filterable) requireLimits(changed, await this.others(tx, field));
      if (unique && !field.unique) await this.requireDistinct(tx, field);
      const after = await tx.update(field, changes);
      if (after.filterable !== field.filterable) await this.index(ctx, tx, after);
      return this.one(ctx, after);
    });
  }

  /** The fields share the places that they had. */
  order(ctx: Ctx, ids: readonly string[]): Promise<void> {
    return this.change(ctx, async (tx) => {
      const fields = await tx.lockWhere(CustomField, { id: ids, deleted_at: null });
      const missing = ids.findIndex((id) => !fields.some((field) => field.id === id));
      if (missing >= 0) throw invalid(`ids.${missing}`, 'must be a custom field');
      const stranger = ids.findIndex((id) => fields.find((field) => field.id === id)?.resource !== fields[0].resource);
      if (stranger >= 0) throw invalid('ids', 'must be fields of one resource');
      const places = fields.map(({ position }) => position).sort((a, b) => a - b);
      for (const [index, id] of ids.entries())
        await tx.update(
          fields.find((field) => field.id === id)!,
          { position: places[index] },
        );
    });
  }

  delete(ctx: Ctx, id: string, isConfirmed: boolean): Promise<void> {
    return this.change(ctx, async (tx) => {
      const field = await this.target(tx, id);
      if (!isConfirmed) {
        const records = await this.count(tx, field);
        if (records > 0)
          throw CustomFieldErrors.hasValues({
            message:
              `${records === 1 ? '1 record has' : `${records} records have`} a value of ${field.key}. ` +
              'Send confirm=true to delete it; it can be restored for 30 days.',
            param: 'confirm',
            extra: { records },
          });
      }
      await tx.update(field, { deleted_at: tx.startedAt });
    });
  }

  restore(ctx: Ctx, id: string): Promise<WithIndex> {
    return this.change(ctx, async (tx) => {
      const field = await tx.target(CustomField, id);
      if (field.deleted_at === null) throw CommonErrors.resourceConflict({ message: 'The field is not deleted.' });
      if (field.unique) await this.requireDistinct(tx, field);
      const restored = await tx.update(field, { deleted_at: null });
      await this.index(ctx, tx, restored);
      return this.one(ctx, restored);
    });
  }

  /** Changes run one at a time, so that each sees the one before. */
  private change<R>(ctx: Ctx, change: (tx: Tx) => Promise<R>): Promise<R> {
    return this.store.write(ctx, async (tx) => {
      await tx.advanced.mutex(`custom fields ${ctx.organizationId}`);
      const definitions = customFieldsOf(this.dataSource);
      tx.afterCommit(() => definitions.forget(ctx.organizationId));
      const result = await change(tx);
      definitions.forget(ctx.organizationId);
      return result;
    });
  }

  private async target(tx: Tx, id: string): Promise<CustomField> {
    const field = await tx.target(CustomField, id);
    if (field.deleted_at !== null) throw CommonErrors.resourceConflict({ message: 'The field is deleted; restore it first.' });
    return field;
  }

  private async others(tx: Tx, { id, resource }: CustomField): Promise<CustomField[]> {
    return (await tx.list(CustomField, { resource })).filter((other) => other.id !== id);
  }

  private async index(ctx: Ctx, tx: Tx, { filterable }: CustomField): Promise<void> {
    if (filterable) await this.jobs.add(ctx, tx, IndexCustomFields, {}, { key: 'custom field indexes' });
  }

  private async one(ctx: Ctx, field: CustomField): Promise<WithIndex> {
    return (await this.withIndex(ctx, [field]))[0];
  }

  private async withIndex(ctx: Ctx, fields: readonly CustomField[]): Promise<WithIndex[]> {
    const states = await this.indexes.states(this.store.reader(ctx), fields);
    return fields.map((field, at) => Object.assign(field, { index: states[at] }));
  }

  private requireResource(given: string): FieldResource {
    const found = this.known.find(given);
    if (found) return found;
    const names = this.known.all().map(({ resource }) => resource);
    throw invalid('resource', `must be one of ${names.join(', ')}${suggestion(given, names)}`, names);
  }

  private requireType(type: string): void {
    const types = this.known.types();
    if (!types.includes(type)) throw invalid('type', `must be one of ${types.join(', ')}`, types);
  }

  /** Records of both modes. */
  private async count(tx: Tx, { project_id, resource, key }: CustomField): Promise<number> {
    const known = this.known.find(resource);
    if (!known) return 0;
    const [{ records }] = await tx.sql<{ records: number }>(
      sql.inBothModes('how many records of either mode have a value of a field')`
        SELECT count(*)::int AS records FROM ${table(known.entity)} t
        WHERE ${own('t')} AND ${ofProject(project_id)} AND ${new Part([hasValue(key)], [])}`,
    );
    return records;
  }

  private async requireDistinct(tx: Tx, field: CustomField): Promise<void> {
    const known = this.known.find(field.resource);
    if (!known) return;
    const value = new Part([comparedValue(comparedAs(field), field.key)], []);
    const [repeated] = await tx.sql<{ value: string }>(
      sql.inBothModes('whether records of either mode share a value')`
        SELECT ${value}::text AS value FROM ${table(known.entity)} t
        WHERE ${own('t')} AND ${ofProject(field.project_id)} AND ${new Part([hasValue(field.key)], [])}
        GROUP BY t.mode, ${value} HAVING count(*) > 1 LIMIT 1`,
    );
    if (repeated)
      throw CommonErrors.resourceConflict({
        message: `Several records have the value ${repeated.value.slice(0, 100)}; change them before you make the field unique.`,
      });
  }
}

function ofProject(projectId: string | null): Sql {
  return projectId === null ? sql`true` : sql`t.project_id = ${projectId}`;
}
