import { HOUR_MS, html, type Html } from '../../kit/index.js';
import type {
  DeliveryAnalyticsDto,
  IntervalAttemptsDto,
  ReasonAttemptsDto,
} from '../../platform/webhooks/deliveries/delivery-analytics.dto.js';
import type { WebhookEndpointDto } from '../../platform/webhooks/endpoints/webhook-endpoints.dto.js';
import { emptyState, figures } from '../components/blocks.js';
import { barChart, lineChart } from '../components/chart.js';
import { change, count, counted, duration, percent } from '../components/numbers.js';
import { table } from '../components/table.js';
import { timeOf } from '../components/times.js';
import type { Visit } from '../frame/visit.js';

const SPANS = [
  { key: '24h', label: '24 hours', hours: 24, interval: 'hour' },
  { key: '7d', label: '7 days', hours: 24 * 7, interval: 'day' },
  { key: '30d', label: '30 days', hours: 24 * 30, interval: 'day' },
] as const;

/** Parameters of the address of the endpoint's page. */
export const HEALTH_SPAN = { span: { label: 'Period', values: SPANS.map(({ key }) => key), isView: true } };

export async function healthTab(visit: Visit, { id, status }: WebhookEndpointDto): Promise<Html> {
  const span = SPANS.find(({ key }) => key === visit.query.get('span')) ?? SPANS[0];
  const from = new Date(Date.now() - span.hours * HOUR_MS).toISOString();
  const { interval } = span;
  const read = (query: { from: string; to?: string }) =>
    visit.get<DeliveryAnalyticsDto>('/developer/delivery-analytics', { endpoint_id: id, interval, ...query });
  const [stats, earlier] = await Promise.all([
    read({ from }),
    read({ from: new Date(Date.parse(from) - span.hours * HOUR_MS).toISOString(), to: from }),
  ]);
  const past = earlier.totals.attempts > 0 ? { label: `${span.label} before`, ...earlier } : null;
  const links = SPANS.map(({ key, label }, index) => {
    const current = key === span.key && html` aria-current="true"`;
    return html`<a href="${visit.here({ span: index === 0 ? null : key })}"${current}>${label}</a>`;
  });
  const choice = html`<div class="row end"><div class="switch" role="group" aria-label="Period">${links}</div></div>`;
  return html`${choice}${stats.totals.attempts === 0 ? nothing(visit, status, span.label) : healthOf(stats, past, interval)}`;
}

function nothing(visit: Visit, status: string, period: string): Html {
  return emptyState({
    heading: `Nothing was sent in the last ${period}`,
    text: 'This page shows how many attempts succeed, how long your receiver takes, and why attempts fail.',
    step:
      status === 'enabled'
        ? visit.form('test', { id: 'health' }).render({ submit: { label: 'Send a test event' } })
        : html`<a class="button quiet" href="${visit.here({ tab: 'settings' })}">Enable the endpoint</a>`,
  });
}

type Past = (DeliveryAnalyticsDto & { label: string }) | null;

function healthOf({ totals, by_interval, by_error }: DeliveryAnalyticsDto, past: Past, interval: 'hour' | 'day'): Html {
  const starts = by_interval.map(({ start_at }) => start_at);
  const success = percent(1 - totals.failure_rate);
  return html`${figures([
    {
      label: 'Attempts',
      value: count(totals.attempts),
      hint: past && `${change(totals.attempts, past.totals.attempts)} from ${count(past.totals.attempts)}`,
    },
    {
      label: 'Succeeded',
      value: success,
      hint: html`${totals.failures > 0 ? `${count(totals.failures)} failed` : 'None failed'}${
        past && `, ${percent(1 - past.totals.failure_rate)} before`
      }`,
    },
    {
      label: 'Median response time',
      value: duration(totals.latency_ms_p50),
      hint: past && `${duration(past.totals.latency_ms_p50)} before`,
    },
    { label: 'p95 response time', value: duration(totals.latency_ms_p95), hint: past && `${duration(past.totals.latency_ms_p95)} before` },
  ])}${barChart({
    id: 'attempts',
    title: `Attempts per ${interval}`,
    summary: `${counted(totals.attempts, 'attempt')}, ${success} of them succeeded.`,
    interval,
    starts,
    series: [
      { label: 'Succeeded', tone: 'good', values: by_interval.map(({ attempts, failures }) => attempts - failures) },
      { label: 'Failed', tone: 'bad', values: by_interval.map(({ failures }) => failures) },
    ],
    ...(past && { before: { label: past.label, values: by_interval.map((_, index) => past.by_interval[index]?.attempts ?? 0) } }),
    tellOf: (index) => {
      const { attempts, failures } = by_interval[index];
      const before = past ? `; ${count(past.by_interval[index]?.attempts ?? 0)} before` : '';
      return `${counted(attempts, 'attempt')}, ${count(failures)} failed${before}`;
    },
    table: intervalTable(by_interval, interval),
  })}${lineChart({
    id: 'latency',
    title: 'Response time of your endpoint',
    summary: `Half of the responses came within ${duration(totals.latency_ms_p50)}, 95 % within ${duration(totals.latency_ms_p95)}.`,
    interval,
    starts,
    unit: 'ms',
    series: [
      { label: 'Median', tone: 'good', values: by_interval.map(({ latency_ms_p50 }) => latency_ms_p50) },
      { label: 'p95', tone: 'high', values: by_interval.map(({ latency_ms_p95 }) => latency_ms_p95) },
    ],
    ...(past && {
      before: {
        label: `p95, ${past.label}`,
        values: by_interval.map((_, index) => past.by_interval[index]?.latency_ms_p95 ?? null),
      },
    }),
    tellOf: (index) => `${duration(by_interval[index].latency_ms_p50)}, p95 ${duration(by_interval[index].latency_ms_p95)}`,
  })}<h2>Why attempts failed</h2>${by_error.length > 0 ? reasonTable(by_error) : html`<p class="soft">None did.</p>`}`;
}

function intervalTable(rows: readonly IntervalAttemptsDto[], interval: 'hour' | 'day'): Html {
  return table({
    caption: `Attempts per ${interval}`,
    rows: rows.filter(({ attempts }) => attempts > 0).reverse(),
    columns: [
      {
        label: interval === 'hour' ? 'Hour' : 'Day',
        cell: ({ start_at }) => (interval === 'hour' ? timeOf(start_at) : start_at.slice(0, 10)),
      },
      { label: 'Attempts', isNumber: true, cell: ({ attempts }) => count(attempts) },
      { label: 'Failed', isNumber: true, cell: ({ failures }) => count(failures) },
      { label: 'Median', isNumber: true, cell: ({ latency_ms_p50 }) => duration(latency_ms_p50) },
      { label: 'p95', isNumber: true, cell: ({ latency_ms_p95 }) => duration(latency_ms_p95) },
      { label: 'p99', isNumber: true, cell: ({ latency_ms_p99 }) => duration(latency_ms_p99) },
    ],
  });
}

function reasonTable(rows: readonly ReasonAttemptsDto[]): Html {
  return table({
    caption: 'Reasons of failed attempts',
    rows,
    columns: [
      { label: 'Reason', cell: ({ error }) => error },
      { label: 'Attempts', isNumber: true, cell: ({ attempts }) => count(attempts) },
      { label: 'Median', isNumber: true, cell: ({ latency_ms_p50 }) => duration(latency_ms_p50) },
    ],
  });
}
