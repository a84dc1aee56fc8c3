import { csvText, FileResponse } from '../../../../kit/index.js';
import type { Report } from './query/report.entity.js';
import type { ReportDataDto } from './query/reports.dto.js';

/** The media types of a report's rows; the first one is the default. */
export const FORMS = ['application/json', 'text/csv'] as const;
export const PRODUCES = {
  'text/csv': 'A header line with the column keys, then a line per row. If another page follows, the Link header has its URL (rel="next").',
};

/** Rows in the media type that the caller prefers; `path` is the request's path. */
export function reportResponse(
  report: Report,
  data: ReportDataDto,
  form: string,
  path: string,
  limit: number | undefined,
): ReportDataDto | FileResponse {
  if (form === 'application/json') return data;
  const query =
    data.next_cursor &&
    new URLSearchParams({ ...(limit === undefined ? {} : { limit: String(limit) }), cursor: data.next_cursor }).toString();
  const headers = { 'Cache-Control': 'no-store', ...(query ? { Link: `<${path}?${query}>; rel="next"` } : {}) };
  const keys = data.columns.map(({ key }) => key);
  const rows = data.data.map((row) => keys.map((key) => row[key]));
  return new FileResponse('text/csv', csvText(keys, rows), { filename: `${report.name}.csv`, download: true, headers });
}
