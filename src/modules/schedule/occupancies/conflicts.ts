import { sql, type Ctx, type Tx } from '../../../kit/index.js';
import { fullSpans, type Span } from '../time/spans.js';
import { CHOICE, ScheduleErrors } from '../model/core/schedule.errors.js';
import type { Calendar } from '../model/setup/calendar.entity.js';
import type { Resource } from '../model/setup/resource.entity.js';
import { APPOINTMENTS, IS_HOSTED } from './people.js';

const MOST_LISTED = 20;
const MINUTE_MS = 60_000;

/** A use or event that prevents a change. */
interface Conflict {
  /** Null for another event of the calendar. */
  resource_id: string | null;
  /** Absent if the caller may not see the event. */
  event_id?: string;
  start_at: string;
  end_at: string;
}

/** A use to be written: a resource for a time with its buffers. */
export interface NewUse extends Span {
  resource: Pick<Resource, 'id' | 'capacity' | 'member_id'>;
}

/** A time of a person, with buffers: as a resource, or as the host of a booking without one. */
export interface NewAppointment extends Span {
  resource_id: string | null;
  /** Null if the resource is not a member. */
  member_id: string | null;
}

interface FoundRow {
  resource_id: string | null;
  event_id: string;
  start_at: Date;
  end_at: Date;
  visible: boolean;
}

interface Buffers {
  buffer_before: number;
  buffer_after: number;
}

interface CrowdedRow {
  resource_id: string;
  start_at: Date;
  end_at: Date;
}

const found = (resource: string) => `
  SELECT ${resource} AS resource_id, i.event_id, i.start_at, i.end_at,
    (c.visibility = 'project' OR c.owner_member_id IS NOT DISTINCT FROM $3::uuid) AS visible`;

/** Each row of occupancies is in exactly one of two indexes, so there is a branch for each. */
const usesOf = (select: string, joins: string) =>
  ['o.exclusive', 'NOT o.exclusive']
    .map(
      (condition) => `${select} FROM schedule_occupancies o ${joins}
  WHERE o.organization_id = $1 AND o.mode = $2 AND o.resource_id = n.resource_id AND o.span && tstzrange(n.start_at, n.end_at)
    AND ${condition}`,
    )
    .join(' UNION ALL ');

/** Whether a use overlaps a new one. */
const IN_USE = ['o.exclusive', 'NOT o.exclusive']
  .map(
    (condition) => `(SELECT 1 FROM schedule_occupancies o
  WHERE o.organization_id = $1 AND o.mode = $2 AND o.resource_id = $3 AND o.span && tstzrange($4, $5)
    AND ${condition} LIMIT 1)`,
  )
  .join(' UNION ALL ');

/** The parts of the new uses in which more uses than the capacity overlap. Every use counts, so only the result is limited. */
const CROWDED = `
  WITH news AS (
    SELECT * FROM unnest($3::uuid[], $4::timestamptz[], $5::timestamptz[], $6::integer[]) AS n (resource_id, start_at, end_at, capacity)
    WHERE start_at < end_at
  ), uses AS (
    SELECT resource_id, start_at, end_at, 1 AS own FROM news
    UNION ALL
    SELECT o.resource_id, lower(o.span), upper(o.span), 0 FROM (
      SELECT DISTINCT u.* FROM news n CROSS JOIN LATERAL (${usesOf('SELECT o.id, o.resource_id, o.span', '')}) AS u
    ) AS o
  ), counted AS (
    SELECT resource_id, at, lead(at) OVER edges AS next_at, sum(change) OVER edges AS uses, sum(change * own) OVER edges AS own
    FROM uses CROSS JOIN LATERAL (VALUES (start_at, 1), (end_at, -1)) AS edge (at, change)
    -- an end comes before a start at the same time: they do not overlap
    WINDOW edges AS (PARTITION BY resource_id ORDER BY at, change)
  )
  SELECT resource_id, at AS start_at, next_at AS end_at
  FROM counted JOIN (SELECT DISTINCT resource_id, capacity FROM news) AS resource USING (resource_id)
  WHERE uses > capacity AND own > 0 AND at < next_at
  ORDER BY at, resource_id LIMIT 1000`;

const USES = `
  SELECT DISTINCT u.* FROM unnest($4::uuid[], $5::timestamptz[], $6::timestamptz[]) AS n (resource_id, start_at, end_at)
  CROSS JOIN LATERAL (${usesOf(
    found('o.resource_id'),
    'JOIN schedule_instances i ON i.id = o.instance_id JOIN schedule_calendars c ON c.id = i.calendar_id',
  )}) AS u
  ORDER BY start_at, event_id LIMIT ${MOST_LISTED}`;

