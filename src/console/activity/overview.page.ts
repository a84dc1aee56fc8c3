import { HOUR_MS, html, redirect, type Html } from '../../kit/index.js';
import type { AnalyticsDto } from '../../platform/request-log/analytics.dto.js';
import type { ErrorGroupDto, OverviewDto, RateLimitedKeyDto } from '../../platform/request-log/overview.dto.js';
import { emptyState, figures } from '../components/blocks.js';
import { change, count, duration, percent } from '../components/numbers.js';
import { table } from '../components/table.js';
import { timeOf } from '../components/times.js';
import { definePage } from '../frame/page-definition.js';
import { tabParameter } from '../frame/parameters.js';
import type { Visit } from '../frame/visit.js';
import { isNewcomer } from '../welcome/welcome-state.js';
import { attention } from './attention.js';
import { before } from './analytics-span.js';
import { callsChart } from './call-charts.js';
import { outcomeOf, requestOf } from './call-columns.js';
import { firstCall, LANGUAGES } from './first-call.js';
import { minuteOf } from './log-filters.js';

const MOST_GROUPS = 10;

export const overviewPage = definePage({
  path: '',
  title: 'Overview',
  permission: 'org.developer.logs.view',
  operations: ['get_request_overview', 'get_request_analytics'],
  nav: '',
  icon: 'layout-dashboard',
  hasMode: true,
  parameters: tabParameter(LANGUAGES),
  async show(visit) {
    const [overview, matters] = await Promise.all([visit.get<OverviewDto>('/developer/overview', { mode: visit.mode }), attention(visit)]);
    // whoever chooses a mode or a language wants this page
    const isChosen = [...visit.query.keys()].length > 0;
    if (overview.totals.calls === 0 && !isChosen && (await isNewcomer(visit))) return redirect(visit.link('/welcome'));
    const body = overview.totals.calls > 0 ? await lastDay(visit, overview, matters) : html`${await quiet(visit)}${matters}`;
    return { title: 'Overview', lead: 'The API in the last 24 hours.', body };
  },
});

async function lastDay(visit: Visit, overview: OverviewDto, matters: Html | false): Promise<Html> {
  const { totals, by_interval, errors, rate_limited } = overview;
  const day = { days: 1, interval: 'hour' } as const;
  const earlier = await visit.get<AnalyticsDto>('/developer/analytics', { mode: visit.mode, interval: 'hour', ...before(overview, day) });
  const past = earlier.totals.calls > 0 ? earlier.totals : null;
  const from = minuteOf(overview.from);
  const limited = rate_limited.reduce((sum, { calls }) => sum + calls, 0);
  const summary = figures([
    {
      label: 'Calls',
      value: count(totals.calls),
      hint: past && `${change(totals.calls, past.calls)} from ${count(past.calls)}`,
      link: visit.link('/logs', { from }),
    },
    {
      label: 'Error rate',
      value: percent(totals.error_rate),
      hint: `${count(totals.errors)} of ${count(totals.calls)}${past ? `, ${percent(past.error_rate)} before` : ''}`,
      link: visit.link('/logs', { status: 'errors', from }),
    },
    {
      label: 'p95 latency',
      value: duration(totals.latency_ms_p95),
      hint: past ? `${duration(past.latency_ms_p95)} before` : `median ${duration(totals.latency_ms_p50)}`,
    },
    { label: 'Rate limited', value: count(limited), hint: 'responses with status 429', link: visit.link('/logs', { status: '429', from }) },
  ]);
  const chart = callsChart({
    interval: 'hour',
    rows: by_interval,
    before: past && { label: 'The day before', rows: earlier.by_interval },
    linkTo: ({ start_at }) => visit.link('/logs', { from: minuteOf(start_at), to: minuteOf(Date.parse(start_at) + HOUR_MS) }),
  });
  const limits = rate_limited.length > 0 && limitedKeys(visit, rate_limited, from);
  return html`${summary}${chart}${matters}${errorGroups(visit, errors, from)}${limits}`;
}

/** Errors grouped by code, route and key, because one mistake causes many. */
function errorGroups(visit: Visit, groups: readonly ErrorGroupDto[], from: string): Html {
  if (groups.length === 0) return html`<h2>Errors</h2><p class="soft">None, apart from rate limits.</p>`;
  const list = (group: ErrorGroupDto) =>
    visit.link('/logs', {
      status: group.status,
      code: group.code,
      method: group.method,
      route: group.route,
      tool: group.tool,
      key: group.api_key_id,
      from,
    });
  const rows = table({
    caption: 'Errors by code, request and key',
    rows: groups.slice(0, MOST_GROUPS),
    columns: [
      { label: 'Error', cell: (group) => html`<a href="${list(group)}">${outcomeOf(group)}</a>` },
      { label: 'Request', cell: requestOf },
      { label: 'API key', cell: ({ key_name }) => key_name ?? html`<span class="soft">Not recognized</span>` },
      { label: 'Calls', isNumber: true, cell: ({ calls }) => count(calls) },
      { label: 'Last', cell: ({ last_log_id, last_at }) => html`<a href="${visit.link(`/logs/${last_log_id}`)}">${timeOf(last_at)}</a>` },
    ],
  });
  return html`<h2>Errors</h2>${rows}`;
}

function limitedKeys(visit: Visit, keys: readonly RateLimitedKeyDto[], from: string): Html {
  const list = ({ api_key_id }: RateLimitedKeyDto) => visit.link('/logs', { status: '429', key: api_key_id, from });
  const rows = table({
    caption: 'Keys that ran into a rate limit',
    rows: keys.slice(0, MOST_GROUPS),
    columns: [
      { label: 'API key', cell: (key) => html`<a href="${list(key)}">${key.key_name ?? 'Not recognized'}</a>` },
      { label: 'Refused calls', isNumber: true, cell: ({ calls }) => count(calls) },
      { label: 'Last', cell: ({ last_at }) => timeOf(last_at) },
    ],
  });
  return html`<h2>Rate limited</h2>${rows}`;
}

/** Explains 24 hours without calls: there never were any, only keys of the other mode were used, or all calls were earlier. */
async function quiet(visit: Visit): Promise<Html> {
  const other = visit.mode === 'test' ? 'live' : 'test';
  const [earlier, ofOther] = await Promise.all([
    visit.list('/developer/logs', { mode: visit.mode, limit: 1 }),
    visit.list('/developer/logs', { mode: other, limit: 1 }),
  ]);
  const otherLink = visit.here({ mode: other === 'live' ? null : other });
  if (earlier.data.length > 0)
    return emptyState({
      heading: 'No calls in the last 24 hours',
      text: `The last one with a ${visit.mode} key is older.`,
      step: html`<a class="button" href="${visit.link('/logs')}">Show the logs</a>`,
    });
  const hint =
    ofOther.data.length > 0 && html`<p class="note">There are calls with ${other} keys: <a href="${otherLink}">show ${other} data</a>.</p>`;
  return html`${hint}${firstCall(visit)}`;
}
