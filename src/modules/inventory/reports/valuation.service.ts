import { Injectable } from '@nestjs/common';
import { MAX_AMOUNT, plainDecimal, Projects, Store, sql, type Ctx } from '../../../kit/index.js';
import { InventoryConfig } from '../config/inventory-config.js';
import { invalid } from '../model/inventory.errors.js';
import type { StockValuationDto, StockValuationQuery, ValuedItemDto } from './valuation.dto.js';

const DEFAULT_LIMIT = 100;

const ITEMS = 'FROM inventory_items i';
const OF_PROJECT = 'i.organization_id = $1 AND i.mode = $2 AND i.project_id = $3';
const PRESENT = `CROSS JOIN LATERAL (
  SELECT s.on_hand + s.incoming AS quantity, s.value_amount FROM stock_totals s WHERE s.id = i.id) AS v`;
/** Each movement stores the item's value after it. Movements of one call have the same time and are ordered by their sequence. */
const AS_OF = `CROSS JOIN LATERAL (
  SELECT m.item_quantity_after AS quantity, m.item_value_after AS value_amount FROM stock_movements m
  WHERE m.item_id = i.id AND m.created_at <= $4 ORDER BY m.created_at DESC, m.sequence DESC LIMIT 1) AS v`;

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
    const values: unknown[] = [ctx.organizationId, ctx.mode, project.id];
    if (as_of !== undefined) values.push(as_of);
    const source = `${ITEMS} ${as_of === undefined ? PRESENT : AS_OF} WHERE ${OF_PROJECT}`;
    const place = (offset: number) => `$${values.length + offset}`;
    const [[{ total }], rows] = await Promise.all([
      reader.query<{ total: string }>(sql.legacy(`SELECT COALESCE(sum(v.value_amount), 0)::text AS total ${source}`, values)),
      reader.query<ValuedItemDto>(
        sql.legacy(
          `SELECT i.id AS item_id, i.sku, i.name, v.quantity, v.value_amount ${source} AND v.quantity > 0 AND i.sku > ${place(1)}
         ORDER BY i.sku LIMIT ${place(2)}`,
          [...values, after ?? '', limit + 1],
        ),
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
