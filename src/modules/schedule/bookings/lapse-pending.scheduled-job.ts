import { ScheduledJob, sql, table, type Ctx, type DueRow, type ScheduledJobHandler, type Sql } from '../../../kit/index.js';
import { Booking } from '../model/records/booking.entity.js';
import { BookingChanges } from './lifecycle/booking-changes.service.js';

const MOST_HOURS = 48;

/** Rejects bookings that nobody confirmed within 48 hours or before they began, and notifies their guests. */
@ScheduledJob({
  name: 'schedule.lapse_pending_bookings',
  everySeconds: 60,
})
export class LapsePendingBookings implements ScheduledJobHandler {
  constructor(private readonly changes: BookingChanges) {}

  due(now: Date): Sql {
    return sql.unscoped('due rows of all organizations')`
      SELECT b.id, b.organization_id, b.project_id, b.mode FROM ${table(Booking)} b
      WHERE b.status = 'pending' AND (b.created_at <= ${now}::timestamptz - ${MOST_HOURS} * interval '1 hour' OR b.start_at <= ${now})`;
  }

  async handle(ctx: Ctx, { id }: DueRow, now: Date): Promise<void> {
    const latest = now.getTime() - MOST_HOURS * 3_600_000;
    await this.changes.lapse(ctx, id, ({ created_at, start_at }) => created_at.getTime() <= latest || start_at <= now);
  }
}
