import { Injectable } from '@nestjs/common';
import { Store, type Condition, type Ctx, type Page } from '../../../kit/index.js';
import { Order } from '../model/order.entity.js';
import type { OrdersQuery } from '../requests/orders.dto.js';

/** Reads orders. */
@Injectable()
export class OrdersService {
  constructor(private readonly store: Store) {}

  get(ctx: Ctx, id: string): Promise<Order> {
    return this.store.get(ctx, Order, id);
  }

  page(ctx: Ctx, query: OrdersQuery): Promise<Page<Order>> {
    return this.store.page(ctx, Order, query, ...conditionsOf(ctx, query));
  }
}

function conditionsOf(ctx: Ctx, { email, sku, number }: OrdersQuery): Condition[] {
  const conditions: Condition[] = [];
  if (email) conditions.push({ sql: 'lower(t.email) = ANY(:emails)', values: { emails: email.map((one) => one.toLowerCase()) } });
  if (sku)
    conditions.push({
      sql: `t.id IN (SELECT l.order_id FROM storefront_order_lines l
        WHERE l.organization_id = :organization AND l.mode = :mode AND lower(l.sku) = ANY(:skus))`,
      values: { organization: ctx.organizationId, mode: ctx.mode, skus: sku.map((one) => one.toLowerCase()) },
    });
  // the index is partial
  if (number) conditions.push({ sql: 't.number IS NOT NULL', values: {} });
  return conditions;
}
