import { Injectable } from '@nestjs/common';
import { Store, sql, type Ctx, type Decimal } from '../../../kit/index.js';

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
    const rows = await this.store.reader(ctx).query<{ item_id: string; available: Decimal }>(
      sql.legacy(
        `SELECT l.item_id, sum(l.on_hand - l.reserved - l.held)::text AS available
       FROM stock_levels l JOIN stock_locations p ON p.id = l.location_id
       WHERE l.item_id = ANY($1) AND l.organization_id = $2 AND l.mode = $3 AND ($4::uuid IS NULL OR l.project_id = $4)
         AND p.active AND CASE WHEN $5::uuid[] IS NULL THEN p.sellable ELSE p.id = ANY($5) END
       GROUP BY l.item_id`,
        [itemIds, ctx.organizationId, ctx.mode, ctx.projectId, locationIds],
      ),
    );
    return new Map(rows.map(({ item_id, available }) => [item_id, available]));
  }
}
