import { MINUTE_MS, own, sql, table, type Ctx, type Sql, type Tx } from '../../../kit/index.js';
import { fullSpans, type Span } from '../time/spans.js';
import { CHOICE, ScheduleErrors } from '../model/core/schedule.errors.js';
import { Instance } from '../model/records/instance.entity.js';
import { Occupancy, OCCUPANCY_INDEXES } from '../model/records/occupancy.entity.js';
import { Availability } from '../model/setup/availability.entity.js';
import { Calendar } from '../model/setup/calendar.entity.js';
import type { Resource } from '../model/setup/resource.entity.js';
import { APPOINTMENTS, IS_HOSTED } from './people.js';

const MOST_LISTED = 20;

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

const found = ({ memberId }: Ctx, resource: Sql) => sql`
  SELECT ${resource} AS resource_id, i.event_id, i.start_at, i.end_at,
    (c.visibility = 'project' OR c.owner_member_id IS NOT DISTINCT FROM ${memberId}::uuid) AS visible`;

const usesOf = (select: Sql, joins: Sql) =>
  sql.join(
    OCCUPANCY_INDEXES.map(
      (condition) => sql`${select} FROM ${table(Occupancy)} o ${joins}
  WHERE ${own('o')} AND o.resource_id = n.resource_id AND o.span && tstzrange(n.start_at, n.end_at) AND ${condition}`,
    ),
    ' UNION ALL ',
  );

/** Whether a use overlaps a new one. */
const inUse = ({ resource, start, end }: NewUse) =>
  sql.join(
    OCCUPANCY_INDEXES.map(
      (condition) => sql`(SELECT 1 FROM ${table(Occupancy)} o
  WHERE ${own('o')} AND o.resource_id = ${resource.id} AND o.span && tstzrange(${new Date(start)}, ${new Date(end)})
    AND ${condition} LIMIT 1)`,
    ),
    ' UNION ALL ',
  );

