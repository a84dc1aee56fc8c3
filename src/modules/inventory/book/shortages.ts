import { DomainError } from '../../../kit/index.js';
import { InventoryErrors, type Shortage } from '../model/inventory.errors.js';
import { quantityOf, type Quantity } from '../model/quantities.js';
import { insufficientStock, shortageOf } from './refusals.js';
import type { StockBook } from './stock-book.js';

/** What a line of a call takes from a location, or brings to it if negative. */
export interface Demand {
  /** The path of the line, with a point at its end. */
  param: string;
  itemId: string;
  locationId: string;
  quantity: Quantity;
}

/**
 * Runs lines that succeed or fail together. If stock is lacking, the error lists every item and location that lacks it, over all lines.
 */
export async function together<R>(book: StockBook, demands: readonly Demand[], run: () => Promise<R>): Promise<R> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof DomainError) || error.spec.code !== InventoryErrors.insufficientStock.spec.code) throw error;
    const shortages = shortagesOf(book, demands);
    throw shortages.length > 0 ? insufficientStock(shortages) : error;
  }
}

/** Compared with what was available before the call. */
function shortagesOf(book: StockBook, demands: readonly Demand[]): Shortage[] {
  const sums = new Map<string, Demand>();
  for (const demand of demands) {
    const key = `${demand.itemId} ${demand.locationId}`;
    const { quantity = 0n, ...first } = sums.get(key) ?? demand;
    sums.set(key, { ...first, quantity: sums.has(key) ? quantity + demand.quantity : demand.quantity });
  }
  return [...sums.values()].flatMap(({ param, itemId, locationId, quantity }) => {
    const { item, levels } = book.stock(itemId);
    const row = levels.get(locationId)?.row;
    const available = row ? quantityOf(row.on_hand) - quantityOf(row.reserved) - quantityOf(row.held) : 0n;
    return quantity > available ? [shortageOf(item, locationId, quantity, available, param)] : [];
  });
}
