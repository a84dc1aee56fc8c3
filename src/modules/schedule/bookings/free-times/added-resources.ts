import { sql, type Ctx, type SqlReader } from '../../../../kit/index.js';
import type { FoundSlots } from '../../availability/slot-finder.service.js';
import { fullSpans, type Span } from '../../time/spans.js';

const MINUTE_MS = 60_000;

interface AddedRow {
  id: string;
  capacity: number;
  buffer_before_minutes: number;
  buffer_after_minutes: number;
  /** Milliseconds since 1970. */
  uses: Span[];
}

/** Uses, by other events, of the resources that the host added to the booking's event. */
const ADDED = `
  SELECT r.id, r.capacity, r.buffer_before_minutes, r.buffer_after_minutes, jsonb_agg(jsonb_build_object(
    'start', extract(epoch FROM lower(o.span)) * 1000, 'end', extract(epoch FROM upper(o.span)) * 1000)) AS uses
  FROM schedule_events e
  JOIN schedule_resources r ON r.organization_id = e.organization_id AND r.id = ANY (e.resource_ids)
  JOIN schedule_occupancies o ON o.resource_id = r.id AND o.mode = $2 AND o.organization_id = $1 AND o.instance_id <> e.id
    AND o.span && tstzrange($4::timestamptz - make_interval(mins => $6 + r.buffer_before_minutes),
                            $5::timestamptz + make_interval(mins => $7 + r.buffer_after_minutes))
  WHERE e.organization_id = $1 AND e.mode = $2 AND e.id = $3
    AND NOT EXISTS (SELECT 1 FROM schedule_bookings b WHERE b.event_id = e.id AND b.resource_id = r.id)
  GROUP BY r.id`;

/** Keeps the slots at which the resources that the host added to the booking's event are free, too. */
export async function withAddedResources(
  ctx: Ctx,
  reader: SqlReader,
  eventId: string,
  found: FoundSlots,
  { from, to, minutes }: { from: Date; to: Date; minutes: number },
): Promise<FoundSlots> {
  const { buffer_before = 0, buffer_after = 0 } = found.hours.find(({ resource_id }) => resource_id === null) ?? {};
  const lastEnd = new Date(to.getTime() + minutes * MINUTE_MS);
  const values = [ctx.organizationId, ctx.mode, eventId, from, lastEnd, buffer_before, buffer_after];
  const blocked = (await reader.query<AddedRow>(sql.legacy(ADDED, values))).flatMap((resource) =>
    fullSpans(resource.uses, resource.capacity).map(({ start, end }) => ({
      start: start - (buffer_after + resource.buffer_after_minutes) * MINUTE_MS,
      end: end + (buffer_before + resource.buffer_before_minutes) * MINUTE_MS,
    })),
  );
  const isFree = (slot: Span) => blocked.every(({ start, end }) => end <= slot.start || slot.end <= start);
  return blocked.length === 0 ? found : { ...found, slots: found.slots.filter(isFree) };
}
