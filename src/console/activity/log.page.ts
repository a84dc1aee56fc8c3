import { html, redirect, type Html } from '../../kit/index.js';
import type { EventDto } from '../../platform/events/events.dto.js';
import type { ApiKeyDto } from '../../platform/keys/api-keys.dto.js';
import type { KeptBodyDto, RequestBodiesDto, RequestLogDto } from '../../platform/request-log/request-logs.dto.js';
import type { DeliveryDto } from '../../platform/webhooks/deliveries/deliveries.dto.js';
import { codeBlock, definitions } from '../components/blocks.js';
import { count, duration } from '../components/numbers.js';
import { keyLink } from '../components/key-link.js';
import { table } from '../components/table.js';
import { timeOf } from '../components/times.js';
import { deliveryBadge, deliveryPath } from '../deliveries/delivery-table.js';
import { definePage } from '../frame/page-definition.js';
import type { Visit } from '../frame/visit.js';
import { dryRunBadge, memberNames, nameOf, outcomeOf, routeOf, viaOf, type Names } from './call-columns.js';
import { curlOf } from './curl.js';

const MOST_EVENTS = 20;
const MOST_DELIVERIES = 100;
const WHY_NOT_KEPT: Readonly<Record<NonNullable<RequestBodiesDto['reason']>, string>> = {
  not_a_key: 'it was a change by a signed-in member, not a call with a key.',
  setting: 'the organization chose to keep none for calls like this one.',
  live_success: 'live calls that succeed keep none.',
  expired: 'it is older than 7 days.',
  no_body: 'neither was JSON of at most 64 KiB.',
};

/** The effects of a call, as far as the member may see them. */
interface Caused {
  events: readonly EventDto[];
  deliveries: readonly DeliveryDto[];
}

export const logPage = definePage({
  path: '/logs/:id',
  title: 'Logged request',
  permission: 'org.developer.logs.view',
  operations: ['get_request_log', 'get_request_bodies'],
  hasMode: true,
  async show(visit) {
    const path = `/developer/logs/${visit.param('id')}`;
    const [log, bodies] = await Promise.all([visit.get<RequestLogDto>(path), visit.get<RequestBodiesDto>(`${path}/bodies`)]);
    // links lead to data of its mode
    if (log.mode !== null && log.mode !== visit.mode) return redirect(visit.here({ mode: log.mode === 'test' ? 'test' : null }));
    const [key, names, caused] = await Promise.all([
      log.api_key_id === null ? null : visit.find<ApiKeyDto>(`/developer/api-keys/${log.api_key_id}`),
      log.member_id === null ? null : memberNames(visit, [log.member_id]),
      causedBy(visit, log),
    ]);
    return {
      title: log.tool ?? log.operation ?? 'Unknown path',
      above: [{ path: '/logs', label: 'Logs' }],
      lead: html`${outcomeOf(log)}${log.dry_run && html` ${dryRunBadge()}`} ·
${routeOf(log)} · ${duration(log.latency_ms)} · ${timeOf(log.created_at, { seconds: true })}`,
      body: html`${log.status >= 400 && reason(log, bodies)}${properties(visit, log, key, names)}${caused && causedParts(visit, caused)}
${keptBodies(bodies)}${sendAgain(visit, log, bodies)}`,
    };
  },
});

/** Null if the member may see neither. */
async function causedBy(visit: Visit, { request_id }: RequestLogDto): Promise<Caused | null> {
  const events = await visit.find<{ data: EventDto[] }>('/developer/events', { request_id, limit: MOST_EVENTS });
  if (!events) return null;
  const event_id = events.data.map(({ id }) => id);
  const deliveries =
    event_id.length > 0 ? await visit.find<{ data: DeliveryDto[] }>('/developer/deliveries', { event_id, limit: MOST_DELIVERIES }) : null;
  return { events: events.data, deliveries: deliveries?.data ?? [] };
}

/** Why the call failed: the message of the response, if it was kept. */
function reason({ code, status }: RequestLogDto, { response }: RequestBodiesDto): Html {
  const error = response && errorOf(response);
  const details =
    error?.details
      .filter(({ message }) => message !== error.message)
      .map(({ param, message }) => html`<li><code>${param}</code> ${message}</li>`) ?? [];
  const reference = code !== null && html`<p><a href="/docs/errors#${error?.anchor ?? code}">What ${code} means</a></p>`;
  return html`<div class="note problem"><h2>${error?.message ?? (status < 500 ? 'The call was refused' : 'The call failed')}</h2>
${details.length > 0 && html`<ul>${details}</ul>`}${reference}</div>`;
}

