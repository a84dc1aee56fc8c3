import { FileResponse } from '../../../kit/index.js';
import { csvOf } from './report-csv.js';
import type { Report } from './query/report.entity.js';
import type { ReportDataDto } from './query/reports.dto.js';

/** The forms that a report's rows come in, the usual one first. */
export const FORMS = ['application/json', 'text/csv'] as const;
export const PRODUCES = {
  'text/csv': 'A line of keys and a line per row. Where another page follows, the header Link names it with rel="next".',
};

/** Rows in the form that the caller prefers; `path` is where they were asked for. */
export function reportAnswer(
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
  return new FileResponse('text/csv', csvOf(data.columns, data.data), { filename: `${report.name}.csv`, download: true, headers });
}
