import type { ColumnType } from './query/columns.js';

export interface CsvColumn {
  key: string;
  type: ColumnType;
}

/** Spreadsheets run a cell that starts with one of these characters as a formula. */
const FORMULA = /^[=+\-@\t\r]/;
const NEEDS_QUOTES = /[",\r\n]/;

/** Rows as CSV (RFC 4180); the first line holds the column keys. */
export function csvOf(columns: readonly CsvColumn[], rows: readonly Record<string, unknown>[]): string {
  const lines = [columns.map(({ key }) => cell(key, 'string')), ...rows.map((row) => columns.map(({ key, type }) => cell(row[key], type)))];
  return lines.map((line) => `${line.join(',')}\r\n`).join('');
}

function cell(value: unknown, type: ColumnType): string {
  if (value === null || value === undefined) return '';
  const text = String(value);
  // numbers are safe, and a negative one must stay a number; only strings can carry an injected formula
  const safe = type !== 'number' && FORMULA.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
