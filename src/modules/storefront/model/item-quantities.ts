import { decimalOfUnits, unitsOf, type Decimal } from '../../../kit/index.js';

/** Decimal places of quantities of the inventory. */
const PLACES = 6;

/** The quantity of an item that `units` of a variant take. */
export function itemQuantity(perUnit: Decimal, units: number): Decimal {
  return decimalOfUnits(unitsOf(perUnit, PLACES) * BigInt(units), PLACES);
}

export function exact(quantity: Decimal): bigint {
  return unitsOf(quantity, PLACES);
}

export function decimal(quantity: bigint): Decimal {
  return decimalOfUnits(quantity, PLACES);
}
