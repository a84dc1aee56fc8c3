import { DomainError, ScheduledJob, Store, type Ctx, type DueQuery, type DueRow, type ScheduledJobHandler } from '../../../kit/index.js';
import { StockReservations } from './stock-reservations.js';

/** Ends reservations when they expire. */
@ScheduledJob({
  name: 'inventory.expire_reservations',
  everySeconds: 15,
})
export class ExpireReservations implements ScheduledJobHandler {
  constructor(
    private readonly store: Store,
    private readonly reservations: StockReservations,
  ) {}

  due(now: Date): DueQuery {
    return {
      sql: `SELECT id, organization_id, project_id, mode FROM stock_reservations WHERE status = 'active' AND expires_at <= $1`,
      values: [now],
    };
  }

  async handle(ctx: Ctx, { id }: DueRow, now: Date): Promise<void> {
    const mayEnd = ({ expires_at }: { expires_at: Date | null }) => expires_at !== null && expires_at <= now;
    await this.store.write(ctx, (tx) => this.reservations.release(ctx, tx, id, 'expired', { mayEnd })).catch(ignoreEnded);
  }
}

/** Somebody ended it meanwhile. */
function ignoreEnded(error: unknown): void {
  if (!(error instanceof DomainError) || error.spec.code !== 'not_found') throw error;
}