/** The busy events of a calendar within its buffers, which both events keep free. */
const EVENTS = `
  SELECT DISTINCT u.* FROM unnest($5::timestamptz[], $6::timestamptz[]) AS n (start_at, end_at)
  CROSS JOIN LATERAL (
    ${found('NULL::uuid')}
    FROM schedule_instances i JOIN schedule_calendars c ON c.id = i.calendar_id
    WHERE i.organization_id = $1 AND i.mode = $2 AND i.calendar_id = $4 AND i.busy
      AND tstzrange(i.start_at, i.end_at) && tstzrange(n.start_at - make_interval(mins => $8), n.end_at + make_interval(mins => $8))
      AND i.id <> ALL ($7::uuid[])
  ) AS u
  ORDER BY start_at, event_id LIMIT ${MOST_LISTED}`;

const BUFFERS = `
  SELECT buffer_before, buffer_after FROM schedule_availabilities
  WHERE organization_id = $1 AND calendar_id = $2 AND resource_id IS NULL`;

/** What else people do at the times of new appointments. Ids of other projects are not told to callers of one project, $8. */
const ELSEWHERE = `
  SELECT DISTINCT n.resource_id, i.event_id, i.start_at, i.end_at,
    (c.visibility = 'project' OR c.owner_member_id IS NOT DISTINCT FROM $3::uuid)
      AND ($8::uuid IS NULL OR c.project_id = $8) AS visible
  FROM unnest($4::uuid[], $5::uuid[], $6::timestamptz[], $7::timestamptz[]) AS n (resource_id, member_id, start_at, end_at)
  CROSS JOIN LATERAL (${APPOINTMENTS}) AS e
  JOIN schedule_instances i ON i.id = e.instance_id
  JOIN schedule_calendars c ON c.id = i.calendar_id
  WHERE i.organization_id = $1 AND i.mode = $2 AND i.event_id <> $9
  ORDER BY start_at, event_id LIMIT ${MOST_LISTED}`;

/** The time, with buffers, of a booking that the owner of its calendar hosts. */
const HOSTED = `
  SELECT c.owner_member_id AS member_id,
    i.start_at - make_interval(mins => a.buffer_before) AS start_at, i.end_at + make_interval(mins => a.buffer_after) AS end_at
  FROM schedule_instances i
  JOIN schedule_calendars c ON c.id = i.calendar_id
  JOIN schedule_availabilities a ON a.organization_id = c.organization_id AND a.calendar_id = c.id AND a.resource_id IS NULL
  WHERE i.organization_id = $1 AND i.event_id = $2 AND i.busy AND c.owner_member_id IS NOT NULL AND ${IS_HOSTED}`;

/**
 * Throws `resource_conflict` if a resource would have more simultaneous uses than its capacity. Call it under the locks, after the
 * earlier uses of a changed event were deleted.
 */
export async function requireFreeResources(ctx: Ctx, tx: Tx, news: readonly NewUse[]): Promise<void> {
  if (news.length === 0) return;
  const crowded = await crowdedParts(ctx, tx, news);
  if (crowded.length === 0) return;
  const inTheWay = await tx.query<FoundRow>(
    sql.legacy(USES, [
      ctx.organizationId,
      ctx.mode,
      ctx.memberId,
      crowded.map(({ resource_id }) => resource_id),
      crowded.map(({ start_at }) => start_at),
      crowded.map(({ end_at }) => end_at),
    ]),
  );
  const conflicts = inTheWay.length > 0 ? inTheWay : crowded.map((part) => itself(part.resource_id, part));
  throw ScheduleErrors.resourceConflict({ param: 'resource_ids', extra: { conflicts: shown(conflicts) } });
}

async function crowdedParts(ctx: Ctx, tx: Tx, news: readonly NewUse[]): Promise<CrowdedRow[]> {
  const [{ resource, start, end }] = news;
  if (news.length === 1) {
    // most events use one resource while nobody else does, which is much cheaper to check than the peak of simultaneous uses
    const isInUse =
      (await tx.query(sql.legacy(IN_USE, [ctx.organizationId, ctx.mode, resource.id, new Date(start), new Date(end)]))).length > 0;
    if (!isInUse) return [];
    if (resource.capacity === 1) return [{ resource_id: resource.id, start_at: new Date(start), end_at: new Date(end) }];
  }
  return tx.query<CrowdedRow>(
    sql.legacy(CROWDED, [
      ctx.organizationId,
      ctx.mode,
      news.map((use) => use.resource.id),
      news.map((use) => new Date(use.start)),
      news.map((use) => new Date(use.end)),
      news.map((use) => use.resource.capacity),
    ]),
  );
}

