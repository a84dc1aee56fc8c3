import { FileResponse, html, PRIVATE_HEADERS, redirect, type Html } from '../../kit/index.js';
import type {
  DeliveryAttemptDto,
  DeliveryDto,
  DeliveryRequestDto,
  DeliveryWithAttemptsDto,
} from '../../platform/webhooks/deliveries/deliveries.dto.js';
import type { WebhookEndpointDto } from '../../platform/webhooks/endpoints/webhook-endpoints.dto.js';
import { badge, modeBadge, statusBadge } from '../components/badge.js';
import { codeBlock, definitions } from '../components/blocks.js';
import { textBlock } from '../components/json.js';
import { duration } from '../components/numbers.js';
import { timeOf } from '../components/times.js';
import { definePage, type View } from '../frame/page-definition.js';
import type { Visit } from '../frame/visit.js';
import { deliveryBadge, deliveryPath, deliveryTable, endpointNames } from './delivery-table.js';

/** A page for links that know only the delivery, not its endpoint. */
export const foundDeliveryPage = definePage({
  path: '/deliveries/:id',
  title: 'Delivery',
  permission: 'org.developer.webhooks.manage',
  operations: ['get_delivery'],
  async show(visit) {
    return redirect(visit.link(deliveryPath(await visit.get<DeliveryDto>(`/developer/deliveries/${visit.param('id')}`))));
  },
});

/** The attempts that are shown with their responses; older ones follow without. */
const NEWEST_ATTEMPTS = 10;
const MOST_ATTEMPTS = 50;

export const deliveryPage = definePage({
  path: '/webhooks/:id/deliveries/:delivery',
  title: 'Delivery',
  permission: 'org.developer.webhooks.manage',
  operations: ['get_delivery', 'list_deliveries'],
  parameters: { file: { label: 'File', values: ['body'], isView: true } },
  notices: { resent: 'The delivery is sent again, in a new series of attempts.' },
  async show(visit) {
    const delivery = await visit.find<DeliveryWithAttemptsDto>(pathOf(visit));
    if (!delivery) return gone(visit);
    if (visit.query.get('file') === 'body' && delivery.request.body !== null) return bodyFile(delivery.request.body, delivery);
    const { event_id, endpoint_id } = delivery;
    const [endpoint, deliveries] = await Promise.all([
      visit.find<WebhookEndpointDto>(`/developer/webhook-endpoints/${endpoint_id}`),
      visit.list<DeliveryDto>('/developer/deliveries', { event_id, limit: 20 }),
    ]);
    const others = deliveries.data.filter(({ id }) => id !== delivery.id);
    return deliveryView(visit, delivery, endpoint, others.length > 0 && (await otherDeliveries(visit, others)));
  },
  actions: {
    resend: {
      operations: ['resend_delivery'],
      refusal: 'The delivery was not resent',
      async run(visit) {
        await visit.post(`${pathOf(visit)}/resend`);
        return redirect(visit.here({ done: 'resent' }));
      },
    },
  },
});

function pathOf(visit: Visit): string {
  return `/developer/deliveries/${visit.param('delivery')}`;
}

function gone(visit: Visit): View {
  const endpoint = `/webhooks/${visit.param('id')}`;
  return {
    title: 'This delivery is gone',
    status: 404,
    body: html`<p>Deliveries are kept for 30 days. This one is older, or it never existed.</p>
<p><a class="button" href="${visit.link(endpoint)}">Go to the endpoint</a></p>`,
  };
}

function bodyFile(body: string, { id }: DeliveryDto): FileResponse {
  return new FileResponse('application/json', body, { filename: `${id}.json`, download: true, headers: PRIVATE_HEADERS });
}

