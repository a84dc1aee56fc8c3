import { html, type Html } from '../../kit/index.js';
import type { DeliveryDto } from '../../platform/webhooks/deliveries/deliveries.dto.js';
import type { WebhookEndpointDto } from '../../platform/webhooks/endpoints/webhook-endpoints.dto.js';
import { emptyState, refreshRegion } from '../components/blocks.js';
import { cursorOf, filterForm, filterQuery, isFiltered, paging } from '../components/lists.js';
import { deliveryTable, DELIVERY_STATUS_OPTIONS } from '../deliveries/delivery-table.js';
import type { Visit } from '../frame/visit.js';
import { eventTypesOf } from './endpoints.js';
import { resendPanel } from './webhook-resend.js';

/** Parameters of the address of the endpoint's page. */
export const DELIVERY_FILTERS = { status: { label: 'Status' }, event_type: { label: 'Event' } };

export async function deliveriesTab(visit: Visit, endpoint: WebhookEndpointDto): Promise<Html> {
  const filtered = isFiltered(visit);
  const [deliveries, types, panel] = await Promise.all([
    visit.listOfPage<DeliveryDto>('/developer/deliveries', { endpoint_id: endpoint.id, ...filterQuery(visit), ...cursorOf(visit) }),
    eventTypesOf(visit),
    resendPanel(visit, endpoint),
  ]);
  const rows = deliveries.data;
  const filters = filterForm(visit, [
    { name: 'status', options: DELIVERY_STATUS_OPTIONS },
    { name: 'event_type', options: types.map(({ type }) => ({ value: type, label: type })) },
  ]);
  const list = deliveryTable(visit, rows, { caption: 'Deliveries', name: { label: 'Event', of: ({ event_type: type }) => type } });
  return html`${panel}${(rows.length > 0 || filtered) && filters}${refreshRegion({
    id: 'deliveries',
    here: visit.here(),
    body: rows.length > 0 ? list : nothing(visit, endpoint, filtered),
  })}${paging(visit, deliveries, { isEndless: true })}`;
}

function nothing(visit: Visit, { status }: WebhookEndpointDto, filtered: boolean): Html {
  if (filtered)
    return emptyState({
      heading: 'No delivery matches',
      text: 'There may be others: deliveries are kept for 30 days.',
      step: html`<a class="button quiet" href="${visit.here({ status: null, event_type: null, cursor: null, trail: null })}">Show all</a>`,
    });
  return emptyState({
    heading: 'No deliveries yet',
    text: 'The next event that this endpoint subscribes to is delivered within about a second. A test event needs no change of data.',
    step: status === 'enabled' ? visit.form('test', { id: 'first' }).render({ submit: { label: 'Send a test event' } }) : undefined,
  });
}
