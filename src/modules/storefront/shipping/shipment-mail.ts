import type { Mail } from '../../../kit/index.js';
import type { Order } from '../model/order.entity.js';
import type { ShownFulfillment, ShownLine } from '../model/shown-parts.js';

/** The mail that lists for the buyer what was shipped. */
export function shipmentMail(
  order: Order,
  lines: readonly ShownLine[],
  { lines: sent, tracking }: ShownFulfillment,
  organization: string,
): Mail {
  const list = sent.map(({ line_id, quantity }) => {
    const line = lines.find(({ id }) => id === line_id);
    return `${quantity} x ${[line?.title, ...(line?.option_values ?? [])].join(', ')}`;
  });
  const parcel = [tracking?.carrier, tracking?.number].filter(Boolean).join(' ');
  return {
    to: order.email as string,
    subject: `Your order ${order.number} is on its way`,
    content: {
      greeting: order.name ? `Hello ${order.name},` : 'Hello,',
      parts: [
        `these items of your order ${order.number} are on their way:`,
        { list },
        ...(parcel ? [{ facts: [['Parcel', parcel] as const] }] : []),
      ],
      ...(tracking?.url && { action: { url: tracking.url, label: 'Follow the parcel' } }),
      reason: `You receive this mail because an order was placed at ${organization} with your address.`,
    },
    permission: 'storefront.order.manage',
    sequenceKey: `order ${order.id}`,
  };
}
