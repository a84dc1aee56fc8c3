import { html, type Html } from '../../kit/index.js';
import type { HtmlValue } from '../../kit/internal.js';
import type { DeliveryDto } from '../../platform/webhooks/deliveries/deliveries.dto.js';
import type { WebhookEndpointDto } from '../../platform/webhooks/endpoints/webhook-endpoints.dto.js';
import { badge, type Tone } from '../components/badge.js';
import { table, type Column } from '../components/table.js';
import { timeOf } from '../components/times.js';
import type { Visit } from '../frame/visit.js';

export const DELIVERY_STATUS_OPTIONS = [
  { value: 'delivered', label: 'Delivered' },
  { value: 'pending', label: 'Pending' },
  { value: 'failed', label: 'Failed' },
];

type Outcome = Pick<DeliveryDto, 'status' | 'attempt_count'>;

const TONES = { Failed: 'bad', Retrying: 'warn', Pending: 'neutral', Delivered: 'good' } satisfies Record<string, Tone>;

function stateOf({ status, attempt_count }: Outcome): keyof typeof TONES {
  if (status === 'delivered') return 'Delivered';
  if (status === 'failed') return 'Failed';
  return attempt_count > 0 ? 'Retrying' : 'Pending';
}

/** The status of a delivery. */
export function deliveryBadge(delivery: Outcome): Html {
  const state = stateOf(delivery);
  return badge(state, TONES[state]);
}

/** How many deliveries of an event are in each state, the worst first. */
export function deliveryStates(deliveries: readonly Outcome[]): Html {
  if (deliveries.length === 0) return html`<span class="soft">No endpoint</span>`;
  if (deliveries.length === 1) return deliveryBadge(deliveries[0]);
  const states = Map.groupBy(deliveries, stateOf);
  const badges = Object.entries(TONES).flatMap(([state, tone]) => {
    const amount = states.get(state as keyof typeof TONES)?.length;
    return amount === undefined ? [] : [html`${badge(`${amount} ${state.toLowerCase()}`, tone)} `];
  });
  return html`${badges}`;
}

export function deliveryPath({ endpoint_id, id }: Pick<DeliveryDto, 'endpoint_id' | 'id'>): string {
  return `/webhooks/${endpoint_id}/deliveries/${id}`;
}

export interface DeliveryTableOptions {
  caption: string;
  /** The column that names a delivery, such as its event or its endpoint. */
  name: { label: string; of: (delivery: DeliveryDto) => string };
}

/** Deliveries with their outcome. */
export function deliveryTable(visit: Visit, rows: readonly DeliveryDto[], { caption, name }: DeliveryTableOptions): Html {
  const columns: Column<DeliveryDto>[] = [
    { label: name.label, cell: (row) => html`<a href="${visit.link(deliveryPath(row))}">${name.of(row)}</a>` },
    { label: 'Status', isState: true, cell: deliveryBadge },
    { label: 'Response', cell: answerOf },
    { label: 'Attempts', isNumber: true, cell: ({ attempt_count }) => attempt_count },
    { label: 'Last attempt', cell: ({ last_attempt_at }) => timeOf(last_attempt_at, { none: 'Not yet', seconds: true }) },
  ];
  return table({ caption, columns, rows });
}

/** The addresses of the endpoints of deliveries. */
export async function endpointNames(visit: Visit, mode: string): Promise<(delivery: DeliveryDto) => string> {
  const { data } = await visit.all<WebhookEndpointDto>('/developer/webhook-endpoints', { mode });
  return ({ endpoint_id }) => data.find(({ id }) => id === endpoint_id)?.url ?? 'A deleted endpoint';
}

function answerOf({ last_status, last_error, next_attempt_at, attempt_count }: DeliveryDto): HtmlValue {
  const next = next_attempt_at !== null && attempt_count > 0 && html`<br><span class="soft">Next attempt</span> ${timeOf(next_attempt_at)}`;
  if (last_error !== null) return html`${sentence(last_error)}${next}`;
  return last_status === null ? html`<span class="soft">None yet</span>` : html`${last_status}${next}`;
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
