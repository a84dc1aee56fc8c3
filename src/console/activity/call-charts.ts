import { html, type Html } from '../../kit/index.js';
import type { CallStatsDto, IntervalStatsDto } from '../../platform/request-log/analytics.dto.js';
import { barChart, lineChart } from '../components/chart.js';
import { count, counted, duration } from '../components/numbers.js';
import { table, type Column } from '../components/table.js';

/** More would make the page heavy. */
const MOST_ROWS = { hour: 24, day: 31 };

export interface CallsOverTime {
  interval: 'hour' | 'day';
  rows: readonly IntervalStatsDto[];
  /** The same intervals of the period before. */
  before?: { label: string; rows: readonly IntervalStatsDto[] } | null;
  /** The page with the calls of an interval. */
  linkTo: (row: IntervalStatsDto) => string;
}

/** Calls with errors at the bottom, where they are easiest to compare, and all figures as a table. */
export function callsChart(calls: CallsOverTime): Html {
  const { interval, rows, before } = calls;
  const earlier = before && { label: before.label, values: rows.map((_, index) => before.rows[index]?.calls ?? 0) };
  return barChart({
    id: 'calls-chart',
    title: `Calls per ${interval}`,
    summary: summaryOf(calls),
    interval,
    starts: rows.map(({ start_at }) => start_at),
    series: [
      { label: 'Errors', tone: 'bad', values: rows.map(({ errors }) => errors) },
      { label: 'Succeeded', tone: 'good', values: rows.map(({ calls: all, errors }) => all - errors) },
    ],
    ...(earlier && { before: earlier }),
    linkTo: (index) => calls.linkTo(rows[index]),
    tellOf: (index) => `${tell(rows[index])}${earlier ? `; ${count(earlier.values[index])} before` : ''}`,
    table: tableOf(calls),
  });
}

/** The latency of calls. An interval without calls has none. */
export function latencyChart({ interval, rows, before }: CallsOverTime): Html {
  const earlier = before && rows.map((_, index) => before.rows[index]?.latency_ms_p95 ?? null);
  const slowest = Math.max(0, ...rows.map(({ latency_ms_p99 }) => latency_ms_p99 ?? 0));
  return lineChart({
    id: 'latency-chart',
    title: 'Latency',
    summary: `Half of the calls, 95 % and 99 % of them took at most this long. The highest 99 % of an interval is ${duration(slowest)}.`,
    interval,
    starts: rows.map(({ start_at }) => start_at),
    series: [
      { label: 'p50', tone: 'good', values: rows.map(({ latency_ms_p50 }) => latency_ms_p50) },
      { label: 'p95', tone: 'middle', values: rows.map(({ latency_ms_p95 }) => latency_ms_p95) },
      { label: 'p99', tone: 'high', values: rows.map(({ latency_ms_p99 }) => latency_ms_p99) },
    ],
    ...(earlier && { before: { label: `p95, ${before.label.toLowerCase()}`, values: earlier } }),
    tellOf: (index) => tellLatency(rows[index], earlier?.[index] ?? null),
    unit: 'ms',
  });
}

function tellLatency({ calls, latency_ms_p50, latency_ms_p95, latency_ms_p99 }: IntervalStatsDto, before: number | null): string {
  const now =
    calls === 0 ? 'no calls' : `p50 ${duration(latency_ms_p50)}, p95 ${duration(latency_ms_p95)}, p99 ${duration(latency_ms_p99)}`;
  return before === null ? now : `${now}; p95 ${duration(before)} before`;
}

function tell({ calls, errors, latency_ms_p95: p95 }: IntervalStatsDto): string {
  const latency = p95 === null ? '' : `, p95 ${duration(p95)}`;
  return `${counted(calls, 'call')}, ${counted(errors, 'error')}${latency}`;
}

function summaryOf({ interval, rows }: CallsOverTime): string {
  const sum = rows.reduce((all, { calls, errors }) => ({ calls: all.calls + calls, errors: all.errors + errors }), { calls: 0, errors: 0 });
  const busiest = rows.reduce((one, other) => (other.calls > one.calls ? other : one), rows[0]);
  const most =
    sum.calls === 0 ? '' : ` Most, ${count(busiest.calls)}, in the ${interval} from ${timeText(busiest.start_at, interval)} UTC.`;
  return `${counted(sum.calls, 'call')}, ${counted(sum.errors, 'error')}.${most}`;
}

function tableOf({ interval, rows, before, linkTo }: CallsOverTime): Html {
  const shown = rows.slice(-MOST_ROWS[interval]).reverse();
  const earlier: Column<IntervalStatsDto> = {
    label: 'Calls before',
    isNumber: true,
    cell: (row) => count(before?.rows[rows.indexOf(row)]?.calls ?? 0),
  };
  const columns: Column<IntervalStatsDto>[] = [
    {
      label: interval === 'hour' ? 'Hour' : 'Day (UTC)',
      cell: (row) => html`<a href="${linkTo(row)}">${interval === 'day' ? timeText(row.start_at, interval) : hourOf(row.start_at)}</a>`,
    },
    ...statsColumns<IntervalStatsDto>(),
    ...(before ? [earlier] : []),
  ];
  const cut = rows.length > shown.length && html`<p class="hint">The last ${shown.length} of ${rows.length}.</p>`;
  return html`${table({ caption: `Calls per ${interval}`, columns, rows: shown })}${cut}`;
}

/** Calls, errors and latency as columns. */
function statsColumns<Row extends CallStatsDto>(): Column<Row>[] {
  return [
    { label: 'Calls', isNumber: true, cell: ({ calls }) => count(calls) },
    { label: 'Errors', isNumber: true, cell: ({ errors }) => count(errors) },
    { label: 'p50', isNumber: true, cell: ({ latency_ms_p50 }) => duration(latency_ms_p50) },
    { label: 'p95', isNumber: true, cell: ({ latency_ms_p95 }) => duration(latency_ms_p95) },
    { label: 'p99', isNumber: true, cell: ({ latency_ms_p99 }) => duration(latency_ms_p99) },
  ];
}

function hourOf(iso: string): Html {
  return html`<time datetime="${iso}" data-local="minutes">${timeText(iso, 'hour')}<span> UTC</span></time>`;
}

function timeText(iso: string, interval: 'hour' | 'day'): string {
  return iso.slice(0, interval === 'day' ? 10 : 16).replace('T', ' ');
}
