/** Spreadsheets run text that starts with one of these characters as a formula. */
const FORMULA = /^[=+\-@\t\r]/;
/** In many languages they divide lines at semicolons, whatever is quoted, or at tabs: then the text after one starts a cell. */
const LATER_FORMULA = /([;\t\r\n][ "]*)(?=[=+\-@])/g;
const NEEDS_QUOTES = /[",\r\n]/;

/**
 * CSV (RFC 4180) with a line of headings. Null is an empty cell; text that a spreadsheet would run as a formula gets a `'` before.
 *
 * @example
 * ```ts
 * import { csvText } from 'work-suite/kit';
 *
 * const file = csvText(['title', 'amount'], [['Lyon', 12_000]]); // 'title,amount\r\nLyon,12000\r\n'
 * ```
 */
export function csvText(headings: readonly string[], rows: readonly (readonly unknown[])[]): string {
  return csvLines([headings, ...rows]);
}

/** Lines of such a text. */
export function csvLines(rows: readonly (readonly unknown[])[]): string {
  return rows.map((cells) => `${cells.map(cellOf).join(',')}\r\n`).join('');
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' ? withoutFormulas(value) : String(value);
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function withoutFormulas(text: string): string {
  return (FORMULA.test(text) ? `'${text}` : text).replace(LATER_FORMULA, "$1'");
}
