import { decimalOfUnits, unitsOf, type Decimal } from '../../../kit/index.js';

/** A quantity in millionths of the item's unit, as columns store it. */
export type Quantity = bigint;

const PLACES = 6;
/** 12 digits before the point. */
const MOST: Quantity = 10n ** 18n - 1n;

export function quantityOf(decimal: Decimal): Quantity {
  return unitsOf(decimal, PLACES);
}

export function decimalOf(quantity: Quantity): Decimal {
  return decimalOfUnits(quantity, PLACES);
}

export function fits(quantity: Quantity): boolean {
  return quantity <= MOST && quantity >= -MOST;
}

/** Whether it has no more decimal places than the scale. */
export function isWithinScale(quantity: Quantity, scale: number): boolean {
  return quantity % 10n ** BigInt(PLACES - scale) === 0n;
}

/** A quantity in another unit, exactly: null if it has more than six places then. */
export function convert(quantity: Quantity, factor: Decimal): Quantity | null {
  const exact = quantity * quantityOf(factor);
  return exact % 10n ** BigInt(PLACES) === 0n ? exact / 10n ** BigInt(PLACES) : null;
}

export function smaller(a: Quantity, b: Quantity): Quantity {
  return a < b ? a : b;
}
