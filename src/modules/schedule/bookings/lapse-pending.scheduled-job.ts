import { ScheduledJob, type Ctx, type DueQuery, type DueRow, type ScheduledJobHandler } from '../../../kit/index.js';
import { BookingChanges } from './lifecycle/booking-changes.service.js';

const MOST_HOURS = 48;

/** Rejects bookings that nobody confirmed within 48 hours or before they began, and tells their guests. */
@ScheduledJob({
  name: 'schedule.lapse_pending_bookings',
  everySeconds: 60,
})
export class LapsePendingBookings implements ScheduledJobHandler {
  constructor(private readonly changes: BookingChanges) {}

  due(now: Date): DueQuery {
    return {
      sql: `SELECT id, organization_id, project_id, mode FROM schedule_bookings
            WHERE status = 'pending' AND (created_at <= $1::timestamptz - $2 * interval '1 hour' OR start_at <= $1)`,
      values: [now, MOST_HOURS],
    };
  }

  async handle(ctx: Ctx, { id }: DueRow, now: Date): Promise<void> {
    const latest = now.getTime() - MOST_HOURS * 3_600_000;
    await this.changes.lapse(ctx, id, ({ created_at, start_at }) => created_at.getTime() <= latest || start_at <= now);
  }
}
