import {
  projectDay,
  ScheduledJob,
  sql,
  Store,
  table,
  type Ctx,
  type DueRow,
  type ScheduledJobHandler,
  type Sql,
} from '../../../kit/index.js';
import { StockBook } from '../book/stock-book.js';
import { StockLot } from '../model/lot.entity.js';

/** Holds the stock of lots from the day after `expires_on`, in the project's time zone, and ends its reservations. */
@ScheduledJob({
  name: 'inventory.expire_lots',
  everySeconds: 15 * 60,
})
export class ExpireLots implements ScheduledJobHandler {
  constructor(private readonly store: Store) {}

  due(now: Date): Sql {
    // the first condition on the day uses the index; no time zone is more than a day ahead
    return sql.unscoped('due rows of all organizations')`
      SELECT l.id, l.organization_id, l.project_id, l.mode FROM ${table(StockLot)} l
      WHERE NOT l.expired AND l.expires_on <= ${now}::timestamptz::date + 1 AND l.expires_on < ${projectDay('l', now)}`;
  }

  async handle(ctx: Ctx, { id }: DueRow): Promise<void> {
    await this.store.write(ctx, async (tx) => {
      const row = await tx.find(StockLot, id);
      if (!row) return;
      const book = await StockBook.open(ctx, tx, [row.item_id], { lots: [{ itemId: row.item_id, name: { id } }] });
      const stock = book.stock(row.item_id);
      const lot = stock.lots?.find({ id });
      if (!lot || lot.expired || lot.expiresOn !== row.expires_on) return;
      for (const { locationId, quantity, blocked } of stock.expire(lot)) {
        if (blocked > 0n) await book.shortenNewest(stock, locationId, blocked);
        stock.hold(locationId, quantity);
      }
      await book.finish();
    });
  }
}
