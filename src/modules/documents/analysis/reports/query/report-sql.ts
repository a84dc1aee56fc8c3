import { own, sql, table, type Sql } from '../../../../../kit/index.js';
import { PG_TYPES } from './columns.js';
import { filterSql } from './report-filters.js';
import type { Output, ReportPlan } from './report-plan.js';

/** The end of a page: the sort value of its last row, and the key that breaks ties. */
export interface Position {
  sort: string;
  key: string;
}

/** Strings sort by their first characters only, because a cursor holds the sort value. */
const SORTED_CHARACTERS = sql`200`;

/**
 * The query for the rows after a position: the caller's rows, or those of a project. Ungrouped rows use their id as key, so that paging can
 * use an index.
 */
export function reportSql(plan: ReportPlan, projectId: string | null, after: Position | null, limit: number): Sql {
  const scope = projectId === null ? own('t') : sql`${own('t')} AND t.project_id = ${projectId}`;
  const where = sql.join([sql`${scope}`, ...plan.filters.map(filterSql)], ' AND ');
  const direction = plan.sort?.descending ? sql`DESC` : sql`ASC`;
  const isBehind = plan.sort?.descending ? sql`<` : sql`>`;
  const page = after ? sql`WHERE (p.sort, p.key) ${isBehind} ${positionSql(plan, after)}` : sql``;
  const shown = sql.join(
    plan.outputs.map((_, index) => columnAt('p', index)),
    ', ',
  );
  const inner = plan.groups === null ? rows(plan, where) : groups(plan, plan.groups, where);
  return sql`SELECT ${shown}, p.sort::text AS sort, p.key::text AS key FROM (${inner}) p ${page}
    ORDER BY p.sort ${direction}, p.key ${direction} LIMIT ${limit}`;
}

function positionSql(plan: ReportPlan, after: Position): Sql {
  const sort = sql`${after.sort}::${PG_TYPES[plan.sort?.column.cast ?? 'text']}`;
  return sql`(${sort}, ${after.key}::${PG_TYPES[plan.groups === null ? 'uuid' : 'text']})`;
}

function rows({ entity, outputs, sort }: ReportPlan, where: Sql): Sql {
  const sorted = sort ? sortExpression(sort.column, sort.column.sql, sort.descending) : sql`t.id`;
  return sql`SELECT ${columnsOf(outputs)}, ${sorted} AS sort, t.id AS key FROM ${table(entity)} t WHERE ${where}`;
}

function groups({ entity, outputs, sort }: ReportPlan, count: number, where: Sql): Sql {
  const numbers = outputs.slice(0, count).map((_, index) => index);
  const groupBy = count > 0 ? sql`GROUP BY ${sql.join(numbers.map(nameAt), ', ')}` : sql``;
  const inner = sql`SELECT ${columnsOf(outputs)} FROM ${table(entity)} t WHERE ${where} ${groupBy}`;
  const sorted = sort ? sortExpression(sort.column, columnAt('g', outputs.indexOf(sort.column)), sort.descending) : sql`''`;
  const key = sql.join(
    numbers.map((index) => columnAt('g', index)),
    ', ',
  );
  return sql`SELECT g.*, ${sorted} AS sort, md5(jsonb_build_array(${key})::text) AS key FROM (${inner}) g`;
}

function columnsOf(outputs: readonly Output[]): Sql {
  return sql.join(
    outputs.map(({ sql: expression }, index) => sql`${expression} AS ${nameAt(index)}`),
    ', ',
  );
}

function columnAt(alias: 'p' | 'g', index: number): Sql {
  return sql`${alias === 'p' ? sql`p` : sql`g`}.${nameAt(index)}`;
}

function nameAt(index: number): Sql {
  return sql.column(`c${index}`);
}

/** Rows without a value come last, except that for strings a missing value sorts as the empty string. */
function sortExpression({ type, cast, always }: Output, expression: Sql, descending: boolean): Sql {
  if (cast === 'text') return sql`left(COALESCE(${expression}, ''), ${SORTED_CHARACTERS})`;
  if (always) return expression;
  if (type === 'uuid') return sql`COALESCE(${expression}, '00000000-0000-0000-0000-000000000000')`;
  if (type === 'boolean') return sql`COALESCE(${expression}, false)`;
  return sql`COALESCE(${expression}, ${descending ? sql`'-infinity'` : sql`'infinity'`}::${PG_TYPES[cast]})`;
}
