import { multiply, shareOut, sumOf } from '../../../kit/index.js';

/**
 * The part of an amount that `units` of `quantity` have after `before` of them: the difference of two cumulative shares, so the parts of
 * all units add up to the amount, in whatever pieces they come.
 */
export function shareOfUnits(amount: number, quantity: number, before: number, units: number): number {
  const cumulative = (count: number) => multiply(amount, String(count), String(quantity));
  return cumulative(before + units) - cumulative(before);
}

/** The tax in `amount` of a total of which `before` was taken already; the taxes of all pieces add up to the tax of the total. */
export function taxShare({ tax, total }: { tax: number; total: number }, before: number, amount: number): number {
  return total === 0 ? 0 : shareOfUnits(tax, total, before, amount);
}

/** A part of an order as refunds see it: a line, or shipping. */
export interface Refundable {
  total: number;
  tax: number;
  cancelled: number;
  refunded: number;
}

/**
 * Divides a refunded amount among the parts of an order: first among what was cancelled and is not refunded yet, then among all that is
 * left. The rest belongs to none: it was paid beyond the total.
 */
export function divideRefund(amount: number, parts: readonly Refundable[]): number[] {
  const due = parts.map(({ cancelled, refunded }) => Math.max(0, cancelled - refunded));
  const first = Math.min(amount, sumOf(due));
  const shares = due.length === 0 ? [] : shareOut(first, due);
  const left = parts.map(({ total, refunded }, index) => total - refunded - shares[index]);
  const second = Math.min(amount - first, sumOf(left));
  if (second > 0) for (const [index, share] of shareOut(second, left).entries()) shares[index] += share;
  return shares;
}