/** The parts of the new uses in which more uses than the capacity overlap. Every use counts, so only the result is limited. */
const crowded = (news: readonly NewUse[]) => sql`
  WITH news AS (
    SELECT * FROM unnest(${news.map(({ resource }) => resource.id)}::uuid[], ${news.map(({ start }) => new Date(start))}::timestamptz[],
      ${news.map(({ end }) => new Date(end))}::timestamptz[], ${news.map(({ resource }) => resource.capacity)}::integer[])
      AS n (resource_id, start_at, end_at, capacity)
    WHERE start_at < end_at
  ), uses AS (
    SELECT resource_id, start_at, end_at, 1 AS own FROM news
    UNION ALL
    SELECT o.resource_id, lower(o.span), upper(o.span), 0 FROM (
      SELECT DISTINCT u.* FROM news n CROSS JOIN LATERAL (${usesOf(sql`SELECT o.id, o.resource_id, o.span`, sql``)}) AS u
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

const OF_INSTANCE = sql`JOIN ${table(Instance)} i ON i.id = o.instance_id AND ${own('i')}
  JOIN ${table(Calendar)} c ON c.id = i.calendar_id AND ${own('c')}`;

const usesAt = (ctx: Ctx, parts: readonly CrowdedRow[]) => sql`
  SELECT DISTINCT u.* FROM unnest(${parts.map(({ resource_id }) => resource_id)}::uuid[],
    ${parts.map(({ start_at }) => start_at)}::timestamptz[], ${parts.map(({ end_at }) => end_at)}::timestamptz[])
    AS n (resource_id, start_at, end_at)
  CROSS JOIN LATERAL (${usesOf(found(ctx, sql`o.resource_id`), OF_INSTANCE)}) AS u
  ORDER BY start_at, event_id LIMIT ${MOST_LISTED}`;

/** The busy events of a calendar within its buffers, which both events keep free; without some instances. */
const eventsAt = (ctx: Ctx, { id }: Calendar, busy: readonly Span[], between: number, ignoredIds: readonly string[]) => sql`
  SELECT DISTINCT u.* FROM unnest(${busy.map(({ start }) => new Date(start))}::timestamptz[],
    ${busy.map(({ end }) => new Date(end))}::timestamptz[]) AS n (start_at, end_at)
  CROSS JOIN LATERAL (
    ${found(ctx, sql`NULL::uuid`)}
    FROM ${table(Instance)} i JOIN ${table(Calendar)} c ON c.id = i.calendar_id
    WHERE ${own('i')} AND ${own('c')} AND i.calendar_id = ${id} AND i.busy
      AND tstzrange(i.start_at, i.end_at) && tstzrange(
        n.start_at - make_interval(mins => ${between}), n.end_at + make_interval(mins => ${between}))
      AND i.id <> ALL (${ignoredIds}::uuid[])
  ) AS u
  ORDER BY start_at, event_id LIMIT ${MOST_LISTED}`;

/** What else people do at the times of new appointments. Callers of one project do not see ids of other projects. */
const elsewhere = ({ memberId, projectId }: Ctx, news: readonly NewAppointment[], eventId: string) => sql.inAllProjects(
  'a person has one time in all projects',
)`
  SELECT DISTINCT n.resource_id, i.event_id, i.start_at, i.end_at,
    (c.visibility = 'project' OR c.owner_member_id IS NOT DISTINCT FROM ${memberId}::uuid)
      ${projectId === null ? sql`` : sql`AND c.project_id = ${projectId}`} AS visible
  FROM unnest(${news.map(({ resource_id }) => resource_id)}::uuid[], ${news.map(({ member_id }) => member_id)}::uuid[],
    ${news.map(({ start }) => new Date(start))}::timestamptz[], ${news.map(({ end }) => new Date(end))}::timestamptz[])
    AS n (resource_id, member_id, start_at, end_at)
  CROSS JOIN LATERAL (${APPOINTMENTS}) AS e
  JOIN ${table(Instance)} i ON i.id = e.instance_id
  JOIN ${table(Calendar)} c ON c.id = i.calendar_id AND ${own('c')}
  WHERE ${own('i')} AND i.event_id <> ${eventId}
  ORDER BY start_at, event_id LIMIT ${MOST_LISTED}`;

/** The time, with buffers, of a booking that the owner of its calendar hosts. */
const hosted = (eventId: string) => sql`
  SELECT c.owner_member_id AS member_id,
    i.start_at - make_interval(mins => a.buffer_before) AS start_at, i.end_at + make_interval(mins => a.buffer_after) AS end_at
  FROM ${table(Instance)} i
  JOIN ${table(Calendar)} c ON c.id = i.calendar_id AND ${own('c')}
  JOIN ${table(Availability)} a ON a.calendar_id = c.id AND a.resource_id IS NULL AND ${own('a')}
  WHERE ${own('i')} AND i.event_id = ${eventId} AND i.busy AND c.owner_member_id IS NOT NULL AND ${IS_HOSTED}`;

/**
 * Throws `resource_conflict` if a resource would have more simultaneous uses than its capacity. Call it under the locks, after the
 * earlier uses of a changed event were deleted.
 */
export async function requireFreeResources(ctx: Ctx, tx: Tx, news: readonly NewUse[]): Promise<void> {
  if (news.length === 0) return;
  const parts = await crowdedParts(tx, news);
  if (parts.length === 0) return;
  const inTheWay = await tx.sql<FoundRow>(usesAt(ctx, parts));
  const conflicts = inTheWay.length > 0 ? inTheWay : parts.map((part) => itself(part.resource_id, part));
  throw ScheduleErrors.resourceConflict({ param: 'resource_ids', extra: { conflicts: shown(conflicts) } });
}

async function crowdedParts(tx: Tx, news: readonly NewUse[]): Promise<CrowdedRow[]> {
  const [one] = news;
  if (news.length === 1) {
    // most events use one resource while nobody else does, which is much cheaper to check than the peak of simultaneous uses
    if ((await tx.sql(inUse(one))).length === 0) return [];
    const { resource, start, end } = one;
    if (resource.capacity === 1) return [{ resource_id: resource.id, start_at: new Date(start), end_at: new Date(end) }];
  }
  return tx.sql<CrowdedRow>(crowded(news));
}

/**
 * Throws `resource_conflict` if a person would have two appointments at once: as another resource, or as the host of a booking. Events in
 * the person's own calendar do not count, as colleagues may want to ask them to move those. `eventId`: the event of the appointments.
 */
export async function requireFreePeople(ctx: Ctx, tx: Tx, news: readonly NewAppointment[], eventId: string): Promise<void> {
  const ofPeople = news.filter(({ member_id }) => member_id !== null);
  if (ofPeople.length === 0) return;
  const conflicts = await tx.sql<FoundRow>(elsewhere(ctx, ofPeople, eventId));
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
  const appointments = await tx.sql<{ member_id: string; start_at: Date; end_at: Date }>(hosted(eventId));
  const times = appointments.map(({ member_id, start_at, end_at }) => ({
    resource_id: null,
    member_id,
    start: start_at.getTime(),
    end: end_at.getTime(),
  }));
  await requireFreePeople(ctx, tx, times, eventId);
}

async function buffersOf(tx: Tx, { id }: Pick<Calendar, 'id'>): Promise<Buffers> {
  const [buffers] = await tx.sql<Buffers>(
    sql`SELECT a.buffer_before, a.buffer_after FROM ${table(Availability)} a
      WHERE ${own('a')} AND a.calendar_id = ${id} AND a.resource_id IS NULL`,
  );
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
  const { buffer_before, buffer_after } = await buffersOf(tx, calendar);
  const between = buffer_before + buffer_after;
  const rows = await tx.sql<FoundRow>(eventsAt(ctx, calendar, busy, between, ignoredIds));
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