/**
 * Throws `resource_conflict` if a person would have two appointments at once: as another resource, or as the host of a booking. Events in
 * the person's own calendar do not count, as colleagues may want to ask them to move those. `eventId`: the event of the appointments.
 */
export async function requireFreePeople(ctx: Ctx, tx: Tx, news: readonly NewAppointment[], eventId: string): Promise<void> {
  const ofPeople = news.filter(({ member_id }) => member_id !== null);
  if (ofPeople.length === 0) return;
  const conflicts = await tx.query<FoundRow>(
    sql.legacy(ELSEWHERE, [
      ctx.organizationId,
      ctx.mode,
      ctx.memberId,
      ofPeople.map(({ resource_id }) => resource_id),
      ofPeople.map(({ member_id }) => member_id),
      ofPeople.map(({ start }) => new Date(start)),
      ofPeople.map(({ end }) => new Date(end)),
      ctx.projectId,
      eventId,
    ]),
  );
  if (conflicts.length > 0)
    throw ScheduleErrors.resourceConflict({
      param: 'resource_ids',
      message: `A person has another appointment at this time; ${CHOICE}`,
      extra: { conflicts: shown(conflicts) },
    });
}

/**
 * Throws `resource_conflict` if the event is a booking whose host, the owner of its calendar, has another appointment. Call it under the
 * locks, after the event's instance was written.
 */
export async function requireFreeHost(ctx: Ctx, tx: Tx, eventId: string): Promise<void> {
  const hosted = await tx.query<{ member_id: string; start_at: Date; end_at: Date }>(sql.legacy(HOSTED, [ctx.organizationId, eventId]));
  const times = hosted.map(({ member_id, start_at, end_at }) => ({
    ...{ resource_id: null, member_id },
    ...{ start: start_at.getTime(), end: end_at.getTime() },
  }));
  await requireFreePeople(ctx, tx, times, eventId);
}

async function buffersOf({ organizationId }: Ctx, tx: Tx, { id }: Pick<Calendar, 'id'>): Promise<Buffers> {
  const [buffers] = await tx.query<Buffers>(sql.legacy(BUFFERS, [organizationId, id]));
  return buffers;
}

/**
 * Throws `schedule_conflict` if busy times overlap, or are closer than their buffers, in a calendar that rejects this. `ignoredIds`:
 * instances that they replace.
 */
export async function requireFreeCalendar(
  ctx: Ctx,
  tx: Tx,
  calendar: Calendar,
  busy: readonly Span[],
  ignoredIds: readonly string[],
): Promise<void> {
  if (calendar.conflict_policy !== 'reject' || busy.length === 0) return;
  const { buffer_before, buffer_after } = await buffersOf(ctx, tx, calendar);
  const between = buffer_before + buffer_after;
  const rows = await tx.query<FoundRow>(
    sql.legacy(EVENTS, [
      ctx.organizationId,
      ctx.mode,
      ctx.memberId,
      calendar.id,
      busy.map(({ start }) => new Date(start)),
      busy.map(({ end }) => new Date(end)),
      ignoredIds,
      between,
    ]),
  );
  const [twice] = fullSpans(
    busy.map(({ start, end }) => ({ start, end: end + between * MINUTE_MS })),
    2,
  );
  if (rows.length > 0 || twice)
    throw ScheduleErrors.scheduleConflict({
      extra: {
        conflicts: shown(rows.length > 0 ? rows : [itself(null, { start_at: new Date(twice.start), end_at: new Date(twice.end) })]),
      },
    });
}

/** The instances of a series overlap each other. */
function itself(resource_id: string | null, time: Pick<FoundRow, 'start_at' | 'end_at'>): FoundRow {
  return { ...time, resource_id, event_id: '', visible: false };
}

function shown(rows: readonly FoundRow[]): Conflict[] {
  return rows.slice(0, MOST_LISTED).map(({ resource_id, event_id, start_at, end_at, visible }) => ({
    resource_id,
    ...(visible ? { event_id } : {}),
    start_at: start_at.toISOString(),
    end_at: end_at.toISOString(),
  }));
}
