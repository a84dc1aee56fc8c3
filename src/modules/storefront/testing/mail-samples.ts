import { ORGANIZATIONS, samples, type SampleMail } from '../../../../test/contract/sample-mail.js';
import type { Order } from '../model/order.entity.js';
import type { ShownFulfillment, ShownLine } from '../model/shown-parts.js';
import { shipmentMail } from '../shipping/shipment-mail.js';

/** Every mail of the module. */
export function mailSamples(): SampleMail[] {
  const order = { id: 'order', number: 'S-1042', name: 'Grace Hopper', email: 'grace@example.com' } as Order;
  const lines = [{ id: 'line', title: 'T-shirt with logo', option_values: ['Blue', 'XL'] }] as unknown as ShownLine[];
  const tracking = { carrier: 'DHL', number: '00340434161094042557', url: 'https://track.example.com/00340434161094042557' };
  const fulfillment = { lines: [{ line_id: 'line', quantity: 2 }], tracking } as unknown as ShownFulfillment;
  return samples([['shipmentMail', shipmentMail(order, lines, fulfillment, ORGANIZATIONS.en)]]);
}
