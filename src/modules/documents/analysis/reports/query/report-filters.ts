import { isCalendarDay, isInstant, isObject, isUuid, sql, type Sql } from '../../../../../kit/index.js';
import { FORMAT_NOUNS } from '../../../model/core/value-formats.js';
import { castOf, PG_TYPES, type Columns, type ColumnType, type ReportColumn } from './columns.js';

const ORDERED = { gt: sql`>`, gte: sql`>=`, lt: sql`<`, lte: sql`<=` };
const OPERATORS = ['ne', ...Object.keys(ORDERED), 'contains', 'exists', 'last_days', 'next_days'];
const MOST_FILTERS = 20;
const MOST_VALUES = 100;
const LONGEST_TEXT = 255;
const MOST_DAYS = 36_500;

/** Records a problem with the part of the report at `param`. */
export type AddProblem = (param: string, message: string, allowed?: readonly string[]) => void;

/** One condition that a row must meet. */
export interface Filter {
  column: ReportColumn;
  operator: string;
  value: unknown;
}

/** `{"state": ["sent", "executed"], "created_at": {"last_days": 30}, "valid_until_on": null}` as conditions. */
export function filtersOf(given: Record<string, unknown>, columns: Columns, addProblem: AddProblem): Filter[] {
  const entries = Object.entries(given);
  if (entries.length > MOST_FILTERS) addProblem('filters', `must have at most ${MOST_FILTERS} columns`);
  return entries.flatMap(([key, wanted]) => {
    const at = `filters.${key}`;
    const column = columns(key);
    if (!column) {
      addProblem(at, 'is not a column of this dataset');
      return [];
    }
    if (isObject(wanted)) return Object.entries(wanted).map(([operator, value]) => checked({ column, operator, value }, at, addProblem));
    const values = [wanted].flat();
    if (values.length === 0 || values.length > MOST_VALUES) addProblem(at, `must have 1 to ${MOST_VALUES} values`);
    for (const value of values) if (value !== null) checkValue(column, value, at, addProblem);
    return [{ column, operator: 'in', value: values }];
  });
}

function checked(filter: Filter, path: string, addProblem: AddProblem): Filter {
  const { column, operator, value } = filter;
  const at = `${path}.${operator}`;
  if (!OPERATORS.includes(operator)) addProblem(path, `must use only ${OPERATORS.join(', ')}`, OPERATORS);
  else if (operator === 'exists') require(typeof value === 'boolean', 'must be true or false');
  else if (operator === 'contains') require(column.type === 'string' && isText(value), 'must be a string and needs a string column');
  else if (operator.endsWith('_days'))
    require(column.type.startsWith('date') &&
      isDays(value), `must be a whole number of days up to ${MOST_DAYS} and needs a date or time column`);
  else if (operator in ORDERED && !['number', 'date', 'date_time'].includes(column.type))
    addProblem(at, 'is only for number, date and time columns');
  else checkValue(column, value, at, addProblem);
  return filter;

  function require(holds: boolean, message: string): void {
    if (!holds) addProblem(at, message);
  }
}

const CHECKS: Record<ColumnType, [(value: unknown) => boolean, string]> = {
  string: [isText, `must be a string of at most ${LONGEST_TEXT} characters`],
  uuid: [isUuid, 'must be a UUID'],
  number: [(value) => typeof value === 'number', 'must be a number'],
  boolean: [(value) => typeof value === 'boolean', 'must be true or false'],
  date: [isCalendarDay, `must be ${FORMAT_NOUNS.date}`],
  date_time: [isInstant, `must be ${FORMAT_NOUNS['date-time']}`],
};

function checkValue({ type, values }: ReportColumn, value: unknown, at: string, addProblem: AddProblem): void {
  const [holds, message] = CHECKS[type];
  if (!holds(value)) addProblem(at, message);
  else if (values && !values.includes(value as string)) addProblem(at, `must be one of ${values.join(', ')}`, values);
}

export function filterSql({ column, operator, value }: Filter): Sql {
  const { sql: expression } = column;
  const cast = PG_TYPES[castOf(column)];
  if (operator === 'in') {
    const wanted = (value as unknown[]).filter((one) => one !== null).map((one) => bound(column, one));
    const some = wanted.length > 0 ? sql`${expression} = ANY(${wanted}::${cast}[])` : sql`FALSE`;
    return (value as unknown[]).includes(null) ? sql`(${some} OR ${expression} IS NULL)` : some;
  }
  if (operator === 'exists') return value === true ? sql`${expression} IS NOT NULL` : sql`${expression} IS NULL`;
  if (operator === 'ne') return sql`${expression} IS DISTINCT FROM ${bound(column, value)}::${cast}`;
  if (operator === 'contains') return sql`strpos(lower(${expression}), lower(${value}::text)) > 0`;
  if (operator.endsWith('_days')) {
    const today = column.type === 'date' ? sql`now()::date` : sql`now()`;
    const days = column.type === 'date' ? sql`${value}::int` : sql`make_interval(days => ${value}::int)`;
    const [from, to] = operator === 'last_days' ? [sql`${today} - ${days}`, today] : [today, sql`${today} + ${days}`];
    return sql`${expression} BETWEEN (${from})::${cast} AND (${to})::${cast}`;
  }
  return sql`${expression} ${ORDERED[operator as keyof typeof ORDERED]} ${bound(column, value)}::${cast}`;
}

/** PostgreSQL does not accept every RFC 3339 spelling of a time. */
function bound({ type }: ReportColumn, value: unknown): unknown {
  return type === 'date_time' ? new Date((value as string).toUpperCase()).toISOString() : value;
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.length > 0 && value.length <= LONGEST_TEXT;
}

function isDays(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MOST_DAYS;
}
