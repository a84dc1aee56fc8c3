import { decimalOfUnits, divide, exactParts } from '../../../../kit/index.js';

/** A decimal number: `units` of `10^-places`. */
export interface Exact {
  units: bigint;
  places: number;
}

/** A quotient has this many places at most; so has a product, which is rounded half away from zero. */
const MOST_PLACES = 20;
const LARGEST = 10n ** 60n;
/** In digits. The power of ten for a larger exponent would be built first and refused then. */
const LONGEST_NUMBER = 40;

/** A number is too large to calculate with. */
export class NumberTooLarge extends RangeError {
  constructor() {
    super('A number is too large to calculate with');
  }
}

/** A number as JavaScript writes it, or a decimal. */
export function exact(number: number | string): Exact {
  const { units, exponent } = exactParts(number);
  if (exponent > LONGEST_NUMBER) throw new NumberTooLarge();
  if (exponent < -MOST_PLACES - LONGEST_NUMBER) return { units: 0n, places: 0 };
  return bounded(exponent >= 0 ? { units: units * 10n ** BigInt(exponent), places: 0 } : { units, places: -exponent });
}

export function plus(a: Exact, b: Exact): Exact {
  const [left, right, places] = aligned(a, b);
  return bounded({ units: left + right, places });
}

export function times(a: Exact, b: Exact): Exact {
  return bounded({ units: a.units * b.units, places: a.places + b.places });
}

/** The quotient; null for a division by zero. */
export function dividedBy(a: Exact, b: Exact): Exact | null {
  if (b.units === 0n) return null;
  return bounded({
    units: divide(a.units * 10n ** BigInt(MOST_PLACES + b.places), b.units * 10n ** BigInt(a.places)),
    places: MOST_PLACES,
  });
}

export function negated({ units, places }: Exact): Exact {
  return { units: -units, places };
}

/** Negative if `a` is less than `b`, 0 if they are equal. */
export function compared(a: Exact, b: Exact): number {
  const [left, right] = aligned(a, b);
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Rounded half away from zero; negative `places` round to tens, hundreds and so on. */
export function rounded(number: Exact, places: number): Exact {
  if (number.places <= places) return number;
  const units = divide(number.units, 10n ** BigInt(number.places - places));
  return places >= 0 ? { units, places } : { units: units * 10n ** BigInt(-places), places: 0 };
}

/** With a decimal point, without an exponent and trailing zeros. */
export function decimalText({ units, places }: Exact): string {
  return decimalOfUnits(units, places);
}

function aligned(a: Exact, b: Exact): [bigint, bigint, number] {
  const places = Math.max(a.places, b.places);
  return [a.units * 10n ** BigInt(places - a.places), b.units * 10n ** BigInt(places - b.places), places];
}

function bounded(number: Exact): Exact {
  const fitting = rounded(number, MOST_PLACES);
  if (fitting.units > LARGEST || fitting.units < -LARGEST) throw new NumberTooLarge();
  return fitting;
}
