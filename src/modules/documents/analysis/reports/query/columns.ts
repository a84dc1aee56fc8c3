import { sql, type Sql } from '../../../../../kit/index.js';

export const COLUMN_TYPES = ['string', 'uuid', 'number', 'boolean', 'date', 'date_time'] as const;
/** The types of PostgreSQL that values are cast to. */
export const PG_TYPES = {
  text: sql`text`,
  uuid: sql`uuid`,
  numeric: sql`numeric`,
  boolean: sql`boolean`,
  date: sql`date`,
  timestamptz: sql`timestamptz`,
};
export type PgType = keyof typeof PG_TYPES;
export type ColumnType = (typeof COLUMN_TYPES)[number];

/** A column that a report can show, filter, group and sort by. */
export interface ReportColumn {
  key: string;
  label: string;
  type: ColumnType;
  /** An expression over the alias `t`. */
  sql: Sql;
  /** The PostgreSQL type, if it does not follow from the column's type. */
  cast?: PgType;
  /** All possible values of an enum column. */
  values?: readonly string[];
  /** Whether the value is never null, so that sorting can use an index. */
  always?: boolean;
}

/** Finds a column by its key; null if there is none. */
export type Columns = (key: string) => ReportColumn | null;

const CASTS: Record<ColumnType, PgType> = {
  string: 'text',
  uuid: 'uuid',
  number: 'numeric',
  boolean: 'boolean',
  date: 'date',
  date_time: 'timestamptz',
};

export function castOf({ type, cast }: Pick<ReportColumn, 'type' | 'cast'>): PgType {
  return cast ?? CASTS[type];
}

const PERIODS: Record<string, number> = { year: 4, month: 7, day: 10 };

/** A date or time truncated to its year, month or day, for grouping: `created_at.month` is `2026-11`. Null for other columns. */
export function periodOf(column: ReportColumn, period: string): ReportColumn | null {
  if (!Object.hasOwn(PERIODS, period)) return null;
  const day = { date: sql`(${column.sql})::text`, date_time: sql`to_char(${column.sql} AT TIME ZONE 'UTC', 'YYYY-MM-DD')` }[
    column.type as string
  ];
  return day
    ? { key: `${column.key}.${period}`, label: `${column.label}, ${period}`, type: 'string', sql: sql`left(${day}, ${PERIODS[period]})` }
    : null;
}
