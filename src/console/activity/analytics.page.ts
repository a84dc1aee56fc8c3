import { html, type FileResponse, type Html } from '../../kit/index.js';
import type { AnalyticsDto, IntervalStatsDto } from '../../platform/request-log/analytics.dto.js';
import { csvLink, emptyState, figures } from '../components/blocks.js';
import { change, count, duration, percent } from '../components/numbers.js';
import { filterQuery } from '../components/lists.js';
import { definePage } from '../frame/page-definition.js';
import type { Visit } from '../frame/visit.js';
import {
  before,
  endOf,
  LENGTHS,
  NARROWING_NAMES,
  NARROWINGS,
  narrowingsOf,
  SPAN_PARAMETERS,
  spanOf,
  type Narrowing,
  type Span,
} from './analytics-span.js';
import { BREAKDOWN_NAMES, breakdownCsv, breakdowns } from './breakdowns.js';
import { callsChart, latencyChart } from './call-charts.js';
import { csvFile } from './csv.js';
import { minuteOf } from './log-filters.js';

const ALL_CALLS = Object.fromEntries(NARROWING_NAMES.map((name) => [name, null]));

export const analyticsPage = definePage({
  path: '/analytics',
  title: 'Analytics',
  permission: 'org.developer.logs.view',
  operations: ['get_request_analytics'],
  nav: 'Activity',
  icon: 'chart-line',
  hasMode: true,
  parameters: { ...NARROWINGS, ...SPAN_PARAMETERS, csv: { label: 'File', values: ['intervals', ...BREAKDOWN_NAMES], isView: true } },
  async show(visit) {
    const span = spanOf(visit);
    const narrowings = narrowingsOf(visit);
    const { from, to, interval } = span;
    const query = { from, to, interval, mode: visit.mode, ...filterQuery(visit) };
    const analytics = await visit.get<AnalyticsDto>('/developer/analytics', query);
    const file = visit.query.get('csv');
    if (file !== null) return file === 'intervals' ? intervalsCsv(analytics) : breakdownCsv(analytics, file);
    const earlier =
      analytics.totals.calls > 0 ? await visit.get<AnalyticsDto>('/developer/analytics', { ...query, ...before(analytics, span) }) : null;
    return {
      title: 'Analytics',
      lead: html`Calls with ${visit.mode} keys ${span.days === null ? html`from ${spanText(analytics)}, UTC` : lengthText(span.days)}.`,
      tools: html`${intervals(visit, interval)}${csvLink(visit.here({ csv: 'intervals' }))}`,
      body: html`${spans(visit, span)}${narrowed(visit, narrowings, analytics)}${
        earlier ? content(visit, analytics, earlier, span) : nothing(visit, narrowings)
      }`,
    };
  },
});

function content(visit: Visit, analytics: AnalyticsDto, earlier: AnalyticsDto, { interval, days }: Span): Html {
  const { totals, from, to, by_interval: rows } = analytics;
  const logs = { ...toLogs(visit), from: minuteOf(from), to: minuteOf(Date.parse(to) + 60_000) };
  const linkTo = ({ start_at }: IntervalStatsDto): string => {
    const part = { from: minuteOf(start_at), to: minuteOf(endOf(start_at, interval)) };
    // a day links to its hours, an hour to its calls
    return interval === 'day' ? visit.here({ ...part, interval: null, days: null }) : visit.link('/logs', { ...toLogs(visit), ...part });
  };
  const past = earlier.totals.calls > 0 ? earlier.totals : null;
  const summary = figures([
    {
      label: 'Calls',
      value: count(totals.calls),
      hint: past && `${change(totals.calls, past.calls)} from ${count(past.calls)}`,
      link: visit.link('/logs', logs),
    },
    {
      label: 'Errors',
      value: count(totals.errors),
      hint: `${percent(totals.error_rate)}${past ? `, ${percent(past.error_rate)} before` : ' of calls'}`,
      link: visit.link('/logs', { ...logs, status: 'errors' }),
    },
    { label: 'Median latency', value: duration(totals.latency_ms_p50), hint: past && `${duration(past.latency_ms_p50)} before` },
    { label: 'p95 latency', value: duration(totals.latency_ms_p95), hint: past && `${duration(past.latency_ms_p95)} before` },
    { label: 'p99 latency', value: duration(totals.latency_ms_p99), hint: past && `${duration(past.latency_ms_p99)} before` },
  ]);
  const label = LENGTHS.find((one) => one.days === days)?.label;
  const calls = {
    interval,
    rows,
    before: past && { label: label === undefined ? 'Period before' : `${label} before`, rows: earlier.by_interval },
    linkTo,
  };
  return html`${summary}${callsChart(calls)}${latencyChart(calls)}${breakdowns(visit, analytics)}`;
}

