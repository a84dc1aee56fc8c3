import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { CommonErrors, PaymentProviders, requireNew, type Ctx, type Tx } from '../../../kit/index.js';
import { linesNamed, writeLines, type LineUnits } from '../changes/line-quantities.js';
import { OrderChanges, requireState, type LockedOrder } from '../changes/order-changes.js';
import { Refund } from '../model/money.entity.js';
import type { Order } from '../model/order.entity.js';
import type { ShownFulfillment, ShownPayment, ShownRefund } from '../model/shown-parts.js';
import { invalid, missing, StorefrontErrors } from '../model/storefront.errors.js';
import { InvoiceableOrderDto } from '../order/invoiceable-order.dto.js';
import type { PendingRefund } from '../model/values.js';
import { OrderRefundDto, type RefundOrderDto, type RefundPaymentDto } from '../order/order-refund.dto.js';
import { OrderEvents } from '../order/orders.events.js';
import { balanceOf, keptOf, refundableUnits, refundAmount, refundUnits, type DividedRefund } from '../pricing/order-money.js';
import { Restocker } from '../shipping/restocker.js';
import { shownMoney, today } from './payments.service.js';

/** What the provider of payments answered to a refund that it was asked for. */
export type RefundOutcome = Pick<PendingRefund, 'id'> & Required<Pick<RefundOrderDto, 'status' | 'reference'>> & { reason?: string };

/** Records refunds, which others have made, and requests those that the provider of payments makes. No provider is called here. */
@Injectable()
export class RefundsService {
  constructor(
    private readonly changes: OrderChanges,
    private readonly restocker: Restocker,
    private readonly providers: PaymentProviders,
  ) {}

  record(ctx: Ctx, id: string, body: RefundOrderDto): Promise<Order> {
    return this.changes.write(ctx, id, (tx, locked) => this.write(ctx, tx, locked, body));
  }

  /** The job asks the provider, and settles the refund. */
  request(ctx: Ctx, id: string, paymentId: string, body: RefundPaymentDto): Promise<Order> {
    return this.changes.write(ctx, id, async (tx, locked) => {
      const { order, parts } = locked;
      requireState(order, ['open', 'completed', 'cancelled'], 'refunded');
      const payment = parts.payments.find((one) => one.id === paymentId);
      if (!payment) throw CommonErrors.notFound();
      requireOwn(payment, this.providers);
      const { amount } = divide(locked, body);
      requirePaid(order, amount);
      if (amount > payment.amount) throw invalid('amount', `must be at most ${payment.amount}, which was paid`);
      const { provider, reference: payment_reference } = payment;
      return this.changes.apply(tx, locked, {
        trigger: 'refund',
        columns: {
          pending_refund: {
            id: randomUUID(),
            payment_id: payment.id,
            provider,
            payment_reference,
            amount,
            body: { ...body },
            requested_at: tx.startedAt.toISOString(),
            requested_by: ctx.actor,
          },
        },
        parts,
        event: { definition: OrderEvents.updated },
      });
    });
  }

  /** Records what the provider answered, unless that has happened. */
  async settle(ctx: Ctx, tx: Tx, orderId: string, { id, ...outcome }: RefundOutcome): Promise<void> {
    const locked = await this.changes.target(tx, orderId);
    const { pending_refund: pending } = locked.order;
    if (pending?.id !== id) return;
    const { provider, requested_by: actor, body } = pending;
    const [recorded] = await tx.list(Refund, { project_id: locked.order.project_id, provider, reference: outcome.reference });
    // by the module, for example, when the provider reported it
    if (recorded) await this.changes.apply(tx, locked, { trigger: 'refund', columns: SETTLED, parts: locked.parts });
    else await this.write({ ...ctx, actor }, tx, locked, { ...body, provider, ...outcome }, SETTLED);
  }

  private async write(ctx: Ctx, tx: Tx, locked: LockedOrder, body: RefundOrderDto, settled: Partial<Order> = {}): Promise<Order> {
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
      return this.changes.apply(tx, locked, { trigger: 'refund', columns: settled, parts: { ...parts, refunds }, event });
    const fulfillments = await this.restock(ctx, tx, locked, body);
    await writeLines(tx, parts.lines, divided.lines);
    const changed = await this.changes.apply(tx, locked, {
      trigger: 'refund',
      columns: { ...settled, refunded_amount: order.refunded_amount + divided.amount, ...divided.columns },
      parts: { ...parts, lines: divided.lines, refunds, fulfillments },
      event,
    });
    const object = { ...InvoiceableOrderDto.from(changed), ...context };
    tx.emit(OrderEvents.refunded, { object, projectId: order.project_id });
    return changed;
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

const SETTLED = { pending_refund: null };

function requireOwn({ provider, status }: ShownPayment, providers: PaymentProviders): void {
  const current = providers.current();
  if (provider === current.name && status === 'succeeded' && current.refund) return;
  throw StorefrontErrors.refundByHand();
}

function divide(locked: LockedOrder, { amount, lines }: RefundPaymentDto): DividedRefund {
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