function deliveryView(visit: Visit, delivery: DeliveryWithAttemptsDto, endpoint: WebhookEndpointDto | null, others: Html | false): View {
  const { event_type, event_id, endpoint_id, mode, created_at, next_attempt_at, attempt_count, attempts, request } = delivery;
  const canResend = endpoint?.status === 'enabled' && !(delivery.status === 'pending' && attempt_count === 0);
  const label = delivery.status === 'pending' ? 'Attempt it now' : 'Resend';
  return {
    title: event_type,
    above: [
      { path: mode === 'test' ? '/webhooks?mode=test' : '/webhooks', label: 'Webhooks' },
      { path: `/webhooks/${endpoint_id}`, label: endpoint?.url ?? 'Deleted endpoint' },
    ],
    mode,
    tools: canResend ? visit.form('resend').render({ submit: { label } }) : undefined,
    body: html`${definitions([
      ['Status', deliveryBadge(delivery)],
      ['Data', modeBadge(mode)],
      ['Event', html`<a href="${visit.link(`/events/${event_id}`)}"><code>${event_id}</code></a>`],
      ['Created', timeOf(created_at, { seconds: true })],
      ['Next attempt', next_attempt_at !== null && timeOf(next_attempt_at, { seconds: true })],
      ['Endpoint', endpoint === null ? 'Deleted' : endpoint.status === 'disabled' && 'Disabled: enable it to resend'],
    ])}<h2>${attempt_count === 1 ? '1 attempt' : `${attempt_count} attempts`}</h2>${attemptList(attempts)}
<h2>What was sent</h2>${sent(visit, request)}${others}`,
  };
}

function attemptList(attempts: readonly DeliveryAttemptDto[]): Html {
  if (attempts.length === 0) return html`<p class="soft">There was none yet. <a href="">Look again</a></p>`;
  const newest = attempts.toReversed();
  const older = newest.slice(NEWEST_ATTEMPTS);
  const items = newest.slice(0, NEWEST_ATTEMPTS).map((attempt, index) => attemptItem(attempt, index === 0));
  const earlier = html`<details><summary>${older.length} earlier</summary>
<ol class="plain" reversed>${older.slice(0, MOST_ATTEMPTS).map(attemptLine)}</ol></details>`;
  return html`<ol class="plain" reversed>${items}</ol>${older.length > 0 && earlier}`;
}

function attemptItem(attempt: DeliveryAttemptDto, isNewest: boolean): Html {
  const { number, headers, body } = attempt;
  const answer = headers !== null || (body !== null && body !== '');
  return html`<li>${summaryOf(attempt)}${
    answer &&
    html`<details${isNewest && html` open`}><summary>The response of your receiver</summary>${
      body !== null && body !== '' && textBlock(body, { id: `answer-${number}`, label: `Body of response ${number}` })
    }${headers !== null && codeBlock(headerLines(headers), { id: `headers-${number}`, label: `Headers of response ${number}` })}</details>`
  }</li>`;
}

function attemptLine(attempt: DeliveryAttemptDto): Html {
  return html`<li>${summaryOf(attempt)}</li>`;
}

function summaryOf({ number, started_at, latency_ms, status, error }: DeliveryAttemptDto): Html {
  const answer = status === null ? badge('No answer', 'bad') : statusBadge(status);
  const reason = error !== null && error !== `answered ${status}` && html`<p class="error">${error}</p>`;
  return html`<div class="row"><b>#${number}</b>${answer}${timeOf(started_at, { seconds: true })}<span class="soft">took
${duration(latency_ms)}</span></div>${reason}`;
}

function sent(visit: Visit, { headers, body, required_permission }: DeliveryRequestDto): Html {
  const content =
    body !== null
      ? html`${textBlock(body, { id: 'body', label: 'Body' })}<p class="soft">Shown with line breaks; what is signed are the exact bytes:
<a href="${visit.here({ file: 'body' })}">download the body as sent</a>.</p>`
      : html`<p class="soft">${
          required_permission === null
            ? 'The body is gone: its event was deleted.'
            : html`Your role lacks the permission <code>${required_permission}</code> to read the body.`
        }</p>`;
  return html`${content}<h3>Headers</h3>${codeBlock(headerLines(headers), { id: 'headers', label: 'Headers' })}
<p class="soft">Each attempt has its own <code>Svc-Signature</code> in addition.</p>`;
}

function headerLines(headers: Readonly<Record<string, unknown>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${[value].flat().join(', ')}`)
    .join('\n');
}

async function otherDeliveries(visit: Visit, rows: readonly DeliveryDto[]): Promise<Html> {
  const of = await endpointNames(visit, rows[0].mode);
  const caption = 'Other deliveries of this event';
  return html`<h2>${caption}</h2>${deliveryTable(visit, rows, { caption, name: { label: 'Endpoint', of } })}`;
}
