import { Injectable } from '@nestjs/common';
import { type Ctx, type Tx } from '../../../kit/index.js';
import { StockMovements } from '../../inventory/inventory.public.js';
import { decimal, exact, itemQuantity } from '../model/item-quantities.js';
import { Fulfillment } from '../model/fulfillment.entity.js';
import type { Order } from '../model/order.entity.js';
import type { ShownFulfillment, StockUse } from '../model/shown-parts.js';
import { invalid } from '../model/storefront.errors.js';
import type { OrderParts } from '../order/order.dto.js';

interface ReturnedUnits {
  line_id: string;
  quantity: number;
  /** Its path in the request. */
  param: string;
}

/** Takes shipped goods back into stock. */
@Injectable()
export class Restocker {
  constructor(private readonly movements: StockMovements) {}

  /** Takes units of lines back, from the latest parcels first. */
  async takeBackUnits(ctx: Ctx, tx: Tx, order: Order, { lines, fulfillments }: OrderParts, units: readonly ReturnedUnits[]) {
    if (units.length === 0) return fulfillments;
    const changed = fulfillments.map((one) => ({ ...one, uses: one.uses.map((use) => ({ ...use })) }));
    const uses = changed
      .filter(({ state }) => state === 'shipped')
      .flatMap((one) => one.uses)
      .reverse();
    const returns: { movement_id: string; quantity: string; param: string }[] = [];
    for (const { line_id, quantity, param } of units) {
      const line = lines.find(({ id }) => id === line_id);
      if (!line || line.item_id === null) throw invalid(`${param}.restock`, 'must be false, because the line is not kept in stock');
      let left = exact(itemQuantity(line.item_quantity, quantity));
      for (const use of uses) {
        if (use.line_id !== line_id || left === 0n) continue;
        const there = exact(use.quantity) - exact(use.returned);
        const taken = there < left ? there : left;
        if (taken <= 0n) continue;
        use.returned = decimal(exact(use.returned) + taken);
        left -= taken;
        returns.push({ movement_id: use.movement_id, quantity: decimal(taken), param: `${param}.restock` });
      }
      if (left > 0n) throw invalid(`${param}.restock`, 'must be false for units that were not shipped, or are in stock again');
    }
    await this.movements.takeBack(ctx, tx, returns, { reference: order.number as string });
    await writeUses(tx, fulfillments, changed);
    return changed;
  }

  /** Takes the whole content of a parcel back. */
  async takeBackAll(ctx: Ctx, tx: Tx, order: Order, uses: readonly StockUse[]): Promise<void> {
    if (uses.length === 0) return;
    const returns = uses.map(({ movement_id, quantity }) => ({ movement_id, quantity }));
    await this.movements.takeBack(ctx, tx, returns, { reference: order.number as string });
  }
}

async function writeUses(tx: Tx, before: readonly ShownFulfillment[], after: readonly ShownFulfillment[]): Promise<void> {
  const changed = after.filter(({ uses }, index) => JSON.stringify(uses) !== JSON.stringify(before[index].uses));
  const rows = await tx.lockWhere(Fulfillment, { id: changed.map(({ id }) => id) });
  for (const row of rows) await tx.update(row, { uses: changed.find(({ id }) => id === row.id)?.uses });
}
