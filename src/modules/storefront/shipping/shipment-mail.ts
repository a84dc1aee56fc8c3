import type { Mail } from '../../../kit/index.js';
import type { Order } from '../model/order.entity.js';
import type { ShownFulfillment, ShownLine } from '../model/shown-parts.js';

/** The mail that lists for the buyer what was shipped. */
export function shipmentMail(order: Order, lines: readonly ShownLine[], { lines: sent, tracking }: ShownFulfillment): Mail {
  const content = sent.map(({ line_id, quantity }) => {
    const line = lines.find(({ id }) => id === line_id);
    return `${quantity} x ${[line?.title, ...(line?.option_values ?? [])].join(', ')}`;
  });
  const parcel = [tracking?.carrier, tracking?.number].filter(Boolean).join(' ');
  const text = [
    `${order.name ? `Hello ${order.name},` : 'Hello,'}`,
    '',
    `we have sent this of your order ${order.number}:`,
    '',
    ...content,
    ...(parcel ? ['', `Parcel: ${parcel}`] : []),
    ...(tracking?.url ? ['', `Follow it at ${tracking.url}`] : []),
  ].join('\n');
  return {
    to: order.email as string,
    subject: `Your order ${order.number} is on its way`,
    text,
    permission: 'storefront.order.manage',
    sequenceKey: `order ${order.id}`,
  };
}
