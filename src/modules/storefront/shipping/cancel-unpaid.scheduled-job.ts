import { ScheduledJob, Store, type Ctx, type DueQuery, type DueRow, type ScheduledJobHandler } from '../../../kit/index.js';
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

  due(now: Date): DueQuery {
    return {
      sql: `SELECT id, organization_id, project_id, mode FROM storefront_orders
        WHERE state = 'open' AND payment_state = 'unpaid' AND pay_by_at IS NOT NULL AND pay_by_at <= $1 AND fulfilled_quantity = 0`,
      values: [now],
    };
  }

  async handle(ctx: Ctx, { id }: DueRow, now: Date): Promise<void> {
    await this.store.write(ctx, (tx) => this.cancellations.cancelUnpaid(ctx, tx, id, now));
  }
}
