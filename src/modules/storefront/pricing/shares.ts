import { multiply } from '../../../kit/index.js';

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
