/** A decimal number in a string, as the fields of `Field.decimal` have it: `12`, `12.5`, `-0.25`. */
export type Decimal = string;

/** The numbers that a decimal field accepts. */
export interface DecimalRange {
  /** The most digits before the point. */
  digits: number;
  /** The most digits after the point. */
  places: number;
  /** The sign; zero is neither positive nor negative. */
  sign: 'positive' | 'not_negative' | 'any';
  /** Keeps trailing zeros, for a number that may be an amount in minor units: 10.00 must not become 10. */
  asWritten?: boolean;
}

/** The number of digits is bounded, so that a text of a megabyte is not parsed as a number. */
const DECIMAL = /^(-?)(\d{1,40})(?:\.(\d{1,40}))?$/;

export function isDecimal(text: string): boolean {
  return DECIMAL.test(text);
}

/** The source of a regular expression for the decimals within a range; leading zeros are invalid, trailing ones after the point valid. */
export function decimalPattern({ digits, places, sign }: DecimalRange): string {
  const fraction = `(?:\\.\\d{1,${places}})?`;
  const whole = `[1-9]\\d{0,${digits - 1}}`;
  // without a lookahead, which many generators of clients do not support
  if (sign === 'positive') return `^(?:${whole}${fraction}|0\\.\\d{0,${places - 1}}[1-9]0{0,${places - 1}})$`;
  return `^${sign === 'any' ? '-?' : ''}(?:0|${whole})${fraction}$`;
}

/** Whether a pattern is that of a decimal, of any range. */
export function isDecimalPattern(pattern: unknown): boolean {
  const bounds = typeof pattern === 'string' ? /\[1-9\]\\d\{0,(\d+)\}\)?\(\?:\\\.\\d\{1,(\d+)\}\)\?/.exec(pattern) : null;
  if (!bounds) return false;
  const [digits, places] = [Number(bounds[1]) + 1, Number(bounds[2])];
  return (['any', 'positive', 'not_negative'] as const).some((sign) => decimalPattern({ digits, places, sign }) === pattern);
}

/**
 * The number as an integer of units of `10^-places`: `unitsOf('12.5', 4)` is `125000n`. Throws a RangeError if the number has more
 * places, because rounding is the caller's decision.
 *
 * @example
 * ```ts
 * import { unitsOf } from 'work-suite/kit';
 *
 * const millionths = unitsOf('12.5', 6); // 12500000n
 * ```
 */
export function unitsOf(decimal: Decimal, places: number): bigint {
  const match = DECIMAL.exec(decimal);
  const fraction = (match?.[3] ?? '').replace(/0+$/, '');
  if (match === null || fraction.length > places) throw new RangeError(`${decimal} is not a decimal number with up to ${places} places`);
  return BigInt(`${match[1]}${match[2]}${fraction.padEnd(places, '0')}`);
}

/**
 * The inverse of `unitsOf`, without trailing zeros: `decimalOfUnits(125000n, 4)` is `12.5`.
 *
 * @example
 * ```ts
 * import { decimalOfUnits, unitsOf } from 'work-suite/kit';
 *
 * const sum = decimalOfUnits(unitsOf('0.1', 6) + unitsOf('0.2', 6), 6); // '0.3'
 * ```
 */
export function decimalOfUnits(units: bigint, places: number): Decimal {
  const digits = (units < 0n ? -units : units).toString().padStart(places + 1, '0');
  const fraction = digits.slice(digits.length - places).replace(/0+$/, '');
  const whole = digits.slice(0, digits.length - places);
  return `${units < 0n ? '-' : ''}${whole}${places > 0 && fraction !== '' ? `.${fraction}` : ''}`;
}

function placesOf(decimal: Decimal): number {
  return decimal.split('.')[1]?.length ?? 0;
}

/**
 * The same number as responses show it: without trailing zeros, and zero without a sign. `1.500` becomes `1.5`.
 *
 * @example
 * ```ts
 * import { plainDecimal } from 'work-suite/kit';
 *
 * const shown = plainDecimal('12.500'); // '12.5'
 * ```
 */
export function plainDecimal(decimal: Decimal): Decimal {
  const places = placesOf(decimal);
  return decimalOfUnits(unitsOf(decimal, places), places);
}

/**
 * A number as `units * 10^exponent`, exactly as JavaScript writes it: 0.29 is 29 and -2.
 *
 * @example
 * ```ts
 * import { exactParts } from 'work-suite/kit';
 *
 * const { units, exponent } = exactParts(1.25); // 125n and -2
 * ```
 */
export function exactParts(number: number | string): { units: bigint; exponent: number } {
  const [digits, exponent = '0'] = String(number).toLowerCase().split('e');
  const [whole, fraction = ''] = digits.split('.');
  return { units: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

/** Whether a number is a multiple of another as decimals: 4.35 is one of 0.01, although the division of the floats leaves a rest. */
export function isMultipleOf(number: number, of: number): boolean {
  const [one, other] = commonUnits(number, of);
  return one % other === 0n;
}

/**
 * The number with a decimal point and without an exponent.
 *
 * @example
 * ```ts
 * import { plainNumber } from 'work-suite/kit';
 *
 * const shown = plainNumber(1e-7); // '0.0000001'
 * ```
 */
export function plainNumber(number: number): Decimal {
  const { units, exponent } = exactParts(number);
  return exponent >= 0 ? String(units * 10n ** BigInt(exponent)) : decimalOfUnits(units, -exponent);
}

/**
 * Whether a JavaScript number holds all digits of the decimal: 9007199254740993 would become ...992.
 *
 * @example
 * ```ts
 * import { isExactNumber } from 'work-suite/kit';
 *
 * const canBeNumber = isExactNumber('0.1'); // true; false for '9007199254740993'
 * ```
 */
export function isExactNumber(decimal: string): boolean {
  const number = Number(decimal);
  if (!Number.isFinite(number)) return false;
  const [one, other] = commonUnits(decimal, number);
  return one === other;
}

function commonUnits(...numbers: (number | string)[]): bigint[] {
  const parts = numbers.map(exactParts);
  const least = Math.min(...parts.map(({ exponent }) => exponent));
  return parts.map(({ units, exponent }) => units * 10n ** BigInt(exponent - least));
}
