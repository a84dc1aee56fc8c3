import { sql, type Ctx, type Tx } from '../../../../kit/index.js';
import type { BookingPage } from '../../model/setup/booking-page.entity.js';

/** Bookings, and mailed codes. */
export const MOST_PER_ADDRESS_AND_DAY = 20;
const MOST_UPCOMING_PER_GUEST = 5;
/** More bookings than this in ten minutes, and the page asks for a mailed code for an hour. */
const SURGE_BOOKINGS = 20;
const SURGE_WINDOW = '10 minutes';
const SURGE_LASTS = '1 hour';

export type LimitExceeded = 'address' | 'guest';

/**
 * Whether an address or a guest has booked too often. Locks both, so that simultaneous bookings are counted; call it before taking other
 * locks.
 */
export async function exceededLimit(ctx: Ctx, tx: Tx, address: string | null, email: string): Promise<LimitExceeded | null> {
  await tx.mutex(
    `booking guest ${ctx.organizationId} ${email.toLowerCase()}`,
    ...(address ? [`booking address ${ctx.organizationId} ${address}`] : []),
  );
  const [counts] = await tx.query<{ address: number; guest: number }>(
    sql.legacy(
      `SELECT
       (SELECT count(*)::int FROM schedule_bookings WHERE organization_id = $1 AND mode = $2
          AND created_at > now() - interval '1 day' AND address = $3) AS address,
       (SELECT count(*)::int FROM schedule_bookings WHERE organization_id = $1 AND mode = $2
          AND lower(guest_email) = lower($4) AND start_at > now() AND status IN ('pending', 'confirmed')) AS guest`,
      [ctx.organizationId, ctx.mode, address, email],
    ),
  );
  if (counts.address >= MOST_PER_ADDRESS_AND_DAY) return 'address';
  return counts.guest >= MOST_UPCOMING_PER_GUEST ? 'guest' : null;
}

/** Whether a page was recently booked so often that bots are likely. */
export async function isSurging(tx: Tx, { id }: BookingPage): Promise<boolean> {
  const [found] = await tx.query(
    sql.legacy(
      `SELECT 1 FROM (
       SELECT created_at, lag(created_at, ${SURGE_BOOKINGS}) OVER (ORDER BY created_at) AS earlier FROM schedule_bookings
       WHERE page_id = $1 AND mode = 'live' AND created_at > now() - interval '${SURGE_LASTS}' - interval '${SURGE_WINDOW}') b
     WHERE created_at > now() - interval '${SURGE_LASTS}' AND earlier > created_at - interval '${SURGE_WINDOW}' LIMIT 1`,
      [id],
    ),
  );
  return found !== undefined;
}
