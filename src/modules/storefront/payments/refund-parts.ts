import { plainDecimal } from '../../../kit/index.js';
import type { LineUnits } from '../changes/line-quantities.js';
import type { Order } from '../model/order.entity.js';
import type { RefundPart, ShownLine } from '../model/shown-parts.js';
import { invalid } from '../model/storefront.errors.js';
import { divideRefund, shareOfUnits, taxShare } from '../pricing/shares.js';

/** A refund divided among the parts of an order: its lines in order, then shipping, if any. */
export interface DividedRefund {
  amount: number;
  /** Only parts with an amount. */
  parts: RefundPart[];
  lines: ShownLine[];
  shipping_refunded_amount: number;
}

/**
 * Divides a refund of units, which must be shipped or cancelled. Amounts that earlier refunds have taken from a line are not refunded
 * again.
 */
export function refundOfUnits(order: Order, lines: readonly ShownLine[], named: readonly LineUnits[]): DividedRefund {
  const amounts = new Map<string, number>();
  for (const { line, quantity, param } of named) {
    const refundable = line.fulfilled_quantity + line.cancelled_quantity - line.refunded_quantity;
    if (quantity > refundable)
      throw invalid(`${param}.quantity`, `must be at most ${refundable}: units that were shipped or cancelled, and not refunded yet`);
    const share = shareOfUnits(line.total_amount, line.quantity, line.refunded_quantity, quantity);
    amounts.set(line.id, Math.min(share, line.total_amount - line.refunded_amount));
  }
  const refunded = lines.map((line) => {
    const units = named.find((one) => one.line.id === line.id);
    return units ? { ...line, refunded_quantity: line.refunded_quantity + units.quantity } : line;
  });
  return divided(order, lines, refunded, [...lines.map(({ id }) => amounts.get(id) ?? 0), 0]);
}

/**
 * Divides a refund of an amount: first among cancelled parts, then among the others. The rest was paid in excess of the total and belongs
 * to no part.
 */
export function refundOfAmount(order: Order, lines: readonly ShownLine[], amount: number): DividedRefund {
  const unallocated = order.refunded_amount - sum(lines.map((line) => line.refunded_amount)) - order.shipping_refunded_amount;
  const beyond = Math.min(amount, Math.max(0, order.paid_amount - order.total_amount - unallocated));
  const shares = divideRefund(amount - beyond, [
    ...lines.map((line) => ({
      total: line.total_amount,
      tax: line.tax_amount,
      cancelled: line.cancelled_amount,
      refunded: line.refunded_amount,
    })),
    {
      total: order.shipping_total_amount,
      tax: order.shipping_tax_amount,
      cancelled: order.shipping_cancelled_amount,
      refunded: order.shipping_refunded_amount,
    },
  ]);
  return { ...divided(order, lines, [...lines], shares), amount };
}

function divided(order: Order, before: readonly ShownLine[], after: readonly ShownLine[], shares: readonly number[]): DividedRefund {
  const parts: RefundPart[] = [];
  const lines = after.map((line, index) => {
    const share = shares[index];
    if (share === 0) return line;
    const { tax_code, tax_rate, tax_amount: tax, total_amount: total } = line;
    const tax_amount = taxShare({ tax, total }, before[index].refunded_amount, share);
    parts.push({ line_id: line.id, tax_code, tax_rate, tax_amount, total_amount: share });
    return { ...line, refunded_amount: line.refunded_amount + share };
  });
  const shipping = shares[before.length];
  if (shipping > 0) {
    const whole = { tax: order.shipping_tax_amount, total: order.shipping_total_amount };
    parts.push({
      line_id: null,
      tax_code: order.shipping_tax_code as string,
      tax_rate: plainDecimal(order.shipping_tax_rate as string),
      tax_amount: taxShare(whole, order.shipping_refunded_amount, shipping),
      total_amount: shipping,
    });
  }
  return { amount: sum(shares), parts, lines, shipping_refunded_amount: order.shipping_refunded_amount + shipping };
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((all, amount) => all + amount, 0);
}
