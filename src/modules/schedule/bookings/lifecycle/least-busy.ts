import { sql, type Ctx, type Tx } from '../../../../kit/index.js';

/**
 * Of free resources, the one with the fewest live bookings within 14 days of the time; among equals, the one unassigned for the longest
 * time. Locks are held meanwhile, so it reads only those bookings and the latest one of each resource.
 */
export async function leastBusy(ctx: Ctx, tx: Tx, resourceIds: readonly string[], start: Date): Promise<string> {
  const [chosen] = await tx.query<{ id: string }>(
    sql.legacy(
      `SELECT r.id
     FROM unnest($3::uuid[]) WITH ORDINALITY AS r(id, place)
     CROSS JOIN LATERAL (
       SELECT count(*) AS bookings FROM schedule_bookings b
       WHERE b.resource_id = r.id AND b.mode = $2 AND b.organization_id = $1 AND b.status IN ('pending', 'confirmed')
         AND b.start_at BETWEEN $4::timestamptz - interval '14 days' AND $4::timestamptz + interval '14 days') AS near
     LEFT JOIN LATERAL (
       SELECT b.created_at FROM schedule_bookings b
       WHERE b.resource_id = r.id AND b.mode = $2 AND b.organization_id = $1
       ORDER BY b.created_at DESC LIMIT 1) AS latest ON true
     ORDER BY near.bookings, latest.created_at NULLS FIRST, r.place LIMIT 1`,
      [ctx.organizationId, ctx.mode, resourceIds, start],
    ),
  );
  return chosen.id;
}
