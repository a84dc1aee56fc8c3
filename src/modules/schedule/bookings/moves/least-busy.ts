import type { Ctx, Tx } from '../../../../kit/index.js';

/** Of resources that are free: the one with the fewest live bookings within 14 days of the time; of those, the longest unassigned. */
export async function leastBusy(ctx: Ctx, tx: Tx, resourceIds: readonly string[], start: Date): Promise<string> {
  const [chosen] = await tx.query<{ id: string }>(
    `SELECT r.id
     FROM unnest($3::uuid[]) WITH ORDINALITY AS r(id, place)
     LEFT JOIN LATERAL (
       SELECT count(*) FILTER (WHERE b.start_at BETWEEN $4::timestamptz - interval '14 days' AND $4::timestamptz + interval '14 days'
           AND b.status IN ('pending', 'confirmed')) AS bookings, max(b.created_at) AS latest
       FROM schedule_bookings b WHERE b.resource_id = r.id AND b.mode = $2 AND b.organization_id = $1) used ON true
     ORDER BY used.bookings, used.latest NULLS FIRST, r.place LIMIT 1`,
    [ctx.organizationId, ctx.mode, resourceIds, start],
  );
  return chosen.id;
}
