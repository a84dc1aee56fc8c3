import { DAY_MS, html, type Html } from '../../kit/index.js';
import type { ResentDeliveriesDto } from '../../platform/webhooks/deliveries/deliveries.dto.js';
import type { WebhookEndpointDto } from '../../platform/webhooks/endpoints/webhook-endpoints.dto.js';
import { counted } from '../components/numbers.js';
import { timeOf } from '../components/times.js';
import type { Visit } from '../frame/visit.js';

const LONGEST_QUEUE_MS = 10 * 60_000;

/** Parameters of the address of the endpoint's page. */
export const RESEND_SINCE = { since: { label: 'Since', isView: true } };

/** How many deliveries failed since a time, and the button that sends them again. Nothing if none did. */
export async function resendPanel(visit: Visit, endpoint: WebhookEndpointDto): Promise<Html | false> {
  const asked = visit.query.get('since');
  const since = asked === null ? sinceOf(endpoint) : resendSince(asked);
  if (endpoint.status === 'disabled') return disabledPanel(visit, endpoint);
  const { csrfToken } = visit.visitor;
  const body = { endpoint_id: endpoint.id, since, dry_run: true, include_waiting: true };
  const counting = await visit.send<ResentDeliveriesDto>({ method: 'POST', path: '/developer/deliveries/resend', body, csrfToken });
  const count = counting.body?.count ?? 0;
  if (count === 0 && asked === null) return false;
  const form = visit.form('resend');
  const button = form.render({
    body: form.hidden('since', since),
    submit: { label: `Resend ${counted(count, 'delivery', 'deliveries')}` },
  });
  const found = count === 0 ? 'No delivery' : counted(count, 'delivery', 'deliveries');
  return html`<section class="card"><h2>${found} failed since ${timeOf(since)}</h2>
<p class="soft">With those that wait for another attempt. A receiver knows a repeated event by its <code>Svc-Event-Id</code>.</p>
${count > 0 && button}${sinceForm(since)}</section>`;
}

function sinceForm(since: string): Html {
  return html`<details><summary>Count from another time</summary><form method="get" class="filters">
<div><label for="since">Since (UTC)</label>
<input type="datetime-local" id="since" name="since" value="${since.slice(0, 16)}" required></div>
<div class="row"><button class="quiet">Count</button></div></form></details>`;
}

function disabledPanel(visit: Visit, { disabled_at }: WebhookEndpointDto): Html {
  return html`<section class="card"><h2>Nothing is sent${disabled_at !== null && html` since ${timeOf(disabled_at)}`}</h2>
<p class="soft">What happens while the endpoint is disabled is not sent to it later either. What had failed before can be resent once it is
enabled.</p>
${visit.form('enable').render({ submit: { label: 'Enable the endpoint' } })}</section>`;
}

/** The start of the outage, but at least a day ago, because the first undelivered event is older than its failure. */
function sinceOf({ failing_since }: WebhookEndpointDto): string {
  const dayAgo = Date.now() - DAY_MS;
  const outage = failing_since === null ? dayAgo : Date.parse(failing_since) - LONGEST_QUEUE_MS;
  return new Date(Math.min(dayAgo, outage)).toISOString();
}

/** The requested time, or 24 hours ago if it is invalid. Fields for times have no zone: it is UTC. */
export function resendSince(text: string): string {
  const time = new Date(/(Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`);
  return (Number.isNaN(time.getTime()) ? new Date(Date.now() - DAY_MS) : time).toISOString();
}
