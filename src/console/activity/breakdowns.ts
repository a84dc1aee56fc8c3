import { html, type FileResponse, type Html } from '../../kit/index.js';
import type { AnalyticsDto, CallStatsDto, RouteStatsDto } from '../../platform/request-log/analytics.dto.js';
import { count, duration, percent } from '../components/numbers.js';
import { table, type Column } from '../components/table.js';
import type { Visit } from '../frame/visit.js';
import type { Narrowing } from './analytics-span.js';
import { routeOf } from './call-columns.js';
import { csvFile } from './csv.js';

const MOST_ROWS = 6;
const STATS = ['calls', 'errors', 'error_rate', 'latency_ms_p50', 'latency_ms_p95', 'latency_ms_p99'] as const;

/** One way to group the calls. */
interface Breakdown<Row extends CallStatsDto> {
  /** Names the file, too. */
  name: string;
  title: string;
  column: string;
  narrows: Narrowing;
  rows: (analytics: AnalyticsDto) => readonly Row[];
  label: (row: Row) => Html | string;
  /** The filter value for the calls of a row; null if they cannot be filtered. */
  value: (row: Row) => string | null;
  /** For the file. */
  texts: Readonly<Record<string, (row: Row) => string | null>>;
}

const ERRORS: readonly Column<CallStatsDto>[] = [
  { label: 'Errors', isNumber: true, cell: ({ errors }) => count(errors) },
  { label: 'Error rate', isNumber: true, cell: ({ error_rate }) => percent(error_rate) },
];

const breakdown = <Row extends CallStatsDto>(one: Breakdown<Row>) => one as unknown as Breakdown<CallStatsDto>;

const BREAKDOWNS: readonly Breakdown<CallStatsDto>[] = [
  breakdown({
    name: 'keys',
    title: 'By API key',
    column: 'API key',
    narrows: 'key',
    rows: ({ by_key }) => by_key,
    label: ({ name }) => name ?? 'Not recognized',
    value: ({ api_key_id }) => api_key_id,
    texts: { api_key_id: ({ api_key_id }) => api_key_id, name: ({ name }) => name },
  }),
  breakdown<RouteStatsDto>({
    name: 'routes',
    title: 'By route',
    column: 'Route',
    narrows: 'operation',
    rows: ({ by_route }) => by_route,
    label: routeOf,
    value: ({ operation }) => operation,
    texts: { method: ({ method }) => method, route: ({ route }) => route, operation: ({ operation }) => operation },
  }),
  breakdown({
    name: 'tools',
    title: 'By MCP tool',
    column: 'Tool',
    narrows: 'tool',
    rows: ({ by_tool }) => by_tool,
    label: ({ tool }) => html`<span class="mono">${tool}</span>`,
    value: ({ tool }) => tool,
    texts: { tool: ({ tool }) => tool },
  }),
  breakdown({
    name: 'codes',
    title: 'By error code',
    column: 'Code',
    narrows: 'code',
    rows: ({ by_code }) => by_code,
    label: ({ code }) => html`<span class="mono">${code}</span>`,
    value: ({ code }) => code,
    texts: { code: ({ code }) => code },
  }),
];

export const BREAKDOWN_NAMES = BREAKDOWNS.map(({ name }) => name);

/** The calls grouped in each way, the most frequent first; each row links to its calls. */
export function breakdowns(visit: Visit, analytics: AnalyticsDto): Html {
  const parts = BREAKDOWNS.filter(({ narrows, rows }) => !visit.query.get(narrows) && rows(analytics).length > 0);
  return html`${parts.map((part) => section(visit, part, part.rows(analytics)))}`;
}

function section(
  visit: Visit,
  { name, title, column, narrows, label, value }: Breakdown<CallStatsDto>,
  rows: readonly CallStatsDto[],
): Html {
  const all = html`<a href="${visit.here({ csv: name })}" download>CSV${rows.length > MOST_ROWS && ` of all ${rows.length}`}</a>`;
  const list = table({
    caption: title,
    rows: rows.slice(0, MOST_ROWS),
    columns: [
      {
        label: column,
        cell: (row) => {
          const narrower = value(row);
          return narrower === null ? label(row) : html`<a href="${visit.here({ [narrows]: narrower })}">${label(row)}</a>`;
        },
      },
      { label: 'Calls', isNumber: true, cell: ({ calls }) => count(calls) },
      // all calls with a code are errors
      ...(narrows === 'code' ? [] : ERRORS),
      { label: 'p50', isNumber: true, cell: ({ latency_ms_p50 }) => duration(latency_ms_p50) },
      { label: 'p95', isNumber: true, cell: ({ latency_ms_p95 }) => duration(latency_ms_p95) },
    ],
  });
  return html`<h2>${title}</h2>${list}<p class="hint">${all}</p>`;
}

/** All rows of a breakdown as CSV. */
export function breakdownCsv(analytics: AnalyticsDto, name: string): FileResponse {
  const { rows, texts, name: file } = BREAKDOWNS.find((one) => one.name === name)!;
  const lines = rows(analytics).map((row) => [...Object.values(texts).map((text) => text(row)), ...STATS.map((stat) => row[stat])]);
  return csvFile(`calls-by-${file}.csv`, [...Object.keys(texts), ...STATS], lines);
}
