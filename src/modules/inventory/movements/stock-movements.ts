import { Injectable } from '@nestjs/common';
import type { Ctx, Decimal, Tx } from '../../../kit/index.js';
import { StockBook } from '../book/stock-book.js';
import { together } from '../book/shortages.js';
import { invalid } from '../model/inventory.errors.js';
import { StockMovement } from '../model/movement.entity.js';
import { isWithinScale, quantityOf, smaller, type Quantity } from '../model/quantities.js';
import { shareOf } from '../valuation/costs.js';

/** The common fields of the movements of one call. */
export interface MovementCause {
  /** Such as an order number. */
  reference: string;
  /** Code of a reason of the project, or null. */
  reason?: string | null;
}

/**
 * Moves stock for other modules, in the caller's transaction. It locks the items until its end: a transaction should make one call with
 * all items, because two transactions that make several may lock items crosswise.
 */
@Injectable()
export class StockMovements {
  /**
   * Issues stock that is not reserved for the caller, all lines or none; for reserved stock use `StockReservations.consume`. Quantities
   * are in the item's unit; of tracked items what expires first leaves first. Emits `stock.moved` for each line.
   * Errors: 409 `insufficient_stock` with a `Shortage` for each item and location; 409 `stock_reserved`; 400 `validation_failed` for an
   * unknown item or a quantity beyond its precision. The location must be one of the project: take it from a reservation or look it up.
   */
  async issue(
    ctx: Ctx,
    tx: Tx,
    lines: readonly { item_id: string; location_id: string; quantity: Decimal; param?: string }[],
    cause: MovementCause,
  ): Promise<StockMovement[]> {
    const itemIds = lines.map(({ item_id }) => item_id);
    const picks = lines.map(({ item_id: itemId, location_id: locationId }) => ({ itemId, locationId }));
    const book = await StockBook.open(ctx, tx, itemIds, { picks });
    const demands = lines.map(({ item_id, location_id, quantity: wanted, param: path }) => {
      const param = path === undefined ? '' : `${path}.`;
      if (!book.item(item_id)) throw invalid(`${param}item_id`, 'must be an item of the project');
      const quantity = quantityOf(wanted);
      if (quantity <= 0n || !isWithinScale(quantity, book.stock(item_id).item.quantity_scale))
        throw invalid(`${param}quantity`, 'must be greater than 0 and have no more decimal places than the item');
      return { param, itemId: item_id, locationId: location_id, quantity };
    });
    await together(book, demands, async () => {
      for (const { param, itemId, locationId, quantity } of demands) {
        const stock = book.stock(itemId);
        const leaving = await book.free(stock, stock.leaving(param, locationId, quantity, null), param, false);
        book.record(stock, { kind: 'issue', quantity, ...cause }, stock.leave(leaving));
      }
    });
    return [...(await book.finish()).movements];
  }

  /**
   * Takes issued stock back to where it was, at the cost it left with, into the lots it came from: one receipt for each lot. Of a part of
   * an issue the cost is a share, so the caller must not take back more than was issued, over all calls. Emits `stock.moved`.
   * Errors: 400 `validation_failed` for a movement that is no issue of the caller, or a quantity beyond it; 409 `serial_in_stock`.
   */
  async takeBack(
    ctx: Ctx,
    tx: Tx,
    returns: readonly { movement_id: string; quantity: Decimal; param?: string }[],
    cause: MovementCause,
  ): Promise<StockMovement[]> {
    const issues = await tx.list(StockMovement, { id: returns.map(({ movement_id }) => movement_id), kind: 'issue' });
    const itemIds = issues.map(({ item_id }) => item_id);
    const lots = issues.flatMap(({ item_id: itemId, lot_ids }) => lot_ids.map((id) => ({ itemId, name: { id } })));
    const book = await StockBook.open(ctx, tx, itemIds, { lots });
    for (const { movement_id, quantity, param = 'movement_id' } of returns) {
      const issue = issues.find(({ id }) => id === movement_id);
      if (!issue) throw invalid(param, 'must be an issue');
      if (quantityOf(quantity) <= 0n || quantityOf(quantity) > quantityOf(issue.quantity))
        throw invalid(param, 'must be an issue of at least that quantity');
      takeBackFrom(book, issue, quantityOf(quantity), cause);
    }
    return [...(await book.finish()).movements];
  }
}

function takeBackFrom(book: StockBook, issue: StockMovement, quantity: Quantity, cause: MovementCause): void {
  const stock = book.stock(issue.item_id);
  const cost = shareOf({ quantity: quantityOf(issue.quantity), amount: -issue.cost_amount }, quantity);
  const parts = issue.lots.length === 0 ? [{ lot: null, quantity }] : partsOf(issue, quantity);
  const rest = { quantity, amount: cost };
  for (const part of parts) {
    const amount = shareOf(rest, part.quantity);
    rest.quantity -= part.quantity;
    rest.amount -= amount;
    const effect = stock.enter('', issue.location_id, part.quantity, amount, part.lot, book.today);
    book.record(stock, { kind: 'receipt', quantity: part.quantity, ...cause }, effect);
  }
}

/** The lots of a part of an issue, in the order in which they were issued. */
function partsOf({ lots }: StockMovement, quantity: Quantity): { lot: { id: string }; quantity: Quantity }[] {
  let left = quantity;
  return lots.flatMap(({ lot_id, change }) => {
    const part = smaller(-quantityOf(change), left);
    left -= part;
    return part > 0n ? [{ lot: { id: lot_id }, quantity: part }] : [];
  });
}
