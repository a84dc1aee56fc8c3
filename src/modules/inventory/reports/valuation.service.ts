import { Injectable } from '@nestjs/common';
import { MAX_AMOUNT, own, plainDecimal, Projects, sql, Store, table, type Ctx } from '../../../kit/index.js';
import { InventoryConfig } from '../config/inventory-config.js';
import { InventoryItem } from '../model/item.entity.js';
import { StockMovement } from '../model/movement.entity.js';
import { StockTotal } from '../model/stock-total.entity.js';
import { invalid } from '../model/inventory.errors.js';
import type { StockValuationDto, StockValuationQuery, ValuedItemDto } from './valuation.dto.js';

const DEFAULT_LIMIT = 100;

const PRESENT = sql`
  SELECT s.on_hand + s.incoming AS quantity, s.value_amount FROM ${table(StockTotal)} s WHERE s.id = i.id AND ${own('s')}`;
/** Each movement stores the item's value after it. Movements of one call have the same time and are ordered by their sequence. */
const at = (time: string) => sql`
  SELECT m.item_quantity_after AS quantity, m.item_value_after AS value_amount FROM ${table(StockMovement)} m
  WHERE m.item_id = i.id AND ${own('m')} AND m.created_at <= ${time} ORDER BY m.created_at DESC, m.sequence DESC LIMIT 1`;

/** Values stock: now, or at an earlier time from the movements recorded up to it. */
@Injectable()
export class Valuation {
  constructor(
    private readonly store: Store,
    private readonly projects: Projects,
    private readonly config: InventoryConfig,
  ) {}

  async of(ctx: Ctx, { project_id, as_of, limit = DEFAULT_LIMIT, after }: StockValuationQuery): Promise<StockValuationDto> {
    const project = (await this.projects.reach(ctx, project_id)) ?? (await this.projects.resolve(ctx, undefined));
    const { currency } = await this.config.read(ctx, project.id);
    const reader = this.store.reader(ctx);
    const source = sql`FROM ${table(InventoryItem)} i CROSS JOIN LATERAL (${as_of === undefined ? PRESENT : at(as_of)}) AS v
      WHERE ${own('i')} AND i.project_id = ${project.id}`;
    const [[{ total }], rows] = await Promise.all([
      reader.sql<{ total: string }>(sql`SELECT COALESCE(sum(v.value_amount), 0)::text AS total ${source}`),
      reader.sql<ValuedItemDto>(
        sql`SELECT i.id AS item_id, i.sku, i.name, v.quantity, v.value_amount ${source} AND v.quantity > 0 AND i.sku > ${after ?? ''}
          ORDER BY i.sku LIMIT ${limit + 1}`,
      ),
    ]);
    if (BigInt(total) > BigInt(MAX_AMOUNT))
      throw invalid('project_id', `must be a project whose stock is worth no more than ${MAX_AMOUNT}`);
    const items = rows.slice(0, limit).map((row) => ({ ...row, quantity: plainDecimal(row.quantity) }));
    const has_more = rows.length > limit;
    return {
      object: 'stock_valuation',
      project_id: project.id,
      as_of: as_of === undefined ? null : new Date(as_of).toISOString(),
      currency,
      value_amount: Number(total),
      items,
      has_more,
      next_after: has_more ? items[limit - 1].sku : null,
    };
  }
}
