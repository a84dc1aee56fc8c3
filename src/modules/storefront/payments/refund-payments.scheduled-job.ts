import {
  CommonErrors,
  Outbound,
  PaymentProviders,
  PaymentRefused,
  ScheduledJob,
  sql,
  Store,
  table,
  type Ctx,
  type DueRow,
  type ScheduledJobHandler,
  type Sql,
} from '../../../kit/index.js';
import { Order } from '../model/order.entity.js';
import type { PendingRefund } from '../model/values.js';
import { RefundsService } from './refunds.service.js';

const PATIENCE_MS = 20_000;

/** Asks the provider of payments for the refunds that were requested, and records what it answers. */
@ScheduledJob({
  name: 'storefront.refund_payments',
  everySeconds: 5,
})
export class RefundPayments implements ScheduledJobHandler {
  constructor(
    private readonly store: Store,
    private readonly providers: PaymentProviders,
    private readonly refunds: RefundsService,
    private readonly outbound: Outbound,
  ) {}

  due(): Sql {
    return sql.unscoped('due rows of all organizations')`
      SELECT o.id, o.organization_id, o.project_id, o.mode FROM ${table(Order)} o
      WHERE o.pending_refund IS NOT NULL AND ${this.outbound.isOpen}`;
  }

  async handle(ctx: Ctx, { id }: DueRow, _now: Date, stopped: AbortSignal): Promise<void> {
    const order = await this.store.get(ctx, Order, id);
    if (order.pending_refund === null) return;
    const outcome = await this.pay(order, order.pending_refund, AbortSignal.any([stopped, AbortSignal.timeout(PATIENCE_MS)]));
    await this.store.write(ctx, (tx) => this.refunds.settle(ctx, tx, id, outcome));
  }

  private async pay(order: Order, { id, provider, payment_reference: reference, amount }: PendingRefund, signal: AbortSignal) {
    const current = this.providers.current();
    if (current.name !== provider || !current.refund)
      throw CommonErrors.unavailable({ message: `The refund ${id} is one of ${provider}, but the provider is ${current.name}.` });
    const { organization_id: organizationId, project_id: projectId, mode, currency } = order;
    try {
      const refund = await current.refund({ id, organizationId, projectId, mode, reference, amount, currency, signal });
      return { id, status: 'succeeded', reference: refund } as const;
    } catch (error) {
      if (error instanceof PaymentRefused) return { id, status: 'failed', reference: id, reason: error.message } as const;
      throw error;
    }
  }
}
