import { Injectable } from '@nestjs/common';
import { requireNew, type Ctx, type Tx } from '../../../kit/index.js';
import { linesNamed, writeLines, type LineUnits } from '../changes/line-quantities.js';
import { OrderChanges, requireState, type LockedOrder } from '../changes/order-changes.js';
import { Refund } from '../model/money.entity.js';
import type { Order } from '../model/order.entity.js';
import type { ShownFulfillment, ShownRefund } from '../model/shown-parts.js';
import { invalid, missing, StorefrontErrors } from '../model/storefront.errors.js';
import { InvoiceableOrderDto } from '../order/invoiceable-order.dto.js';
import { OrderRefundDto, type RefundOrderDto } from '../order/order-refund.dto.js';
import { OrderEvents } from '../order/orders.events.js';
import { balanceOf, keptOf, refundableUnits, refundAmount, refundUnits, type DividedRefund } from '../pricing/order-money.js';
import { Restocker } from '../shipping/restocker.js';
import { shownMoney, today } from './payments.service.js';

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
      await requireNew(tx, Refund, order.project_id, 'reference', body.reference, { provider: body.provider });
      const divided = divide(locked, body);
      requirePaid(order, divided.amount);
      const refund = await this.insert(ctx, tx, order, body, divided);
      const context = { refund: OrderRefundDto.from(refund) };
      const event = { definition: OrderEvents.refundRecorded, context };
      const refunds = [...parts.refunds, refund];
      if (refund.status === 'failed')
        return this.changes.apply(tx, locked, { trigger: 'refund', columns: {}, parts: { ...parts, refunds }, event });
      const fulfillments = await this.restock(ctx, tx, locked, body);
      await writeLines(tx, parts.lines, divided.lines);
      const changed = await this.changes.apply(tx, locked, {
        trigger: 'refund',
        columns: { refunded_amount: order.refunded_amount + divided.amount, ...divided.columns },
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

function divide(locked: LockedOrder, { amount, lines }: RefundOrderDto): DividedRefund {
  const { order, parts } = locked;
  if (amount !== undefined && lines !== undefined)
    throw invalid('amount', 'must be left out if lines is sent: the lines say how much it is');
  if (amount === undefined && lines === undefined) throw missing('amount', 'is required unless lines is sent');
  const named = lines && linesNamed(parts.lines, lines);
  requireNothingDue(order);
  const units = named && refundable(locked, named);
  if (amount !== undefined) requirePaid(order, amount);
  const divided = units ? refundUnits(order, parts.lines, units) : refundAmount(order, parts.lines, amount as number);
  if (divided.amount === 0) throw invalid('lines', 'must contain units that were paid for: there is nothing to refund');
  requirePaid(order, divided.amount);
  return divided;
}

function refundable({ order, parts }: LockedOrder, units: LineUnits[]): LineUnits[] {
  for (const { line, quantity, param } of units) {
    const most = refundableUnits(order, parts.lines, line);
    if (quantity > most)
      throw invalid(
        `${param}.quantity`,
        `must be at most ${most}: units that were shipped, or were paid for and cancelled, and are not refunded yet`,
      );
  }
  return units;
}

/** While something is due, the payments do not cover what is kept, so nothing of them is due back. */
function requireNothingDue(order: Order): void {
  const due = balanceOf(order);
  if (due <= 0) return;
  throw StorefrontErrors.refundExceedsPayment({
    message:
      `There is nothing to refund: of ${keptOf(order)} for what the buyer keeps, ${order.paid_amount - order.refunded_amount} was paid ` +
      `and ${due} is still due. Cancel what the buyer does not keep first, or record the missing payment.`,
    extra: { refundable_amount: 0, due_amount: due },
  });
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
