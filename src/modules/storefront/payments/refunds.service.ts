import { Injectable } from '@nestjs/common';
import { type Ctx, type Tx } from '../../../kit/index.js';
import { linesNamed, writeLines } from '../changes/line-quantities.js';
import { OrderChanges, requireState, type LockedOrder } from '../changes/order-changes.js';
import { balanceOf } from '../model/balance.js';
import { Refund } from '../model/money.entity.js';
import type { Order } from '../model/order.entity.js';
import type { ShownFulfillment, ShownRefund } from '../model/shown-parts.js';
import { invalid, missing, StorefrontErrors } from '../model/storefront.errors.js';
import { InvoiceableOrderDto } from '../order-views/invoiceable-order.dto.js';
import { OrderRefundDto } from '../order-views/order-refund.dto.js';
import { OrderEvents } from '../order-views/orders.events.js';
import type { RefundOrderDto } from '../requests/orders.dto.js';
import { Restocker } from '../shipping/restocker.js';
import { requireNewReference, shownMoney, today } from './payments.service.js';
import { refundOfAmount, refundOfUnits, type DividedRefund } from './refund-parts.js';

/** Records refunds. No provider is called. */
@Injectable()
export class RefundsService {
  constructor(
    private readonly changes: OrderChanges,
    private readonly restocker: Restocker,
  ) {}

  record(ctx: Ctx, id: string, body: RefundOrderDto): Promise<Order> {
    return this.changes.write(ctx, id, async (tx, locked) => {
      const { order, parts } = locked;
      requireState(order, ['open', 'completed', 'cancelled'], 'refunded');
      await requireNewReference(tx, Refund, order.project_id, body);
      const divided = divide(locked, body);
      requirePaid(order, divided.amount);
      const refund = await this.insert(ctx, tx, order, body, divided);
      const context = { refund: OrderRefundDto.from(refund) };
      const event = { definition: OrderEvents.refundRecorded, context };
      const refunds = [...parts.refunds, refund];
      if (refund.status === 'failed')
        return this.changes.apply(tx, locked, { trigger: 'refund', columns: {}, parts: { ...parts, refunds }, event });
      const fulfillments = await this.restock(ctx, tx, locked, body);
      await writeLines(ctx, tx, parts.lines, divided.lines);
      const due = Math.max(0, -balanceOf(order));
      const changed = await this.changes.apply(tx, locked, {
        trigger: 'refund',
        columns: {
          refunded_amount: order.refunded_amount + divided.amount,
          returned_amount: order.returned_amount + Math.max(0, divided.amount - due),
          shipping_refunded_amount: divided.shipping_refunded_amount,
        },
        parts: { ...parts, lines: divided.lines, refunds, fulfillments },
        event,
      });
      const object = { ...InvoiceableOrderDto.from(changed), ...context };
      tx.emit(OrderEvents.refunded, { object, projectId: order.project_id });
      return changed;
    });
  }

  private async insert(ctx: Ctx, tx: Tx, order: Order, body: RefundOrderDto, divided: DividedRefund): Promise<ShownRefund> {
    const { status = 'succeeded', provider, reference, on = today(tx), reason = null } = body;
    const lines = (body.lines ?? []).map(({ line_id, quantity, restock = false }) => ({ line_id, quantity, restock }));
    const { amount, parts } = divided;
    const row = await tx.insert(Refund, {
      project_id: order.project_id,
      order_id: order.id,
      amount,
      status,
      provider,
      reference,
      on,
      reason,
      lines,
      parts,
      created_by: ctx.actor,
    });
    return { ...shownMoney(row), reason, lines, parts };
  }

  private restock(ctx: Ctx, tx: Tx, { order, parts }: LockedOrder, { lines = [] }: RefundOrderDto): Promise<ShownFulfillment[]> {
    const returned = lines.flatMap(({ line_id, quantity, restock }, index) =>
      restock ? [{ line_id, quantity, param: `lines.${index}` }] : [],
    );
    return this.restocker.takeBackUnits(ctx, tx, order, parts, returned);
  }
}

function divide({ order, parts }: LockedOrder, { amount, lines }: RefundOrderDto): DividedRefund {
  if (amount !== undefined && lines !== undefined)
    throw invalid('amount', 'must be left out if lines is sent: the lines say how much it is');
  if (amount !== undefined) return refundOfAmount(order, parts.lines, requireAtMostPaid(order, amount));
  if (lines === undefined) throw missing('amount', 'is required unless lines is sent');
  const divided = refundOfUnits(order, parts.lines, linesNamed(parts.lines, lines));
  if (divided.amount === 0) throw invalid('lines', 'must contain units that were paid for: there is nothing to refund');
  return divided;
}

function requireAtMostPaid(order: Order, amount: number): number {
  requirePaid(order, amount);
  return amount;
}

/** Only succeeded refunds have been counted. */
function requirePaid({ paid_amount, refunded_amount }: Order, amount: number): void {
  const refundable = paid_amount - refunded_amount;
  if (amount <= refundable) return;
  throw StorefrontErrors.refundExceedsPayment({
    message: `Refunds cannot exceed what was paid: ${amount} is more than ${refundable}, which is left.`,
    extra: { refundable_amount: refundable },
  });
}
