import type { StockMovement } from '../model/movement.entity.js';
import { quantityOf, smaller, type Quantity } from '../model/quantities.js';
import { shareOf } from '../valuation/costs.js';

/** A part of an issue that is taken back. */
export interface ReturnedPart {
  /** Null if the item is not tracked. */
  lot: { id: string } | null;
  quantity: Quantity;
  cost: number;
}

/** What can still be taken back of an issue. The last part has what is left of the cost, so nothing of it is lost by rounding. */
export class IssuedStock {
  quantity: Quantity;
  private cost: number;
  /** In the order in which they left; one part without a lot if the item is not tracked. */
  private readonly parts: { lotId: string | null; quantity: Quantity }[];

  /** `returns` may contain movements that take back other issues. */
  constructor(
    readonly issue: StockMovement,
    returns: readonly StockMovement[],
  ) {
    this.quantity = -quantityOf(issue.change);
    this.cost = -issue.cost_amount;
    this.parts = partsOf(issue).map(({ lotId, quantity }) => ({ lotId, quantity: -quantity }));
    for (const one of returns.filter(({ returned_issue_id }) => returned_issue_id === issue.id)) {
      for (const { lotId, quantity } of partsOf(one)) this.subtract(lotId, quantity);
      this.cost -= one.cost_amount;
    }
  }

  /** Takes back a quantity that is left. */
  take(quantity: Quantity): ReturnedPart[] {
    const taken: ReturnedPart[] = [];
    let open = quantity;
    for (const part of this.parts) {
      const here = smaller(part.quantity, open);
      if (here === 0n) continue;
      const cost = shareOf({ quantity: this.quantity, amount: this.cost }, here);
      taken.push({ lot: part.lotId === null ? null : { id: part.lotId }, quantity: here, cost });
      this.subtract(part.lotId, here);
      this.cost -= cost;
      open -= here;
    }
    return taken;
  }

  private subtract(lotId: string | null, quantity: Quantity): void {
    this.quantity -= quantity;
    for (const part of this.parts) if (part.lotId === lotId) part.quantity -= quantity;
  }
}

function partsOf({ lots, change }: StockMovement): { lotId: string | null; quantity: Quantity }[] {
  if (lots.length === 0) return [{ lotId: null, quantity: quantityOf(change) }];
  return lots.map((lot) => ({ lotId: lot.lot_id, quantity: quantityOf(lot.change) }));
}
