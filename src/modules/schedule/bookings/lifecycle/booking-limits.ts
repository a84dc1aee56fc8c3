import { own, sql, table, type Ctx, type Tx } from '../../../../kit/index.js';
import { Booking } from '../../model/records/booking.entity.js';
import type { BookingPage } from '../../model/setup/booking-page.entity.js';

/** Bookings, and mailed codes. */
export const MOST_PER_ADDRESS_AND_DAY = 20;
const MOST_UPCOMING_PER_GUEST = 5;
/** More bookings than this in ten minutes, and the page asks for a mailed code for an hour. */
const SURGE_BOOKINGS = 20;
const SURGE_WINDOW = sql`interval '10 minutes'`;
const SURGE_LASTS = sql`interval '1 hour'`;

export type LimitExceeded = 'address' | 'guest';

/**
 * Whether an address or a guest has booked too often. Locks both, so that simultaneous bookings are counted; call it before taking other
 * locks.
 */
export async function exceededLimit(ctx: Ctx, tx: Tx, address: string | null, email: string): Promise<LimitExceeded | null> {
  await tx.advanced.mutex(
    `booking guest ${ctx.organizationId} ${email.toLowerCase()}`,
    ...(address ? [`booking address ${ctx.organizationId} ${address}`] : []),
  );
  const [counts] = await tx.sql<{ address: number; guest: number }>(
    sql.inAllProjects('limits of bookings count those of all projects')`SELECT
      (SELECT count(*)::int FROM ${table(Booking)} b
         WHERE ${own('b')} AND b.created_at > now() - interval '1 day' AND b.address = ${address}) AS address,
      (SELECT count(*)::int FROM ${table(Booking)} b
         WHERE ${own('b')} AND lower(b.guest_email) = lower(${email}) AND b.start_at > now()
           AND b.status IN ('pending', 'confirmed')) AS guest`,
  );
  if (counts.address >= MOST_PER_ADDRESS_AND_DAY) return 'address';
  return counts.guest >= MOST_UPCOMING_PER_GUEST ? 'guest' : null;
}

/** Whether a page was recently booked so often that bots are likely. */
export async function isSurging(tx: Tx, { id }: BookingPage): Promise<boolean> {
  const [found] = await tx.sql(
    sql`SELECT 1 FROM (
        SELECT b.created_at, lag(b.created_at, ${SURGE_BOOKINGS}) OVER (ORDER BY b.created_at) AS earlier FROM ${table(Booking)} b
        WHERE ${own('b')} AND b.page_id = ${id} AND b.created_at > now() - ${SURGE_LASTS} - ${SURGE_WINDOW}) found
      WHERE created_at > now() - ${SURGE_LASTS} AND earlier > created_at - ${SURGE_WINDOW} LIMIT 1`,
  );
  return found !== undefined;
}