interface AnsweredError {
  message: string;
  /** That of the meaning that the code has for the route; null if it is not known. */
  anchor: string | null;
  details: { param: string; message: string }[];
}

/** Null if the response was truncated, or is not an error envelope. */
function errorOf({ text }: KeptBodyDto): AnsweredError | null {
  let body: { error?: { message?: unknown; details?: unknown; doc_url?: unknown } } | null;
  try {
    body = JSON.parse(text) as typeof body;
  } catch {
    return null;
  }
  const { message, details, doc_url } = body?.error ?? {};
  if (typeof message !== 'string') return null;
  const list = Array.isArray(details) ? (details as { param?: unknown; message?: unknown }[]) : [];
  const anchor = typeof doc_url === 'string' ? (/\/docs\/errors#([\w.-]+)$/.exec(doc_url)?.[1] ?? null) : null;
  return { message, anchor, details: list.map((detail) => ({ param: String(detail.param), message: String(detail.message) })) };
}

function properties(visit: Visit, log: RequestLogDto, key: ApiKeyDto | null, members: Names | null): Html {
  const { api_key_id, member_id } = log;
  return definitions([
    ['API key', key ? keyLink(visit, key, key.name) : api_key_id !== null && nameOf(null, api_key_id)],
    [api_key_id === null ? 'Member' : 'Acts for', member_id !== null && nameOf(members, member_id)],
    ['Via', viaOf(log)],
    ['Route', log.route !== null && html`<code>${log.method} ${log.route}</code>`],
    ['Operation', log.operation !== null && html`<code>${log.operation}</code>`],
    ['Calls', log.calls > 1 && `${count(log.calls)} refused calls in this minute; this is the first`],
    ['Dry run', log.dry_run && (log.status < 400 ? 'The change was tried out and rolled back' : 'Requested, but the call failed')],
    ['Replayed', log.idempotent_replay && 'The stored response to an earlier call with the same Idempotency-Key'],
    ['Project', log.project_id !== null && html`<code>${log.project_id}</code>`],
    ['IP address', html`<code>${log.address}</code>`],
    ['User agent', log.user_agent],
    ['Request id', html`<code>${log.request_id}</code>`],
  ]);
}

function causedParts(visit: Visit, { events, deliveries }: Caused): Html | false {
  if (events.length === 0) return false;
  const rows = table({
    caption: 'Events of the request',
    rows: events,
    columns: [
      { label: 'Event', cell: ({ id, type }) => html`<a href="${visit.link(`/events/${id}`)}">${type}</a>` },
      { label: 'Deliveries', cell: ({ id }) => deliveriesOf(visit, deliveries, id) },
      { label: 'Time', cell: ({ created_at }) => timeOf(created_at, { seconds: true }) },
    ],
  });
  return html`<h2>What it caused</h2>${rows}`;
}

function deliveriesOf(visit: Visit, deliveries: readonly DeliveryDto[], eventId: string): Html {
  const all = deliveries.filter(({ event_id }) => event_id === eventId);
  if (all.length === 0) return html`<span class="soft">No endpoint</span>`;
  const links = all.map((delivery) => html`<a href="${visit.link(deliveryPath(delivery))}">${deliveryBadge(delivery)}</a> `);
  return html`${links}`;
}

function keptBodies({ request, response, reason: why }: RequestBodiesDto): Html {
  if (!request && !response) {
    const because = why === null ? 'both were empty.' : WHY_NOT_KEPT[why];
    return html`<h2>Request and response</h2><p>Body not kept, because ${because}</p>`;
  }
  return html`${kept('Request', 'request', request)}${kept('Response', 'response', response)}`;
}

function kept(title: string, id: string, body: KeptBodyDto | null): Html {
  if (!body) return html`<h2>${title}</h2><p class="soft">None, or none that is JSON.</p>`;
  const cut = body.truncated && html`<p class="soft">Cut after 16 KiB.</p>`;
  return html`<h2>${title}</h2>${cut}${codeBlock(body.text, { id, label: title })}`;
}

function sendAgain(visit: Visit, log: RequestLogDto, { request }: RequestBodiesDto): Html | false {
  const curl = curlOf(log, request, visit.site.baseUrl);
  if (!curl) return false;
  const { command, writes, gaps } = curl;
  return html`<h2>Send it again</h2>
${writes && html`<p><b>This makes the change again:</b> the command has a new Idempotency-Key.</p>`}
${codeBlock(command, { id: 'curl', label: 'curl command' })}
<p class="hint">Put the secret of a key into <code>SVC_KEY</code>.${gaps.length > 0 && html` Fill in ${gaps.join('; ')}.`}</p>`;
}
