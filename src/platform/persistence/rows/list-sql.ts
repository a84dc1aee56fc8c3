import type { Type } from '@nestjs/common';
import { CommonErrors, fieldsOf, Through, type BaseEntity, type Condition, type Ctx, type ListQuery } from '../../../kit/index.js';
import { listingOf } from '../../../kit/internal.js';
import { conditionTexts } from './condition-sql.js';
import type { DefinedField } from './custom-field-definitions.js';
import { customFilters, customSort } from './custom-field-filters.js';
import { COMPARED_CHARACTERS } from './custom-field-sql.js';
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
  /** A column with the value by which rows are sorted, if it is in another table; otherwise empty. */
  sortSelect: string;
  /** What a cursor keeps of a row: the value by which it is sorted. */
  sortValue: (row: Readonly<Record<string, unknown>>) => unknown;
  /** The value of rows that have none. */
  lastValue: string;
  /** The sort expression; nulls are last in both directions. */
  sortExpression: string;
  descending: boolean;
  /** Whether words are searched. */
  isSearch: boolean;
  /** Whether only so many rows are counted, see `MOST_COUNTED`. */
  isEndless: boolean;
}

export function planList<E extends BaseEntity>(
  plan: EntityPlan<E>,
  ctx: Ctx,
  query: ListQuery,
  conditions: readonly Condition[],
  tableOf: TableOf,
  customFields: readonly DefinedField[] = [],
  owner: EntityPlan = plan,
): ListPlan {
  const queryClass = query.constructor as Type;
  const listing = listingOf(queryClass);
  const values = new Values();
  // first, because ownerValue relies on the placeholders of these values
  const parts = [narrow(plan, ctx, values)];
  const asked: [string, unknown][] = [];
  for (const [name, spec] of fieldsOf(queryClass)) {
    const value = (query as unknown as Record<string, unknown>)[name];
    if (value === undefined || name === 'limit' || name === 'cursor' || name === 'include_total') continue;
    asked.push([name, value]);
    if (spec.filter && spec.filter.operator !== 'custom') parts.push(filterSql(plan, spec.filter, value, values));
  }
  const filters = query.custom_fields ? customFilters(customFields, query.custom_fields, values) : [];
  if (owner === plan) parts.push(...filters);
  else if (filters.length > 0) {
    const owners = `SELECT t."id" FROM ${owner.table} t WHERE ${[narrow(owner, ctx, values), ...filters].join(' AND ')}`;
    parts.push(`t."${listing.customFieldsOf}" IN (${owners})`);
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
  const key = CUSTOM.exec(sortColumn)?.[1];
  const ofOwner = (compared: string) => (owner === plan ? compared : ownerValue(plan, owner, ctx, compared, listing.customFieldsOf!));
  const custom = key !== undefined && listing.customFields !== undefined ? customSort(customFields, key, descending, ofOwner) : null;
  if (!custom && listing.customFields !== undefined) requireSort(sortColumn, listing.sort);
  const identity = JSON.stringify([plan.table, ctx.organizationId, ctx.mode, ctx.projectId, sort, asked, conditions]);
  return {
    identity,
    from,
    where: parts.join(' AND '),
    values,
    sortColumn,
    sortSelect: custom && owner !== plan ? `, ${custom.expression} AS "${SORT_VALUE}"` : '',
    sortValue: (row) => {
      if (!custom) return row[sortColumn] ?? null;
      return owner === plan ? comparedPart(row['custom_fields'], custom.key) : row[SORT_VALUE];
    },
    lastValue: custom?.last ?? `${descending ? '-' : ''}infinity`,
    sortExpression: custom?.expression ?? sortExpression(plan, sortColumn, descending),
    descending,
    isSearch,
    isEndless: listing.isEndless === true,
  };
}

const SORT_VALUE = 'sort_value';

/** The value of the row to which a row of the list belongs. */
function ownerValue(plan: EntityPlan, owner: EntityPlan, ctx: Ctx, compared: string, column: string): string {
  if (owner.scoping !== plan.scoping) throw new Error(`${plan.name} cannot be sorted by custom fields of ${owner.name}.`);
  // The placeholders are those of the list's own restriction, whose values are the list's first. Values of its own would be parameters that
  // the statement which counts the rows, without this expression, does not use: PostgreSQL refuses those.
  const rows = `SELECT t."id", ${compared} AS value FROM ${owner.table} t WHERE ${narrow(owner, ctx, new Values())}`;
  return `(SELECT o.value FROM (${rows}) o WHERE o."id" = t."${column}")`;
}

const CUSTOM = /^custom_fields\.(.+)$/;

/** The query's `sort` is one of the columns only if no custom field can be meant. */
function requireSort(column: string, columns: readonly string[]): void {
  if (columns.includes(column)) return;
  const allowed = columns.flatMap((name) => [name, `-${name}`]);
  const message = `sort must be one of ${allowed.join(', ')}, or custom_fields.<key> of a filterable field`;
  throw CommonErrors.validationFailed({ param: 'sort', message, allowed });
}

function comparedPart(fields: unknown, key: string): string | null {
  const value = (fields as Readonly<Record<string, unknown>>)[key];
  return value === undefined ? null : [...String(value)].slice(0, COMPARED_CHARACTERS).join('');
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
