import {
  DomainError,
  ScheduledJob,
  sql,
  Store,
  table,
  type Ctx,
  type DueRow,
  type ScheduledJobHandler,
  type Sql,
} from '../../../kit/index.js';
import { StockReservation } from '../model/reservation.entity.js';
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

  due(now: Date): Sql {
    return sql.unscoped('due rows of all organizations')`
      SELECT r.id, r.organization_id, r.project_id, r.mode FROM ${table(StockReservation)} r
      WHERE r.status = 'active' AND r.expires_at <= ${now}`;
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
