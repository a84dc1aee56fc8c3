import { Injectable } from '@nestjs/common';
import type { Ctx, Tx } from '../../../kit/index.js';
import { linesNamed, openUnits, writeLines, type LineUnits } from '../changes/line-quantities.js';
import { OrderChanges, requireState, type LockedOrder, type Trigger } from '../changes/order-changes.js';
import { returnDiscount } from '../discounts/discount-rules.js';
import type { Order } from '../model/order.entity.js';
import type { ShownLine } from '../model/shown-parts.js';
import { StorefrontErrors } from '../model/storefront.errors.js';
import { OrderEvents } from '../order/orders.events.js';
import { cancelUnits } from '../pricing/order-money.js';
import type { CancelOrderDto } from '../order/order-requests.dto.js';
import { ShipmentStock } from './shipment-stock.js';

/** Cancels units that are not shipped. Refunds nothing: the totals show the amount to refund. */
@Injectable()
export class CancellationsService {
  constructor(
    private readonly changes: OrderChanges,
    private readonly stock: ShipmentStock,
  ) {}

  cancel(ctx: Ctx, id: string, { lines, reason }: CancelOrderDto): Promise<Order> {
    return this.changes.write(ctx, id, async (tx, locked) => {
      // all units of a completed order are shipped
      requireState(locked.order, ['open', 'completed'], 'cancelled');
      const units = lines ? linesNamed(locked.parts.lines, lines) : allUnits(locked.parts.lines);
      requireUnshipped(units);
      return this.cancelUnits(ctx, tx, locked, units, { reason, trigger: 'cancel' });
    });
  }

  /** Cancels an order that was not paid in time, unless it was paid or shipped in the meantime. */
  async cancelUnpaid(ctx: Ctx, tx: Tx, id: string, now: Date): Promise<void> {
    const locked = await this.changes.target(tx, id);
    const { state, payment_state, fulfillment_state, pay_by_at } = locked.order;
    const isDue =
      state === 'open' && payment_state === 'unpaid' && fulfillment_state === 'unfulfilled' && pay_by_at !== null && pay_by_at <= now;
    if (!isDue) return;
    const units = allUnits(locked.parts.lines);
    await this.cancelUnits(ctx, tx, locked, units, { reason: 'Not paid in time', trigger: 'payment_window' });
  }

  private async cancelUnits(
    ctx: Ctx,
    tx: Tx,
    locked: LockedOrder,
    units: readonly LineUnits[],
    { reason, trigger }: { reason: string; trigger: Trigger },
  ): Promise<Order> {
    const { order, parts } = locked;
    const willEnd = parts.lines.every((line) => line.cancelled_quantity + unitsOf(units, line) === line.quantity);
    // locked before the stock, in the same order as when an order is placed
    if (willEnd && order.discount_id !== null) await returnDiscount(tx, order.id, order.discount_id);
    const reserved = await this.stock.release(ctx, tx, units);
    const { lines: cancelled, columns } = cancelUnits(order, parts.lines, units, willEnd);
    const lines = cancelled.map((line, index) =>
      line === parts.lines[index] ? line : { ...line, reservations: reserved.get(line.id) ?? line.reservations },
    );
    await writeLines(tx, parts.lines, lines);
    return this.changes.apply(tx, locked, {
      trigger,
      columns: {
        ...columns,
        cancel_reason: reason,
        ...(willEnd ? { state: 'cancelled', cancelled_at: tx.startedAt } : {}),
      },
      parts: { ...parts, lines },
      event: { definition: OrderEvents.updated },
    });
  }
}

function unitsOf(units: readonly LineUnits[], { id }: ShownLine): number {
  return units.find(({ line }) => line.id === id)?.quantity ?? 0;
}

function allUnits(lines: readonly ShownLine[]): LineUnits[] {
  return lines.flatMap((line, index) => {
    const quantity = line.quantity - line.cancelled_quantity;
    return quantity > 0 ? [{ line, quantity, param: `lines.${index}` }] : [];
  });
}

function requireUnshipped(units: readonly LineUnits[]): void {
  const shipped = units.filter(({ line, quantity }) => quantity > openUnits(line));
  if (shipped.length === 0) return;
  const details = shipped.map(({ line, param }) => ({
    param: `${param}.quantity`,
    code: 'order_shipped',
    message: `${line.fulfilled_quantity} of ${line.quantity} units of ${line.sku} were shipped; ${openUnits(line)} can be cancelled`,
    line_id: line.id,
    cancellable_quantity: openUnits(line),
  }));
  throw StorefrontErrors.orderShipped({ param: details[0].param, message: `${details[0].message}.`, details });
}
