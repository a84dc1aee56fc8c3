import { own, sql, table, type Tx } from '../../../../kit/index.js';
import { Booking } from '../../model/records/booking.entity.js';

/**
 * Of free resources, the one with the fewest live bookings within 14 days of the time; among equals, the one unassigned for the longest
 * time. Locks are held meanwhile, so it reads only those bookings and the latest one of each resource.
 */
export async function leastBusy(tx: Tx, resourceIds: readonly string[], start: Date): Promise<string> {
  const at = sql`${start}::timestamptz`;
  const [chosen] = await tx.sql<{ id: string }>(
    sql`SELECT r.id
      FROM unnest(${resourceIds}::uuid[]) WITH ORDINALITY AS r(id, place)
      CROSS JOIN LATERAL (
        SELECT count(*) AS bookings FROM ${table(Booking)} b
        WHERE b.resource_id = r.id AND ${own('b')} AND b.status IN ('pending', 'confirmed')
          AND b.start_at BETWEEN ${at} - interval '14 days' AND ${at} + interval '14 days') AS near
      LEFT JOIN LATERAL (
        SELECT b.created_at FROM ${table(Booking)} b
        WHERE b.resource_id = r.id AND ${own('b')}
        ORDER BY b.created_at DESC LIMIT 1) AS latest ON true
      ORDER BY near.bookings, latest.created_at NULLS FIRST, r.place LIMIT 1`,
  );
  return chosen.id;
}
