import { csvText, FileResponse, PRIVATE_HEADERS } from '../../kit/index.js';

/** A CSV file that the browser saves. */
export function csvFile(
  filename: string,
  columns: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
): FileResponse {
  return new FileResponse('text/csv', csvText(columns, rows), { filename, download: true, headers: PRIVATE_HEADERS });
}
