import type { Order } from './order.entity.js';

type Amounts = Pick<Order, 'total_amount' | 'cancelled_amount' | 'returned_amount' | 'paid_amount' | 'refunded_amount'>;

/**
 * The amount that the buyer owes, negative if the buyer is owed. A refund beyond the amount due, such as for returned goods, reduces the
 * order's value, so it makes nothing due again.
 */
export function balanceOf({ total_amount, cancelled_amount, returned_amount, paid_amount, refunded_amount }: Amounts): number {
  return total_amount - cancelled_amount - returned_amount - (paid_amount - refunded_amount);
}