function spans(visit: Visit, { days }: Span): Html {
  const lengths = LENGTHS.map(({ days: length, label }) => {
    const address = visit.here({ days: length, from: null, to: null, interval: null });
    return html`<a href="${address}"${length === days && html` aria-current="page"`}>${label}</a>`;
  });
  return html`<nav class="tabs" aria-label="Length of time">${lengths}</nav>`;
}

function intervals(visit: Visit, interval: 'hour' | 'day'): Html {
  const links = (['hour', 'day'] as const).map((one) => {
    const current = one === interval && html` aria-current="true"`;
    return html`<a href="${visit.here({ interval: one })}"${current}>${one === 'hour' ? 'Hourly' : 'Daily'}</a>`;
  });
  return html`<div class="switch" role="group" aria-label="Intervals">${links}</div>`;
}

/** The active filters, each with a link that removes it. */
function narrowed(visit: Visit, narrowings: Partial<Record<Narrowing, string>>, { by_key }: AnalyticsDto): Html | false {
  const given = Object.entries(narrowings) as [Narrowing, string][];
  if (given.length === 0) return false;
  const removers = given.map(([name, value]) => {
    const shown = name === 'key' ? (by_key.find(({ api_key_id }) => api_key_id === value)?.name ?? value) : value;
    return html`<a class="button quiet" href="${visit.here({ [name]: null })}" title="Remove">${NARROWINGS[name].label}: ${shown}
<span aria-hidden="true">×</span><span class="away">, remove</span></a>`;
  });
  return html`<p class="row">${removers}</p>`;
}

function nothing(visit: Visit, narrowings: Partial<Record<Narrowing, string>>): Html {
  const other = visit.mode === 'test' ? 'live' : 'test';
  const isNarrowed = Object.keys(narrowings).length > 0;
  const text = isNarrowed
    ? 'Other keys, routes or codes may have some.'
    : `The period may be too short, or the calls are in ${other} data.`;
  const step = isNarrowed
    ? html`<a class="button" href="${visit.here(ALL_CALLS)}">Show all calls</a>`
    : html`<a class="button quiet" href="${visit.here({ days: 31, from: null, to: null })}">Show 31 days</a>
<a class="button quiet" href="${visit.here({ mode: other === 'live' ? null : other })}">Look in ${other} data</a>`;
  return emptyState({ heading: 'No calls in this period', text, step });
}

/** The log's filters for the same calls. */
function toLogs(visit: Visit): Readonly<Record<string, string>> {
  return narrowingsOf(visit);
}

function lengthText(days: number): string {
  return days === 1 ? 'in the last 24 hours' : `in the last ${days} days`;
}

function spanText({ from, to }: AnalyticsDto): string {
  return `${minuteOf(from)} to ${minuteOf(to)}`.replaceAll('T', ' ');
}

function intervalsCsv({ by_interval }: AnalyticsDto): FileResponse {
  const columns = ['start_at', 'calls', 'errors', 'error_rate', 'latency_ms_p50', 'latency_ms_p95', 'latency_ms_p99'] as const;
  return csvFile(
    'calls.csv',
    columns,
    by_interval.map((row) => columns.map((column) => row[column])),
  );
}
