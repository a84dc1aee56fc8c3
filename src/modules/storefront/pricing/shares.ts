import { multiply, shareOut, sumOf } from '../../../kit/index.js';

/**
 * The part of an amount for `units` of `quantity`, after `before` of them: the difference of two cumulative shares, so that the parts add
 * up to the amount however the units are divided.
 */
export function shareOfUnits(amount: number, quantity: number, before: number, units: number): number {
  const cumulative = (count: number) => multiply(amount, String(count), String(quantity));
  return cumulative(before + units) - cumulative(before);
}

/** The tax in `amount` of a total, after `before` of it; the taxes of all parts add up to the tax of the total. */
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
 * Divides a refunded amount among the parts of an order: first among cancelled amounts that are not refunded yet, then among the others.
 * The rest belongs to no part: it was paid in excess of the total.
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
