import type { Type } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import {
  CommonErrors,
  DomainError,
  type BaseEntity,
  type Condition,
  type Ctx,
  type CustomFieldValues,
  type ListQuery,
  type Page,
  type Sql,
} from '../../../kit/index.js';
import { asOfClock, currentWork, customFieldEntities, listingOf, MOST_COUNTED, type Where } from '../../../kit/internal.js';
import type { Cursors } from './cursors.js';
import { customFieldsOf, definitionsOn, type CustomFieldDefinitions, type OrganizationFields } from './custom-field-definitions.js';
import { hideValues } from './hidden-values.js';
import { hydrate, planOf, type EntityPlan } from './entity-plan.js';
import { conditionTexts } from './condition-sql.js';
import type { Queryable } from './queryable.js';
import { planList, type ListPlan } from './list-sql.js';
import { pageSql, searchPage, type PageRows } from './page-sql.js';
import { toDomainError } from '../database/pg-errors.js';
import { renderSql, tablesOf, type Caller, type TableOf } from './render-sql.js';
import { narrow, Values } from './sql.js';

/** A statement whose text, or a part of it, was not written by the store. */
export interface WrittenStatement {
  caller: Caller | null;
  text: string;
  values: readonly unknown[];
  /** Why it is not restricted to the caller. */
  unscoped: string | null;
  beyond: Sql['beyond'];
}

const LIST_BOUND = 10_000;

/** The store's reads, over the pool or over a transaction's connection. */
export class Reader {
  private readonly byId = new Map<string, string>();
  /** Throws for a statement that reads what is not the caller's. Set in tests, which parse each statement. */
  inspect: ((statement: WrittenStatement) => void) | null = null;

  private readonly tableOf: TableOf;
  readonly customFields: CustomFieldDefinitions;

  constructor(
    readonly dataSource: DataSource,
    private readonly cursors: Cursors,
  ) {
    this.tableOf = tablesOf(dataSource);
    this.customFields = customFieldsOf(dataSource);
  }

  plan<E extends BaseEntity>(entity: Type<E>): EntityPlan<E> {
    return planOf(this.dataSource, entity);
  }

  /** The text of a statement for a caller. */
  statement(caller: Caller | null, sql: Sql): { text: string; values: unknown[] } {
    const values = new Values();
    const text = renderSql(sql, caller, this.tableOf, values);
    this.inspect?.({ caller, text, values: values.list, unscoped: sql.unscoped, beyond: sql.beyond });
    return { text, values: values.list };
  }

  /**
   * One row by id. Without a lock it has its virtual columns, for an answer (null) all, in a write (an empty lock) those that are computed.
   * The text depends only on the entity, the project pin and the lock.
   */
  async find<E extends BaseEntity>(on: Queryable, ctx: Ctx, entity: Type<E>, id: string, lock: string | null = null): Promise<E | null> {
    const plan = this.plan(entity);
    const values = new Values();
    const idAt = values.add(id);
    const key = `${plan.table}${ctx.projectId === null ? '' : ' pinned'}${lock ?? ' to answer'}`;
    const narrowed = narrow(plan, ctx, values);
    let text = this.byId.get(key);
    if (!text) {
      const columns = lock === null ? plan.selectAll : lock === '' ? plan.selectForWrites : plan.select;
      text = `SELECT ${columns} FROM ${plan.table} t WHERE t."id" = ${idAt} AND ${narrowed}${lock ?? ''}`;
      this.byId.set(key, text);
    }
    const { rows } = await run(on, { text: asOfClock(text), values: values.list, prototype: plan.prototype });
    await this.hideDeleted(on, ctx, plan, rows);
    return rows.length > 0 ? hydrate(plan, rows[0]) : null;
  }

  /** Leaves out the values of custom fields that were deleted and can be restored. */
  async hideDeleted(on: Queryable, ctx: Ctx, { customFields: resource }: EntityPlan, rows: readonly object[]): Promise<void> {
    if (resource === null || rows.length === 0) return;
    const fields = await this.customFields.of(definitionsOn(on), ctx.organizationId);
    if (!fields.hidesValues) return;
    for (const row of rows as { project_id: string; custom_fields?: CustomFieldValues }[])
      if (row.custom_fields) row.custom_fields = hideValues(row.custom_fields, fields.hiddenOf(resource, row.project_id));
  }

  async get<E extends BaseEntity>(on: Queryable, ctx: Ctx, entity: Type<E>, id: string, lock: string | null = null): Promise<E> {
    const row = await this.find(on, ctx, entity, id, lock);
    if (!row) throw CommonErrors.notFound();
    return row;
  }

  async list<E extends BaseEntity>(
    on: Queryable,
    ctx: Ctx,
    entity: Type<E>,
    where: Where<E> = {},
    conditions: readonly Condition<NoInfer<E>>[] = [],
    lock = '',
  ): Promise<E[]> {
    const plan = this.plan(entity);
    const values = new Values();
    const parts = [narrow(plan, ctx, values)];
    for (const condition of [where, ...conditions]) parts.push(...conditionTexts(plan, ctx, condition as Condition, values, this.tableOf));
    const text = `SELECT ${plan.select} FROM ${plan.table} t WHERE ${parts.join(' AND ')} ORDER BY t."id" LIMIT ${LIST_BOUND + 1}${lock}`;
    this.inspectWritten(ctx, text, values, conditions);
    const { rows } = await run(on, { text, values: values.list, prototype: plan.prototype });
    if (rows.length > LIST_BOUND)
      throw new Error(`More than ${LIST_BOUND} rows of ${plan.name} were requested at once; page through them.`);
    await this.hideDeleted(on, ctx, plan, rows);
    return rows.map((row) => hydrate(plan, row));
  }

