import { html, type Html } from '../../kit/index.js';
import type { DeliveryDto } from '../../platform/webhooks/deliveries/deliveries.dto.js';
import { deliveryPath } from '../deliveries/delivery-table.js';
import type { Visit } from '../frame/visit.js';

/** The result of the test event that the address names. */
export async function testResult(visit: Visit): Promise<Html | false> {
  const event_id = visit.query.get('tested');
  if (event_id === null) return false;
  const found = await visit.send<{ data: DeliveryDto[] }>({ method: 'GET', path: '/developer/deliveries', query: { event_id } });
  const delivery = found.body?.data[0];
  return delivery !== undefined && resultOf(visit, delivery);
}

function resultOf(visit: Visit, delivery: DeliveryDto): Html {
  const { status, last_status, last_error, attempt_count } = delivery;
  const details = html`<a href="${visit.link(deliveryPath(delivery))}">See what was sent and answered</a>`;
  if (status === 'delivered')
    return html`<div class="note done" role="status" tabindex="-1" autofocus><h2>The test event arrived</h2>
<p>Your receiver responded with ${last_status}. ${details}</p></div>`;
  if (attempt_count === 0)
    return html`<div class="note" role="status" tabindex="-1" autofocus><h2>The test event is on its way</h2>
<p>There is no response yet. <a href="${visit.here()}">Look again</a></p></div>`;
  return html`<div class="note problem" role="alert" tabindex="-1" autofocus><h2>The test event did not arrive</h2>
<p>The attempt failed: ${last_error}. ${status === 'pending' && 'It is repeated like every delivery. '}${details}</p></div>`;
}
