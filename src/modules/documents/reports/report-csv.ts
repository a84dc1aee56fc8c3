import type { ColumnType } from './query/columns.js';

export interface CsvColumn {
  key: string;
  type: ColumnType;
}

/** A spreadsheet takes a text that begins like this for a formula and runs it. */
const FORMULA = /^[=+\-@\t\r]/;
const NEEDS_QUOTES = /[",\r\n]/;

/** Rows as CSV (RFC 4180), with the columns' keys as its first line. */
export function csvOf(columns: readonly CsvColumn[], rows: readonly Record<string, unknown>[]): string {
  const lines = [columns.map(({ key }) => cell(key, 'string')), ...rows.map((row) => columns.map(({ key, type }) => cell(row[key], type)))];
  return lines.map((line) => `${line.join(',')}\r\n`).join('');
}

function cell(value: unknown, type: ColumnType): string {
  if (value === null || value === undefined) return '';
  const text = String(value);
  // a negative number is one, and must stay one; only texts can have been written by somebody who means harm
  const safe = type !== 'number' && FORMULA.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
