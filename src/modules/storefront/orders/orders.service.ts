import { Injectable } from '@nestjs/common';
import { own, sql, Store, table, type Condition, type Ctx, type Page } from '../../../kit/index.js';
import { OrderLine } from '../model/order-line.entity.js';
import { Order } from '../model/order.entity.js';
import type { OrdersQuery } from '../order/order-requests.dto.js';

/** Reads orders. */
@Injectable()
export class OrdersService {
  constructor(private readonly store: Store) {}

  get(ctx: Ctx, id: string): Promise<Order> {
    return this.store.get(ctx, Order, id);
  }

  page(ctx: Ctx, query: OrdersQuery): Promise<Page<Order>> {
    return this.store.page(ctx, Order, query, ...conditionsOf(query));
  }
}

function conditionsOf({ email, sku, number }: OrdersQuery): Condition<Order>[] {
  const conditions: Condition<Order>[] = [];
  if (email) conditions.push(sql`lower(t.email) = ANY(${email.map((one) => one.toLowerCase())})`);
  if (sku)
    conditions.push(
      sql`t.id IN (SELECT l.order_id FROM ${table(OrderLine)} l
        WHERE ${own('l')} AND lower(l.sku) = ANY(${sku.map((one) => one.toLowerCase())}))`,
    );
  // the index is partial
  if (number) conditions.push(sql`t.number IS NOT NULL`);
  return conditions;
}
