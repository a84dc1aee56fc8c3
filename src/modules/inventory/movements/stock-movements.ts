import { Injectable } from '@nestjs/common';
import { DomainError, type Ctx, type Decimal, type Tx } from '../../../kit/index.js';
import { requireScale } from '../book/refusals.js';
import { together } from '../book/shortages.js';
import { StockBook } from '../book/stock-book.js';
import { InventoryErrors, invalid } from '../model/inventory.errors.js';
import { StockMovement } from '../model/movement.entity.js';
import { decimalOf, quantityOf, type Quantity } from '../model/quantities.js';
import { IssuedStock } from './issued-stock.js';

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
      const item = book.item(item_id);
      if (!item) throw invalid(path ?? 'item_id', 'must be of an item of the project');
      const quantity = quantityOf(wanted);
      if (quantity <= 0n) throw invalid(`${param}quantity`, 'must be greater than 0');
      requireScale(item, quantity, `${param}quantity`);
      return { param, itemId: item_id, locationId: location_id, quantity };
    });
    await together(book, demands, async () => {
      for (const { param, itemId, locationId, quantity } of demands) {
        const stock = book.stock(itemId);
        const leaving = await book.free(stock, stock.leaving(param, locationId, quantity, null), param);
        book.record(stock, { kind: 'issue', quantity, ...cause }, stock.leave(leaving));
      }
    });
    return [...(await book.finish()).movements];
  }

  /**
   * Takes issued stock back to where it was, at the cost it left with, into the lots it came from: one receipt for each lot. What several
   * calls take back of an issue never exceeds it, in quantity and in cost. Emits `stock.moved`. `param` is the field of the caller's
   * request that asks for it, if there is one.
   * Errors: 400 `validation_failed` for a movement that is no issue of the caller, or a quantity beyond what is left of it; 409
   * `serial_in_stock`.
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
    // read after the items are locked, so that concurrent returns are included
    const before = await tx.list(StockMovement, { returned_issue_id: issues.map(({ id }) => id) });
    const left = issues.map((issue) => new IssuedStock(issue, before));
    for (const { movement_id, quantity: wanted, param: path } of returns) {
      const param = path ?? 'movement_id';
      const issued = left.find(({ issue }) => issue.id === movement_id);
      if (!issued) throw invalid(param, 'must be an issue');
      const quantity = quantityOf(wanted);
      if (quantity <= 0n || quantity > issued.quantity)
        throw invalid(param, `must be an issue of which this quantity can be taken back; ${decimalOf(issued.quantity)} is left`);
      takeBackFrom(book, issued, quantity, cause, path);
    }
    return [...(await book.finish()).movements];
  }
}

function takeBackFrom(book: StockBook, issued: IssuedStock, quantity: Quantity, cause: MovementCause, param: string | undefined): void {
  const { id: returned_issue_id, item_id, location_id } = issued.issue;
  const stock = book.stock(item_id);
  try {
    for (const part of issued.take(quantity)) {
      const effect = stock.enter('', location_id, part.quantity, part.cost, part.lot, book.today);
      book.record(stock, { kind: 'receipt', quantity: part.quantity, returned_issue_id, ...cause }, effect);
    }
  } catch (error) {
    if (!(error instanceof DomainError) || error.spec.code !== InventoryErrors.serialInStock.spec.code) throw error;
    // the request of a return names no lot
    throw InventoryErrors.serialInStock({ ...error.occurrence, param });
  }
}
