import { FileResponse, PRIVATE_HEADERS } from '../../kit/index.js';

/** A file for spreadsheets; null is empty. */
export function csvFile(
  filename: string,
  columns: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
): FileResponse {
  const text = [columns, ...rows].map((row) => row.map(cell).join(',')).join('\r\n');
  return new FileResponse('text/csv', `${text}\r\n`, { filename, download: true, headers: PRIVATE_HEADERS });
}

/** Spreadsheets would run text that begins like a formula, and names are text of others. */
function cell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
