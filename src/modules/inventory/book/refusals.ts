import type { DomainError } from '../../../kit/index.js';
import { InventoryErrors, invalid, type Shortage } from '../model/inventory.errors.js';
import type { InventoryItem } from '../model/item.entity.js';
import { decimalOf, isWithinScale, type Quantity } from '../model/quantities.js';

/** An item of a call that lacks stock. `param` is the path of the line, with a point at its end, or empty. */
export function shortageOf(
  item: Pick<InventoryItem, 'id' | 'sku'>,
  locationId: string | null,
  requested: Quantity,
  available: Quantity,
  param: string,
): Shortage {
  const [wanted, there] = [decimalOf(requested), decimalOf(available > 0n ? available : 0n)];
  return {
    param: `${param}quantity`,
    code: 'insufficient_stock',
    message: `${item.sku}: ${wanted} requested, ${there} available`,
    item_id: item.id,
    location_id: locationId,
    requested: wanted,
    available: there,
  };
}

export function insufficientStock(shortages: Shortage[]): DomainError {
  const [first] = shortages;
  return InventoryErrors.insufficientStock({
    param: first.param,
    message: `There is not enough stock of ${shortages.map(({ message }) => message).join('; ')}.`,
    details: shortages,
  });
}

export function insufficient(
  item: Pick<InventoryItem, 'id' | 'sku'>,
  locationId: string | null,
  requested: Quantity,
  available: Quantity,
  param: string,
): DomainError {
  return insufficientStock([shortageOf(item, locationId, requested, available, param)]);
}

export function tooLargeQuantity(param: string): DomainError {
  return invalid(param, 'would lead to more than 12 digits before the point');
}

export function duplicateLotDate(param: string, expiresOn: string | null): DomainError {
  return invalid(param, `must be ${expiresOn ?? 'omitted'}, as for the stock there is of this lot`);
}

/** The quantity in the item's unit, if it is no more precise than the item; null stands for one that is inexact. */
export function requireScale({ unit, quantity_scale }: InventoryItem, quantity: Quantity | null, param: string): Quantity {
  if (quantity === null || !isWithinScale(quantity, quantity_scale))
    throw invalid(param, `must have at most ${quantity_scale} decimal places in ${unit}, the unit of the item`);
  return quantity;
}
