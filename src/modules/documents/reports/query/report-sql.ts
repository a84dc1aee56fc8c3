import type { Ctx } from '../../../../kit/index.js';
import { filterSql } from './report-filters.js';
import type { Output, ReportPlan } from './report-plan.js';

/** Whose rows, and of which project. */
export type Scope = Pick<Ctx, 'organizationId' | 'mode' | 'projectId'>;

/** Where a page ends: what its last row is sorted by, and what tells it from others that sort alike. */
export interface Position {
  sort: string;
  key: string;
}

/** Texts sort by their beginnings, or a cursor could be as long as a text is. */
const SORTED_CHARACTERS = 200;

/**
 * The rows after a position. Everything in the text stands in the code (datasets.ts) or is a field's checked name; what
 * callers and reports bring are values. Ungrouped rows have their id as key, so that pages follow an index where there is one.
 */
export function reportSql(plan: ReportPlan, scope: Scope, after: Position | null, limit: number): { text: string; values: unknown[] } {
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const where = [narrowed(scope, bind), ...plan.filters.map((filter) => filterSql(filter, bind))].join(' AND ');
  const direction = plan.sort?.descending ? 'DESC' : 'ASC';
  const page = after
    ? `WHERE (p.sort, p.key) ${plan.sort?.descending ? '<' : '>'} (${bind(after.sort)}::${plan.sort?.column.cast ?? 'text'}, ${bind(after.key)}::${plan.groups === null ? 'uuid' : 'text'})`
    : '';
  const shown = plan.outputs.map((_, index) => `p.c${index}`).join(', ');
  const text = `SELECT ${shown}, p.sort::text AS sort, p.key::text AS key FROM (${plan.groups === null ? rows(plan, where) : groups(plan, plan.groups, where)}) p ${page} ORDER BY p.sort ${direction}, p.key ${direction} LIMIT ${bind(limit)}`;
  return { text, values };
}

function rows({ table, outputs, sort }: ReportPlan, where: string): string {
  return `SELECT ${columnsOf(outputs)}, ${sort ? sortExpression(sort.column, sort.column.sql, sort.descending) : 't.id'} AS sort, t.id AS key FROM ${table} t WHERE ${where}`;
}

function groups({ table, outputs, sort }: ReportPlan, count: number, where: string): string {
  const numbers = outputs.slice(0, count).map((_, index) => index);
  const inner = `SELECT ${columnsOf(outputs)} FROM ${table} t WHERE ${where}${count > 0 ? ` GROUP BY ${numbers.map((index) => index + 1).join(', ')}` : ''}`;
  const sorted = sort ? sortExpression(sort.column, `g.c${outputs.indexOf(sort.column)}`, sort.descending) : `''`;
  return `SELECT g.*, ${sorted} AS sort, md5(jsonb_build_array(${numbers.map((index) => `g.c${index}`).join(', ')})::text) AS key FROM (${inner}) g`;
}

function columnsOf(outputs: readonly Output[]): string {
  return outputs.map(({ sql }, index) => `${sql} AS c${index}`).join(', ');
}

/** The caller's organisation and mode, and the project of the key or of the report. */
function narrowed({ organizationId, mode, projectId }: Scope, bind: (value: unknown) => string): string {
  return `t.organization_id = ${bind(organizationId)} AND t.mode = ${bind(mode)}${projectId === null ? '' : ` AND t.project_id = ${bind(projectId)}`}`;
}

/** Rows without a value come last; among texts they sort as the empty one. */
function sortExpression({ type, cast, always }: Output, sql: string, descending: boolean): string {
  if (cast === 'text') return `left(COALESCE(${sql}, ''), ${SORTED_CHARACTERS})`;
  if (always) return sql;
  if (type === 'uuid') return `COALESCE(${sql}, '00000000-0000-0000-0000-000000000000')`;
  if (type === 'boolean') return `COALESCE(${sql}, false)`;
  return `COALESCE(${sql}, '${descending ? '-' : ''}infinity'::${cast})`;
}
