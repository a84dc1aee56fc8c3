import type { Ctx } from '../../../../kit/index.js';
import { filterSql } from './report-filters.js';
import type { Output, ReportPlan } from './report-plan.js';

/** The organization, mode and project whose rows a report reads. */
export type Scope = Pick<Ctx, 'organizationId' | 'mode' | 'projectId'>;

/** The end of a page: the sort value of its last row, and the key that breaks ties. */
export interface Position {
  sort: string;
  key: string;
}

/** Strings sort by their first characters only, because a cursor holds the sort value. */
const SORTED_CHARACTERS = 200;

/**
 * The query for the rows after a position. The SQL text contains only constants of the code (datasets.ts) and validated field
 * names; everything from callers and saved reports is bound as a value. Ungrouped rows use their id as key, so that paging can
 * use an index.
 */
export function reportSql(plan: ReportPlan, scope: Scope, after: Position | null, limit: number): { text: string; values: unknown[] } {
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const where = [scopeCondition(scope, bind), ...plan.filters.map((filter) => filterSql(filter, bind))].join(' AND ');
  const direction = plan.sort?.descending ? 'DESC' : 'ASC';
  const page = after ? `WHERE (p.sort, p.key) ${plan.sort?.descending ? '<' : '>'} ${positionSql(plan, after, bind)}` : '';
  const shown = plan.outputs.map((_, index) => `p.c${index}`).join(', ');
  const inner = plan.groups === null ? rows(plan, where) : groups(plan, plan.groups, where);
  const text = [
    `SELECT ${shown}, p.sort::text AS sort, p.key::text AS key FROM (${inner}) p`,
    page,
    `ORDER BY p.sort ${direction}, p.key ${direction} LIMIT ${bind(limit)}`,
  ].join(' ');
  return { text, values };
}

function positionSql(plan: ReportPlan, after: Position, bind: (value: unknown) => string): string {
  const sort = `${bind(after.sort)}::${plan.sort?.column.cast ?? 'text'}`;
  return `(${sort}, ${bind(after.key)}::${plan.groups === null ? 'uuid' : 'text'})`;
}

function rows({ table, outputs, sort }: ReportPlan, where: string): string {
  const sorted = sort ? sortExpression(sort.column, sort.column.sql, sort.descending) : 't.id';
  return `SELECT ${columnsOf(outputs)}, ${sorted} AS sort, t.id AS key FROM ${table} t WHERE ${where}`;
}

function groups({ table, outputs, sort }: ReportPlan, count: number, where: string): string {
  const numbers = outputs.slice(0, count).map((_, index) => index);
  const groupBy = count > 0 ? ` GROUP BY ${numbers.map((index) => index + 1).join(', ')}` : '';
  const inner = `SELECT ${columnsOf(outputs)} FROM ${table} t WHERE ${where}${groupBy}`;
  const sorted = sort ? sortExpression(sort.column, `g.c${outputs.indexOf(sort.column)}`, sort.descending) : `''`;
  const key = `md5(jsonb_build_array(${numbers.map((index) => `g.c${index}`).join(', ')})::text)`;
  return `SELECT g.*, ${sorted} AS sort, ${key} AS key FROM (${inner}) g`;
}

function columnsOf(outputs: readonly Output[]): string {
  return outputs.map(({ sql }, index) => `${sql} AS c${index}`).join(', ');
}

/** Restricts rows to the caller's organization and mode, and to the project of the key or of the report. */
function scopeCondition({ organizationId, mode, projectId }: Scope, bind: (value: unknown) => string): string {
  const tenant = `t.organization_id = ${bind(organizationId)} AND t.mode = ${bind(mode)}`;
  return projectId === null ? tenant : `${tenant} AND t.project_id = ${bind(projectId)}`;
}

/** Rows without a value come last, except that for strings a missing value sorts as the empty string. */
function sortExpression({ type, cast, always }: Output, sql: string, descending: boolean): string {
  if (cast === 'text') return `left(COALESCE(${sql}, ''), ${SORTED_CHARACTERS})`;
  if (always) return sql;
  if (type === 'uuid') return `COALESCE(${sql}, '00000000-0000-0000-0000-000000000000')`;
  if (type === 'boolean') return `COALESCE(${sql}, false)`;
  return `COALESCE(${sql}, '${descending ? '-' : ''}infinity'::${cast})`;
}
