import { unitsOf, type Decimal } from './decimals.js';

/** The largest amount, in minor units of its currency: 2^53 - 1, beyond which JSON numbers are not exact. */
export const MAX_AMOUNT = Number.MAX_SAFE_INTEGER;

/** What Intl accepts; it throws for any other text. */
const CURRENCY = /^[A-Z]{3}$/;
const MINOR_DIGITS = new Map<string, number>();

/**
 * The number of decimal digits of a currency: 2 for EUR, 0 for JPY, 3 for KWD; 2 if it is unknown.
 *
 * @example
 * ```ts
 * import { minorDigitsOf } from 'work-suite/kit';
 *
 * const [euro, yen] = ['EUR', 'JPY'].map(minorDigitsOf); // 2 and 0
 * ```
 */
export function minorDigitsOf(currency: string | null): number {
  if (currency === null || !CURRENCY.test(currency)) return 2;
  let digits = MINOR_DIGITS.get(currency);
  if (digits === undefined) {
    digits = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
    MINOR_DIGITS.set(currency, digits);
  }
  return digits;
}

/** The result of a calculation exceeds `MAX_AMOUNT`. Callers respond with 400 and name the field that is too large. */
export class AmountTooLarge extends RangeError {
  constructor() {
    super(`An amount exceeds ${MAX_AMOUNT} minor units.`);
  }
}

/**
 * The quotient as an integer, rounded half away from zero: 5 / 2 is 3, -5 / 2 is -3. The divisor must not be zero.
 *
 * @example
 * ```ts
 * import { divide } from 'work-suite/kit';
 *
 * const half = divide(5n, 2n); // 3n
 * ```
 */
export function divide(dividend: bigint, divisor: bigint): bigint {
  const isNegative = dividend < 0n !== divisor < 0n;
  const [top, bottom] = [magnitude(dividend), magnitude(divisor)];
  const quotient = (2n * top + bottom) / (2n * bottom);
  return isNegative ? -quotient : quotient;
}

/**
 * An exact result as an amount; throws `AmountTooLarge` if a JSON number cannot represent it exactly.
 *
 * @example
 * ```ts
 * import { amountOf, divide } from 'work-suite/kit';
 *
 * const amount = amountOf(divide(10_000n * 19n, 100n)); // 1900
 * ```
 */
export function amountOf(exact: bigint): number {
  if (magnitude(exact) > BigInt(MAX_AMOUNT)) throw new AmountTooLarge();
  return Number(exact);
}

/**
 * `amount * factor / per`, rounded once: 3 pieces of 999 per 1,000 are `multiply(999, '3', '1000')`, which is 3.
 *
 * @example
 * ```ts
 * import { multiply } from 'work-suite/kit';
 *
 * const amount = multiply(1_250, '2.5'); // 3125
 * ```
 */
export function multiply(amount: number, factor: Decimal, per: Decimal = '1'): number {
  const places = Math.max(placesOf(factor), placesOf(per));
  return amountOf(divide(BigInt(amount) * unitsOf(factor, places), unitsOf(per, places)));
}

/**
 * `percent` of the amount, rounded: `percentOf(1000, '19')` is 190.
 *
 * @example
 * ```ts
 * import { percentOf } from 'work-suite/kit';
 *
 * const tax = percentOf(10_000, '19'); // 1900
 * ```
 */
export function percentOf(amount: number, percent: Decimal): number {
  return multiply(amount, percent, '100');
}

/**
 * The tax of `percent` that an amount with tax contains, rounded: `includedPercent(1190, '19')` is 190.
 *
 * @example
 * ```ts
 * import { includedPercent } from 'work-suite/kit';
 *
 * const tax = includedPercent(11_900, '19'); // 1900
 * ```
 */
export function includedPercent(gross: number, percent: Decimal): number {
  const places = placesOf(percent);
  const rate = unitsOf(percent, places);
  return amountOf(divide(BigInt(gross) * rate, rate + unitsOf('100', places)));
}

/**
 * The sum; throws `AmountTooLarge`.
 *
 * @example
 * ```ts
 * import { sumOf } from 'work-suite/kit';
 *
 * const total = sumOf([1_250, 750]); // 2000
 * ```
 */
export function sumOf(amounts: Iterable<number>): number {
  let sum = 0n;
  for (const amount of amounts) sum += BigInt(amount);
  return amountOf(sum);
}

/**
 * Divides an amount in proportion to the weights, which must not be negative, so that the shares add up to it: each is rounded toward
 * zero, and the remaining units go to the largest remainders, the first ones if equal. If all weights are zero, the first share is the
 * whole amount.
 *
 * @example
 * ```ts
 * import { shareOut } from 'work-suite/kit';
 *
 * const parts = shareOut(100, [1, 1, 1]); // they sum up to 100
 * ```
 */
export function shareOut(amount: number, weights: readonly number[]): number[] {
  if (weights.length === 0) {
    if (amount !== 0) throw new RangeError('An amount cannot be divided among nobody');
    return [];
  }
  if (weights.some((weight) => weight < 0)) throw new RangeError('A weight must not be negative');
  const total = weights.reduce((sum, weight) => sum + BigInt(weight), 0n);
  if (total === 0n) return weights.map((_, index) => (index === 0 ? amount : 0));
  const whole = magnitude(BigInt(amount));
  const shares = weights.map((weight) => (whole * BigInt(weight)) / total);
  let left = whole - shares.reduce((sum, share) => sum + share, 0n);
  const remainders = weights.map((weight, index) => ({ index, remainder: (whole * BigInt(weight)) % total }));
  remainders.sort((a, b) => (a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1));
  for (const { index } of remainders) {
    if (left === 0n) break;
    shares[index] += 1n;
    left -= 1n;
  }
  return shares.map((share) => Number(amount < 0 ? -share : share));
}

function placesOf(decimal: Decimal): number {
  return decimal.split('.')[1]?.length ?? 0;
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}
