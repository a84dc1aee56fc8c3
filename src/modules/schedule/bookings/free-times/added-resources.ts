import { MINUTE_MS, own, sql, table, type SqlReader } from '../../../../kit/index.js';
import type { FoundSlots } from '../../availability/slot-finder.service.js';
import { Booking } from '../../model/records/booking.entity.js';
import { ScheduleEvent } from '../../model/records/event.entity.js';
import { Occupancy } from '../../model/records/occupancy.entity.js';
import { Resource } from '../../model/setup/resource.entity.js';
import { fullSpans, type Span } from '../../time/spans.js';

interface AddedRow {
  id: string;
  capacity: number;
  buffer_before_minutes: number;
  buffer_after_minutes: number;
  /** Milliseconds since 1970. */
  uses: Span[];
}

/** Uses, by other events, of the resources that the host added to the booking's event. */
const added = (eventId: string, from: Date, lastEnd: Date, before: number, after: number) => sql`
  SELECT r.id, r.capacity, r.buffer_before_minutes, r.buffer_after_minutes, jsonb_agg(jsonb_build_object(
    'start', extract(epoch FROM lower(o.span)) * 1000, 'end', extract(epoch FROM upper(o.span)) * 1000)) AS uses
  FROM ${table(ScheduleEvent)} e
  JOIN ${table(Resource)} r ON ${own('r')} AND r.id = ANY (e.resource_ids)
  JOIN ${table(Occupancy)} o ON o.resource_id = r.id AND ${own('o')} AND o.instance_id <> e.id
    AND o.span && tstzrange(${from}::timestamptz - make_interval(mins => ${before} + r.buffer_before_minutes),
                            ${lastEnd}::timestamptz + make_interval(mins => ${after} + r.buffer_after_minutes))
  WHERE ${own('e')} AND e.id = ${eventId}
    AND NOT EXISTS (SELECT 1 FROM ${table(Booking)} b WHERE ${own('b')} AND b.event_id = e.id AND b.resource_id = r.id)
  GROUP BY r.id`;

/** Keeps the slots at which the resources that the host added to the booking's event are free, too. */
export async function withAddedResources(
  reader: SqlReader,
  eventId: string,
  found: FoundSlots,
  { from, to, minutes }: { from: Date; to: Date; minutes: number },
): Promise<FoundSlots> {
  const { buffer_before = 0, buffer_after = 0 } = found.hours.find(({ resource_id }) => resource_id === null) ?? {};
  const lastEnd = new Date(to.getTime() + minutes * MINUTE_MS);
  const blocked = (await reader.sql<AddedRow>(added(eventId, from, lastEnd, buffer_before, buffer_after))).flatMap((resource) =>
    fullSpans(resource.uses, resource.capacity).map(({ start, end }) => ({
      start: start - (buffer_after + resource.buffer_after_minutes) * MINUTE_MS,
      end: end + (buffer_before + resource.buffer_before_minutes) * MINUTE_MS,
    })),
  );
  const isFree = (slot: Span) => blocked.every(({ start, end }) => end <= slot.start || slot.end <= start);
  return blocked.length === 0 ? found : { ...found, slots: found.slots.filter(isFree) };
}
