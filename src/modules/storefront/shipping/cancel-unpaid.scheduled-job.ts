import { ScheduledJob, sql, Store, table, type Ctx, type DueRow, type ScheduledJobHandler, type Sql } from '../../../kit/index.js';
import { Order } from '../model/order.entity.js';
import { CancellationsService } from './cancellations.service.js';

/** Cancels orders whose payment window has ended. */
@ScheduledJob({
  name: 'storefront.cancel_unpaid',
  everySeconds: 60,
})
export class CancelUnpaid implements ScheduledJobHandler {
  constructor(
    private readonly store: Store,
    private readonly cancellations: CancellationsService,
  ) {}

  due(now: Date): Sql {
    return sql.unscoped('due rows of all organizations')`
      SELECT o.id, o.organization_id, o.project_id, o.mode FROM ${table(Order)} o
      WHERE o.state = 'open' AND o.payment_state = 'unpaid' AND o.pay_by_at IS NOT NULL AND o.pay_by_at <= ${now}
        AND o.fulfilled_quantity = 0`;
  }

  async handle(ctx: Ctx, { id }: DueRow, now: Date): Promise<void> {
    await this.store.write(ctx, (tx) => this.cancellations.cancelUnpaid(ctx, tx, id, now));
  }
}
