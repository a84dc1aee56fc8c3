import type { Order } from './order.entity.js';

type Amounts = Pick<Order, 'total_amount' | 'cancelled_amount' | 'returned_amount' | 'paid_amount' | 'refunded_amount'>;

/**
 * What the buyer owes; negative: what is owed to the buyer. A refund for which nothing was due, such as of returned goods, lowers what
 * the order is worth, so it makes nothing due again.
 */
export function balanceOf({ total_amount, cancelled_amount, returned_amount, paid_amount, refunded_amount }: Amounts): number {
  return total_amount - cancelled_amount - returned_amount - (paid_amount - refunded_amount);
}
