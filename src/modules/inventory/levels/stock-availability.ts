import { Injectable } from '@nestjs/common';
import { own, sql, Store, table, type Ctx, type Decimal } from '../../../kit/index.js';
import { StockLevel } from '../model/stock-level.entity.js';
import { StockLocation } from '../model/location.entity.js';

/** The quantities of items that can be reserved. */
@Injectable()
export class StockAvailability {
  constructor(private readonly store: Store) {}

  /**
   * The available quantity of each item, in its unit, at the given locations or else at the active sellable ones of its project. Items
   * without stock and those that the caller may not see are left out.
   */
  async of(ctx: Ctx, itemIds: readonly string[], locationIds: readonly string[] | null): Promise<Map<string, Decimal>> {
    if (itemIds.length === 0) return new Map();
    const there = locationIds === null ? sql`p.sellable` : sql`p.id = ANY(${locationIds})`;
    const rows = await this.store.reader(ctx).sql<{ item_id: string; available: Decimal }>(
      sql`SELECT l.item_id, sum(l.on_hand - l.reserved - l.held)::text AS available
        FROM ${table(StockLevel)} l JOIN ${table(StockLocation)} p ON p.id = l.location_id AND ${own('p')}
        WHERE l.item_id = ANY(${itemIds}) AND ${own('l')} AND p.active AND ${there}
        GROUP BY l.item_id`,
    );
    return new Map(rows.map(({ item_id, available }) => [item_id, available]));
  }
}