  async page<E extends BaseEntity>(
    on: Queryable,
    ctx: Ctx,
    entity: Type<E>,
    query: ListQuery,
    conditions: readonly Condition<NoInfer<E>>[],
  ): Promise<Page<E>> {
    const plan = this.plan(entity);
    const list = await this.planned(on, ctx, plan, query, conditions as readonly Condition[]);
    this.inspectWritten(ctx, `SELECT count(*) FROM ${list.from} WHERE ${list.where}`, list.values, conditions);
    const limit = query.limit ?? 25;
    // together, so that no rejection is left unhandled if the other query fails
    const [rows, total_count] = await Promise.all([
      this.pageRows(on, ctx, plan, list, query.cursor, limit),
      query.include_total ? this.count(on, list) : undefined,
    ]);
    await this.hideDeleted(on, ctx, plan, rows);
    const has_more = rows.length > limit;
    const data = rows.slice(0, limit).map((row) => hydrate(plan, row));
    const last = data.at(-1) as (E & Record<string, unknown>) | undefined;
    const next_cursor = has_more && last ? this.cursors.encode([list.sortValue(last), last.id], list.identity) : null;
    return { data, has_more, next_cursor, ...(total_count === undefined ? {} : { total_count }) };
  }

  /** The definitions may be stale, so a rejection is decided again with the current ones. */
  private async planned(on: Queryable, ctx: Ctx, plan: EntityPlan, query: ListQuery, conditions: readonly Condition[]): Promise<ListPlan> {
    const owner = this.fieldOwner(plan, query);
    const { customFields: resource } = owner;
    if (resource === null || !namesCustomFields(query)) return planList(plan, ctx, query, conditions, this.tableOf);
    const named = (query as { project_id?: string | readonly string[] }).project_id;
    const projects = [ctx.projectId ?? named ?? []].flat();
    const withFields = (fields: OrganizationFields) =>
      planList(plan, ctx, query, conditions, this.tableOf, fields.of(resource, projects.length === 1 ? projects[0] : null), owner);
    const fields = await this.customFields.of(definitionsOn(on), ctx.organizationId);
    try {
      return withFields(fields);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return withFields(await this.customFields.read(definitionsOn(on), ctx.organizationId));
    }
  }

  /** The entity whose custom fields a list is filtered by: that of its rows, or the one to which they belong. */
  private fieldOwner(plan: EntityPlan, query: ListQuery): EntityPlan {
    if (plan.customFields !== null || !namesCustomFields(query)) return plan;
    const { customFields, customFieldsOf: column } = listingOf(query.constructor as Type);
    const [entity] = [...customFieldEntities()].find(([, resource]) => column !== undefined && resource === customFields) ?? [];
    return entity === undefined ? plan : this.plan(entity as Type<BaseEntity>);
  }

  /** A list whose conditions were not written by the store. */
  private inspectWritten(caller: Ctx, text: string, values: Values, conditions: readonly object[]): void {
    if (conditions.length > 0) this.inspect?.({ caller, text, values: values.list, unscoped: null, beyond: [] });
  }

  private async count(on: Queryable, { from, where, values, isEndless }: ListPlan): Promise<number> {
    const counted = isEndless ? `(SELECT FROM ${from} WHERE ${where} LIMIT ${MOST_COUNTED}) AS counted` : `${from} WHERE ${where}`;
    const { rows } = await run<{ count: number }>(on, {
      text: `SELECT count(*)::int AS count FROM ${counted}`,
      values: [...values.list],
    });
    return rows[0].count;
  }

  private async pageRows(
    on: Queryable,
    ctx: Ctx,
    plan: EntityPlan,
    list: ListPlan,
    cursor: string | undefined,
    limit: number,
  ): Promise<object[]> {
    const values = new Values();
    values.list.push(...list.values.list);
    let behind = 'true';
    if (cursor !== undefined) {
      const [sortValue, id] = this.cursors.decode(cursor, list.identity);
      const bound = sortValue ?? list.lastValue;
      behind = `(${list.sortExpression}, t."id") ${list.descending ? '<' : '>'} (${values.add(bound)}, ${values.add(id)})`;
    }
    const page: PageRows = { plan, list, behind, rows: limit + 1 };
    const read = async (text: string) =>
      (await run<object>(on, { text: asOfClock(text), values: values.list, prototype: plan.prototype })).rows;
    if (!list.isSearch) return read(pageSql(page));
    return searchPage(page, ctx, values, read);
  }
}

function namesCustomFields({ custom_fields, sort }: ListQuery): boolean {
  return custom_fields !== undefined || sort?.includes('custom_fields.') === true;
}

const PREPARED_BOUND = 500;
const prepared = new Map<string, string>();

/** A name makes pg prepare the statement once per connection; texts vary with filters, so their number is bounded. */
export function preparedName(text: string): string | undefined {
  let name = prepared.get(text);
  // texts of a test clock differ with each time
  if (name === undefined && prepared.size < PREPARED_BOUND && currentWork()?.clock == null)
    prepared.set(text, (name = `s${prepared.size}`));
  return name;
}

/** Runs a statement; constraint violations are thrown as domain errors. */
export function run<R extends object>(on: Queryable, statement: { text: string; values?: unknown[]; prototype?: object }) {
  return runUnprepared<R>(on, { name: preparedName(statement.text), work: currentWork(), ...statement });
}

/** The same without a prepared statement, for a text that is unlikely to be repeated. */
export async function runUnprepared<R extends object>(on: Queryable, statement: Parameters<Queryable['query']>[0]) {
  try {
    return await on.query<R>(statement);
  } catch (error) {
    throw toDomainError(error);
  }
}
