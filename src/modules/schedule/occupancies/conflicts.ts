import type { Ctx, Tx } from '../../../kit/index.js';
import { fullSpans, type Span } from '../availability/slots.js';
import { ScheduleErrors } from '../model/core/schedule.errors.js';
import type { Calendar } from '../model/setup/calendar.entity.js';
import type { Resource } from '../model/setup/resource.entity.js';

const MOST_LISTED = 20;

/** What stands in the way of a change. */
export interface Conflict {
  /** Null for another event of the calendar. */
  resource_id: string | null;
  /** Absent if the caller may not see the event. */
  event_id?: string;
  start_at: string;
  end_at: string;
}

/** A use to be written: a resource for a time with its buffers. */
export interface NewUse extends Span {
  resource: Pick<Resource, 'id' | 'capacity'>;
}

interface FoundRow {
  resource_id: string | null;
  event_id: string;
  start_at: Date;
  end_at: Date;
  /** With buffers, in milliseconds since 1970. */
  from: string;
  to: string;
  visible: boolean;
}

const found = (resource: string, from: string, to: string) => `
  SELECT ${resource} AS resource_id, i.event_id, i.start_at, i.end_at,
    extract(epoch FROM ${from}) * 1000 AS "from", extract(epoch FROM ${to}) * 1000 AS "to",
    (c.visibility = 'project' OR c.owner_member_id IS NOT DISTINCT FROM $3::uuid) AS visible`;

const uses = (condition: string) => `
  ${found('o.resource_id', 'lower(o.span)', 'upper(o.span)')}
  FROM schedule_occupancies o JOIN schedule_instances i ON i.id = o.instance_id JOIN schedule_calendars c ON c.id = i.calendar_id
  WHERE o.organization_id = $1 AND o.mode = $2 AND o.resource_id = n.resource_id AND o.span && tstzrange(n.start_at, n.end_at)
    AND NOT o.soft AND ${condition}`;

/** Each row of occupancies is in exactly one of two indexes, so there is a branch for each. */
const USES = `
  SELECT DISTINCT u.* FROM unnest($4::uuid[], $5::timestamptz[], $6::timestamptz[]) AS n (resource_id, start_at, end_at)
  CROSS JOIN LATERAL (${uses('o.exclusive')} UNION ALL ${uses('NOT o.exclusive')}) AS u
  ORDER BY start_at, event_id LIMIT 20000`;

const EVENTS = `
  SELECT DISTINCT u.* FROM unnest($5::timestamptz[], $6::timestamptz[]) AS n (start_at, end_at)
  CROSS JOIN LATERAL (
    ${found('NULL::uuid', 'i.start_at', 'i.end_at')}
    FROM schedule_instances i JOIN schedule_calendars c ON c.id = i.calendar_id
    WHERE i.organization_id = $1 AND i.mode = $2 AND i.calendar_id = $4 AND i.busy
      AND tstzrange(i.start_at, i.end_at) && tstzrange(n.start_at, n.end_at) AND i.id <> ALL ($7::uuid[])
  ) AS u
  ORDER BY start_at, event_id LIMIT 1000`;

/** Throws `resource_conflict` if more uses than its capacity would be at once of a resource.
 * Call it under the locks, when the earlier uses of a changed event are gone. */
export async function requireFreeResources(ctx: Ctx, tx: Tx, news: readonly NewUse[]): Promise<void> {
  if (news.length === 0) return;
  const rows = await tx.query<FoundRow>(USES, [
    ctx.organizationId,
    ctx.mode,
    ctx.memberId,
    news.map(({ resource }) => resource.id),
    news.map(({ start }) => new Date(start)),
    news.map(({ end }) => new Date(end)),
  ]);
  const conflicts: FoundRow[] = [];
  for (const [resource, own] of byResource(news)) {
    const others = rows.filter(({ resource_id }) => resource_id === resource.id);
    const crowded = overfull([...own, ...others.map(spanOf)], resource.capacity);
    const hit = own.find((use) => crowded.some((span) => overlap(use, span)));
    if (!hit) continue;
    const inTheWay = others.filter((row) => crowded.some((span) => overlap(spanOf(row), span)));
    conflicts.push(...(inTheWay.length > 0 ? inTheWay : [itself(resource.id, hit)]));
  }
  if (conflicts.length > 0) throw ScheduleErrors.resourceConflict({ param: 'resource_ids', extra: { conflicts: shown(conflicts) } });
}

/** Throws `schedule_conflict` if busy times overlap in a calendar that rejects this. `ignoredIds`: instances that they replace. */
export async function requireFreeCalendar(
  ctx: Ctx,
  tx: Tx,
  { id, conflict_policy }: Calendar,
  busy: readonly Span[],
  ignoredIds: readonly string[],
): Promise<void> {
  if (conflict_policy !== 'reject' || busy.length === 0) return;
  const rows = await tx.query<FoundRow>(EVENTS, [
    ctx.organizationId,
    ctx.mode,
    ctx.memberId,
    id,
    busy.map(({ start }) => new Date(start)),
    busy.map(({ end }) => new Date(end)),
    ignoredIds,
  ]);
  const [twice] = overfull(busy, 1);
  if (rows.length > 0 || twice)
    throw ScheduleErrors.scheduleConflict({ extra: { conflicts: shown(rows.length > 0 ? rows : [itself(null, twice)]) } });
}

/** The parts in which more than `capacity` spans overlap. */
function overfull(spans: readonly Span[], capacity: number): Span[] {
  return fullSpans(spans, capacity + 1);
}

function overlap(a: Span, b: Span): boolean {
  return a.start < b.end && b.start < a.end;
}

function spanOf({ from, to }: FoundRow): Span {
  return { start: Number(from), end: Number(to) };
}

function byResource(news: readonly NewUse[]): Map<NewUse['resource'], NewUse[]> {
  const groups = new Map<NewUse['resource'], NewUse[]>();
  for (const use of news) groups.set(use.resource, [...(groups.get(use.resource) ?? []), use]);
  return groups;
}

/** The instances of a series overlap each other. */
function itself(resource_id: string | null, { start, end }: Span): FoundRow {
  const [start_at, end_at] = [new Date(start), new Date(end)];
  return { resource_id, event_id: '', start_at, end_at, from: String(start), to: String(end), visible: false };
}

function shown(rows: readonly FoundRow[]): Conflict[] {
  return rows.slice(0, MOST_LISTED).map(({ resource_id, event_id, start_at, end_at, visible }) => ({
    resource_id,
    ...(visible ? { event_id } : {}),
    start_at: start_at.toISOString(),
    end_at: end_at.toISOString(),
  }));
}
