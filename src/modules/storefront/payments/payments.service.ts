import { Injectable } from '@nestjs/common';
import { AmountTooLarge, requireNew, sumOf, type Ctx, type Tx } from '../../../kit/index.js';
import { OrderChanges, requireState } from '../changes/order-changes.js';
import { Payment } from '../model/money.entity.js';
import type { Order } from '../model/order.entity.js';
import type { ShownPayment } from '../model/shown-parts.js';
import { invalid } from '../model/storefront.errors.js';
import { InvoiceableOrderDto } from '../order/invoiceable-order.dto.js';
import { OrderPaymentDto, type RecordOrderPaymentDto } from '../order/order-payment.dto.js';
import { OrderEvents } from '../order/orders.events.js';

/** Records payments. No provider is called. */
@Injectable()
export class PaymentsService {
  constructor(private readonly changes: OrderChanges) {}

  /** Records a payment, also for a cancelled order, because money may arrive late; it must be refunded then. */
  record(ctx: Ctx, id: string, body: RecordOrderPaymentDto): Promise<Order> {
    return this.changes.write(ctx, id, async (tx, locked) => {
      const { order, parts } = locked;
      requireState(order, ['open', 'completed', 'cancelled'], 'paid');
      await requireNew(tx, Payment, order.project_id, 'reference', body.reference, { provider: body.provider });
      const { amount, status = 'succeeded', provider, reference, on = today(tx) } = body;
      const paid_amount = status === 'succeeded' ? sum(order.paid_amount, amount) : order.paid_amount;
      const row = await tx.insert(Payment, {
        project_id: order.project_id,
        order_id: order.id,
        amount,
        status,
        provider,
        reference,
        on,
        created_by: ctx.actor,
      });
      const payment = shownMoney(row);
      const changed = await this.changes.apply(tx, locked, {
        trigger: 'payment',
        columns: { paid_amount },
        parts: { ...parts, payments: [...parts.payments, payment] },
        event: { definition: OrderEvents.paymentRecorded, context: { payment: OrderPaymentDto.from(payment) } },
      });
      if (status === 'succeeded')
        tx.emit(OrderEvents.paymentReceived, { object: InvoiceableOrderDto.from(changed), projectId: order.project_id });
      return changed;
    });
  }
}

export function shownMoney(row: Payment): ShownPayment {
  const { id, amount, status, provider, reference, on, created_at } = row;
  return { id, amount, status, provider, reference, on, created_at: created_at.toISOString() };
}

export function today({ startedAt }: Tx): string {
  return startedAt.toISOString().slice(0, 10);
}

function sum(paid: number, amount: number): number {
  try {
    return sumOf([paid, amount]);
  } catch (error) {
    if (error instanceof AmountTooLarge) throw invalid('amount', `must not raise what was paid beyond ${Number.MAX_SAFE_INTEGER}`);
    throw error;
  }
}
