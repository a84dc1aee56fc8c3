export const COLUMN_TYPES = ['string', 'uuid', 'number', 'boolean', 'date', 'date_time'] as const;
export type ColumnType = (typeof COLUMN_TYPES)[number];

/** Something that a report can show, filter, group and sort by. */
export interface ReportColumn {
  key: string;
  label: string;
  type: ColumnType;
  /** An expression over the alias `t`; never made of what a caller sent. */
  sql: string;
  /** PostgreSQL's type of it, where the column's type does not tell. */
  cast?: string;
  /** All values, where they are few. */
  values?: readonly string[];
  /** Whether every row has one, so that an index can be sorted by. */
  always?: boolean;
}

/** The column of a key; null when there is none. */
export type Columns = (key: string) => ReportColumn | null;

const CASTS: Record<ColumnType, string> = {
  string: 'text',
  uuid: 'uuid',
  number: 'numeric',
  boolean: 'boolean',
  date: 'date',
  date_time: 'timestamptz',
};

export function castOf({ type, cast }: Pick<ReportColumn, 'type' | 'cast'>): string {
  return cast ?? CASTS[type];
}

const PERIODS: Record<string, number> = { year: 4, month: 7, day: 10 };

/** A day or time cut down to its year, month or day, for grouping: `created_at.month` is `2026-11`. Null for anything else. */
export function periodOf(column: ReportColumn, period: string): ReportColumn | null {
  if (!Object.hasOwn(PERIODS, period)) return null;
  const day = { date: `(${column.sql})::text`, date_time: `to_char(${column.sql} AT TIME ZONE 'UTC', 'YYYY-MM-DD')` }[
    column.type as string
  ];
  return day
    ? { key: `${column.key}.${period}`, label: `${column.label}, ${period}`, type: 'string', sql: `left(${day}, ${PERIODS[period]})` }
    : null;
}
