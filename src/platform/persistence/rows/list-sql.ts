import type { Type } from '@nestjs/common';
import { fieldsOf, Through, type BaseEntity, type Condition, type Ctx, type ListQuery } from '../../../kit/index.js';
import { listingOf } from '../../../kit/internal.js';
import { conditionTexts } from './condition-sql.js';
import type { EntityPlan } from './entity-plan.js';
import { renderSql, type TableOf } from './render-sql.js';
import { narrow, Values } from './sql.js';
import { searchQuery } from './search-query.js';

/** A list's statements, ready for the cursor and the limit. */
export interface ListPlan {
  /** Everything a cursor depends on besides the position. */
  identity: string;
  /** What the rows, `t`, are read from. */
  from: string;
  where: string;
  values: Values;
  sortColumn: string;
  /** The sort expression; nulls are last in both directions. */
  sortExpression: string;
  descending: boolean;
  /** Whether words are searched. */
  isSearch: boolean;
}

export function planList<E extends BaseEntity>(
  plan: EntityPlan<E>,
  ctx: Ctx,
  query: ListQuery,
  conditions: readonly Condition[],
  tableOf: TableOf,
): ListPlan {
  const queryClass = query.constructor as Type;
  const listing = listingOf(queryClass);
  const values = new Values();
  const parts = [narrow(plan, ctx, values)];
  const asked: [string, unknown][] = [];
  for (const [name, spec] of fieldsOf(queryClass)) {
    const value = (query as unknown as Record<string, unknown>)[name];
    if (value === undefined || name === 'limit' || name === 'cursor' || name === 'include_total') continue;
    asked.push([name, value]);
    if (spec.filter && spec.filter.operator !== 'custom') parts.push(filterSql(plan, spec.filter, value, values));
  }
  const isSearch = Boolean(listing.search && query.q);
  // as a subquery it is parsed once, not for each row
  if (listing.search && query.q) parts.push(`t."${listing.search}" @@ (SELECT to_tsquery('simple', ${values.add(searchQuery(query.q))}))`);
  const table = `${plan.table} t`;
  let from = table;
  for (const condition of conditions) {
    if (!(condition instanceof Through)) parts.push(...conditionTexts(plan, ctx, condition, values, tableOf));
    else if (isSearch) throw new Error(`${plan.name} cannot be searched through ${condition.entity.name}.`);
    // a second one would replace the first, and the page would contain rows that the first leaves out
    else if (from !== table) throw new Error(`${plan.name} cannot be read through two tables.`);
    else from = throughSql(plan, condition, ctx, values, tableOf);
  }

  const sort = query.sort ?? listing.defaultSort;
  const descending = sort.startsWith('-');
  const sortColumn = descending ? sort.slice(1) : sort;
  const identity = JSON.stringify([plan.table, ctx.organizationId, ctx.mode, ctx.projectId, sort, asked, conditions]);
  return {
    identity,
    from,
    where: parts.join(' AND '),
    values,
    sortColumn,
    sortExpression: sortExpression(plan, sortColumn, descending),
    descending,
    isSearch,
  };
}

function filterSql(
  plan: EntityPlan,
  filter: { column: string; operator: string; orNone?: boolean },
  value: unknown,
  values: Values,
): string {
  const column = `t."${filter.column}"`;
  if (filter.operator === 'from') return `${column} >= ${values.add(value)}`;
  if (filter.operator === 'before') return `${column} < ${values.add(value)}`;
  const wanted = Array.isArray(value) ? (value as unknown[]).filter((item) => item !== null) : [value];
  const orNone = Array.isArray(value) && wanted.length < value.length;
  const none = filter.operator === 'overlaps' ? `cardinality(${column}) = 0` : `${column} IS NULL`;
  if (wanted.length === 0) return none;
  const type = plan.columns.get(filter.column)?.type ?? 'text';
  const some =
    filter.operator === 'overlaps'
      ? `${column} && ${values.add(wanted)}::${type}[]`
      : wanted.length === 1
        ? `${column} = ${values.add(wanted[0])}`
        : `${column} = ANY(${values.add(wanted)})`;
  return orNone ? `(${some} OR ${none})` : some;
}

function throughSql(plan: EntityPlan, { entity, key, columns, where }: Through, ctx: Ctx, values: Values, tableOf: TableOf): string {
  const own = [...plan.columns.keys()].filter((column) => column !== 'id' && !columns.includes(column)).map((column) => `p."${column}"`);
  const select = [`c."${key}" AS "id"`, ...columns.map((column) => `c."${column}"`), ...own].join(', ');
  const condition = renderSql(where, ctx, tableOf, values, { c: entity, p: plan.entity });
  return `(SELECT ${select} FROM ${tableOf(entity)} c JOIN ${plan.table} p ON p."id" = c."${key}" WHERE ${condition}) AS t`;
}

function sortExpression(plan: EntityPlan, column: string, descending: boolean): string {
  const known = plan.columns.get(column);
  if (!known) throw new Error(`${plan.name} has no column "${column}" to sort by.`);
  if (!known.nullable) return `t."${column}"`;
  if (known.type !== 'date' && !known.type.startsWith('timestamp'))
    throw new Error(`${plan.name}.${column} is nullable and neither date nor time, so it cannot be sorted by.`);
  return `COALESCE(t."${column}", '${descending ? '-' : ''}infinity')`;
}
