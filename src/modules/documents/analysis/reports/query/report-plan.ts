import type { Type } from '@nestjs/common';
import { sql, type ErrorDetail, type Sql } from '../../../../../kit/index.js';
import { castOf, type Columns, type ColumnType, type PgType, type ReportColumn } from './columns.js';
import { DATASET } from './datasets.js';
import type { Aggregate, ReportDefinition } from './report.entity.js';
import { filtersOf, type AddProblem, type Filter } from './report-filters.js';

/** A column of the result. */
export interface Output {
  key: string;
  label: string;
  type: ColumnType;
  sql: Sql;
  cast: PgType;
  always: boolean;
}

/** A validated report, ready to be turned into SQL. */
export interface ReportPlan {
  entity: Type;
  outputs: Output[];
  /** How many of the first outputs rows are grouped by; null if rows are not grouped. */
  groups: number | null;
  filters: Filter[];
  /** The sort column: an output, or a column of the table; null for a single row of totals. */
  sort: { column: Output; descending: boolean } | null;
}

const ROWS_FIRST = '-created_at';
const FUNCTIONS = { count: sql`count`, sum: sql`sum`, avg: sql`avg`, min: sql`min`, max: sql`max` };
const NUMERIC = ['sum', 'avg'];
const WORDS = { count: 'Count', sum: 'Sum', avg: 'Average', min: 'Least', max: 'Greatest' } as const;

/** The plan of a report, and every problem found in its definition. */
export function planOf(report: ReportDefinition, columns: Columns): { plan: ReportPlan; problems: ErrorDetail[] } {
  const problems: ErrorDetail[] = [];
  const addProblem: AddProblem = (param, message, allowed) =>
    void problems.push({ param, code: 'invalid_value', message: `${param} ${message}`, ...(allowed ? { allowed } : {}) });
  const known = [...DATASET[report.dataset].columns.keys()];
  const find = (key: string, param: string): ReportColumn | null => {
    const column = columns(key);
    if (!column) addProblem(param, `contains ${key}, which is not a column of ${report.dataset}`, known);
    return column;
  };
  const isGrouped = report.group_by.length > 0 || report.aggregates.length > 0;
  if (isGrouped && report.aggregates.length === 0) addProblem('aggregates', 'must have at least one entry when rows are grouped');
  if (isGrouped && report.columns.length > 0)
    addProblem('columns', 'must be empty when rows are grouped: the columns are then those of group_by and aggregates');
  if (!isGrouped && report.columns.length === 0) addProblem('columns', 'must have at least one entry unless there are aggregates');
  const all = (keys: readonly string[], param: string) => keys.flatMap((key, index) => find(key, `${param}.${index}`) ?? []).map(outputOf);
  const groups = all(report.group_by, 'group_by');
  const outputs = isGrouped
    ? [...groups, ...report.aggregates.flatMap((aggregate, index) => aggregateOf(aggregate, index, find, addProblem) ?? [])]
    : all(report.columns, 'columns');
  for (const [index, { key }] of outputs.entries())
    if (outputs.findIndex((other) => other.key === key) !== index)
      addProblem(isGrouped ? 'aggregates' : 'columns', `must not contain ${key} twice`);
  const filters = filtersOf(report.filters, columns, addProblem);
  const sort = sortOf(report.sort, isGrouped, groups, outputs, columns, addProblem);
  return { plan: { entity: DATASET[report.dataset].entity, outputs, groups: isGrouped ? groups.length : null, filters, sort }, problems };
}

function outputOf(column: ReportColumn): Output {
  const { key, label, type, sql: expression, always = false } = column;
  return { key, label, type, sql: expression, cast: castOf(column), always };
}

function aggregateOf(
  { fn, column: key = null }: Aggregate,
  index: number,
  find: (key: string, param: string) => ReportColumn | null,
  addProblem: AddProblem,
): Output | null {
  const at = `aggregates.${index}.column`;
  if (key === null) {
    if (fn === 'count') return { key: 'count', label: WORDS.count, type: 'number', sql: sql`count(*)`, cast: 'numeric', always: true };
    addProblem(at, `is required for ${fn}`);
    return null;
  }
  const column = find(key, at);
  if (!column) return null;
  if (NUMERIC.includes(fn) && column.type !== 'number') addProblem(at, `must be a number column for ${fn}`);
  if ((fn === 'min' || fn === 'max') && (column.type === 'uuid' || column.type === 'boolean'))
    addProblem(at, `must be a string, number, date or time column for ${fn}`);
  const [type, cast] = fn === 'min' || fn === 'max' ? [column.type, castOf(column)] : (['number', 'numeric'] as const);
  return {
    key: `${fn}_${key.replaceAll('.', '_')}`,
    label: `${WORDS[fn]} of ${column.label}`,
    type,
    sql: sql`${FUNCTIONS[fn]}(${column.sql})`,
    cast,
    always: fn === 'count',
  };
}

function sortOf(
  requested: string | null,
  isGrouped: boolean,
  groups: readonly Output[],
  outputs: readonly Output[],
  columns: Columns,
  addProblem: AddProblem,
): ReportPlan['sort'] {
  if (isGrouped && groups.length === 0) {
    if (requested !== null) addProblem('sort', 'is not allowed for a report with a single row');
    return null;
  }
  const sort = requested ?? (isGrouped ? groups[0].key : ROWS_FIRST);
  const key = sort.replace(/^-/, '');
  const row = isGrouped ? null : columns(key);
  const column = isGrouped ? outputs.find((output) => output.key === key) : row && outputOf(row);
  if (!column)
    addProblem('sort', `contains ${key}, which is not a column of the result`, isGrouped ? outputs.map((output) => output.key) : undefined);
  // the default sort of groups may be an id column, but an explicit sort by ids is meaningless
  else if (requested !== null && column.type === 'uuid') addProblem('sort', 'must not be an id column');
  return column ? { column, descending: sort.startsWith('-') } : null;
}
