import { Injectable } from '@nestjs/common';
import { changedFrom, Store, type Ctx, type EventDefinition, type Tx } from '../../../kit/index.js';
import { Order } from '../model/order.entity.js';
import { StorefrontErrors } from '../model/storefront.errors.js';
import type { OrderState } from '../model/values.js';
import { InvoiceableOrderDto } from '../order/invoiceable-order.dto.js';
import { OrderDto, partsOf, type OrderParts } from '../order/order.dto.js';
import { OrderEvents } from '../order/orders.events.js';
import { balanceOf } from '../pricing/order-money.js';

/** What changes the state of an order. */
export type Trigger = 'place' | 'cancel' | 'payment' | 'refund' | 'fulfill' | 'cancel_fulfillment' | 'payment_window';

/** An order under lock, with what belongs to it. */
export interface LockedOrder {
  order: Order;
  /** The stored parts. A change replaces them with what it has written. */
  parts: OrderParts;
  /** The representation before the change. */
  before: OrderDto;
}

export interface OrderChange {
  trigger: Trigger;
  /** Columns that change; the state is derived from them unless it is given. */
  columns: Partial<Order>;
  parts: OrderParts;
  /** The additional public event of the change, if any, with its context. */
  event?: { definition: EventDefinition<OrderDto>; context?: Record<string, unknown> };
}

/** Locks orders, and writes their changes with the events. */
@Injectable()
export class OrderChanges {
  constructor(private readonly store: Store) {}

  /** The order that the request's path names, locked before its parts are read. */
  async target(tx: Tx, id: string): Promise<LockedOrder> {
    await tx.target(Order, id);
    const order = await tx.get(Order, id);
    return { order, parts: partsOf(order), before: OrderDto.from(order) };
  }

  /** Runs a change of the order that the request's path names. */
  write(ctx: Ctx, id: string, change: (tx: Tx, locked: LockedOrder) => Promise<Order>): Promise<Order> {
    return this.store.write(ctx, async (tx) => change(tx, await this.target(tx, id)));
  }

  async apply(tx: Tx, { order, before }: LockedOrder, { trigger, columns, parts, event }: OrderChange): Promise<Order> {
    const state = columns.state ?? nextState({ ...order, ...columns });
    const changed = await tx.advanced.touch(order, { ...columns, state });
    const object = OrderDto.from(changed, parts);
    const data = { object, previous: changedFrom(before, object), projectId: order.project_id };
    // a change of the state is one event
    if (event && (event.definition !== OrderEvents.updated || state === order.state))
      tx.emit(event.definition, { ...data, context: event.context });
    if (state !== order.state) tx.emit(OrderEvents.stateChanged, { ...data, context: { from: order.state, to: state, trigger } });
    this.emitInternal(tx, order, changed, parts);
    return Object.assign(changed, parts);
  }

  /** Emits the events of an order that was placed when it was created. */
  announcePlaced(tx: Tx, order: Order): void {
    const [before, object] = [{ ...order, state: 'draft' as const }, OrderDto.from(order)];
    const context = { from: 'draft', to: order.state, trigger: 'place' satisfies Trigger };
    tx.emit(OrderEvents.stateChanged, { object, previous: { state: 'draft' }, context, projectId: order.project_id });
    this.emitInternal(tx, before, order, partsOf(order));
  }

  private emitInternal(tx: Tx, order: Order, changed: Order, parts: OrderParts): void {
    const reached = [
      { definition: OrderEvents.placed, now: order.state === 'draft' && changed.state !== 'draft' },
      {
        definition: OrderEvents.paid,
        // money for a cancelled order is due back, and there is nothing to invoice
        now: isCovered(changed) && !isCovered(order),
      },
      { definition: OrderEvents.fulfilled, now: changed.fulfillment_state === 'fulfilled' && order.fulfillment_state !== 'fulfilled' },
      { definition: OrderEvents.cancelled, now: changed.state === 'cancelled' && order.state !== 'cancelled' },
    ].filter(({ now }) => now);
    if (reached.length === 0) return;
    const object = InvoiceableOrderDto.from(changed, parts);
    for (const { definition } of reached) tx.emit(definition, { object, projectId: changed.project_id });
  }
}

/** Throws 400 `invalid_transition` unless the order is in one of the states. */
export function requireState({ state }: Order, allowed: readonly OrderState[], action: string): void {
  if (allowed.includes(state)) return;
  throw StorefrontErrors.invalidTransition({
    message: `An order that is ${state} cannot be ${action}; it must be ${allowed.join(' or ')}.`,
    extra: { state },
  });
}

/** Whether a placed order is paid. */
function isCovered(order: Order): boolean {
  return (order.state === 'open' || order.state === 'completed') && balanceOf(order) <= 0;
}

/**
 * The state of an order: completed if everything that is not cancelled is shipped and paid. Cancelling a parcel reopens a completed
 * order.
 */
function nextState(order: Order): OrderState {
  if (order.state === 'draft' || order.state === 'cancelled') return order.state;
  const { fulfilled_quantity, cancelled_quantity, ordered_quantity } = order;
  const isShipped = fulfilled_quantity > 0 && fulfilled_quantity + cancelled_quantity === ordered_quantity;
  if (order.state === 'completed') return isShipped ? 'completed' : 'open';
  return isShipped && balanceOf(order) <= 0 ? 'completed' : 'open';
}
