import { Injectable } from '@nestjs/common';
import { CommonErrors, MINUTE_MS, own, plusDays, sql, table, type Sql, type SqlReader } from '../../../kit/index.js';
import type { AvailabilityRule, DayWindow } from '../model/core/weekly-hours.js';
import { Booking } from '../model/records/booking.entity.js';
import { Instance } from '../model/records/instance.entity.js';
import { Occupancy, OCCUPANCY_INDEXES } from '../model/records/occupancy.entity.js';
import { AvailabilityOverride } from '../model/setup/availability-override.entity.js';
import { Availability } from '../model/setup/availability.entity.js';
import { Calendar } from '../model/setup/calendar.entity.js';
import { EventTemplate } from '../model/setup/event-template.entity.js';
import { Resource as BookableResource } from '../model/setup/resource.entity.js';
import { ENGAGEMENTS } from '../occupancies/people.js';
import { dateOf, startOfDay } from '../time/zone-time.js';
import { freeSlots, type Bookable, type Slots } from './slots.js';
import type { Span } from '../time/spans.js';

export interface SlotRequest {
  /** Slots start at or after `from` and before `to`. */
  from: Date;
  to: Date;
  durationMinutes: number;
  now: Date;
  /** `null`: the calendar itself, whatever resources it has. A list: these of its active resources. Absent: all of them. */
  resourceIds?: readonly string[] | null;
  /** Tolerance for the minimum notice, in minutes; Infinity for hosts. */
  noticeGraceMinutes?: number;
  /** A single event that does not count: the one that is being moved. */
  ignoreEventId?: string | null;
  limit?: number;
}

/** Everything that the slots of a calendar depend on, except its events and bookings. */
export interface CalendarSetup extends Pick<Calendar, 'id' | 'status' | 'timezone' | 'conflict_policy' | 'visibility' | 'owner_member_id'> {
  /** Of its template. */
  default_duration_minutes: number;
  /** Of the calendar and of those resources that have their own. */
  hours: Hours[];
  /** The active ones that were asked for. */
  resources: Resource[];
}

/** When the calendar, or one of its resources, can be booked. */
interface Hours {
  /** Null: the calendar's own. */
  resource_id: string | null;
  rules: AvailabilityRule[];
  /** Those of the requested days; in a `CalendarSetup` also of some days around them. */
  overrides: { on: string; windows: DayWindow[] }[];
  slot_minutes: number;
  buffer_before: number;
  buffer_after: number;
  min_notice_minutes: number;
  horizon_days: number;
  daily_limit: number | null;
}

export interface FoundSlots extends Slots {
  /** Of the calendar and of those resources that have their own. */
  hours: readonly Hours[];
  /** The calendar or resources that were searched; empty for an inactive calendar. */
  bookables: readonly Bookable[];
  calendarBusy: readonly Span[];
}

interface Resource {
  id: string;
  name: string;
  capacity: number;
  buffer_before_minutes: number;
  buffer_after_minutes: number;
  member_id: string | null;
}

/** Finds free slots with two queries, however many resources a calendar has: `setup`, then `find`. */
@Injectable()
export class SlotFinder {
  /**
   * Reads the calendar with everything that slots in this span depend on, or throws `not_found`. It may be another member's private
   * calendar.
   */
  async setup(
    reader: SqlReader,
    calendarId: string,
    { from, to, resourceIds }: Pick<SlotRequest, 'from' | 'to' | 'resourceIds'>,
  ): Promise<CalendarSetup> {
    const wanted = resourceIds === undefined ? null : (resourceIds ?? []);
    // the zone is not known yet, and its dates differ from those of UTC by a day at most
    const [first, last] = [plusDays(dateOf(from, 'UTC'), -2), plusDays(dateOf(to, 'UTC'), 2)];
    const [found] = await reader.sql<CalendarSetup>(setupOf(calendarId, wanted, first, last));
    if (!found) throw CommonErrors.notFound();
    return found;
  }

  /**
   * The slots by a `setup` that was read for the same span. With a transaction that holds the locks of the calendar and its resources
   * as the `reader` of both, what is free stays free.
   */
  async find(reader: SqlReader, calendar: CalendarSetup, request: SlotRequest): Promise<FoundSlots> {
    const { from, to, now, durationMinutes, noticeGraceMinutes = 0, limit } = request;
    const { timezone: zone, resources } = calendar;
    const days = [plusDays(dateOf(from, zone), -1), plusDays(dateOf(to, zone), 1)] as const;
    const hours = calendar.hours.map((one) => ({ ...one, overrides: one.overrides.filter(({ on }) => days[0] <= on && on <= days[1]) }));
    const ofCalendar = hours.find(({ resource_id }) => resource_id === null);
    if (calendar.status !== 'active' || !ofCalendar) return { slots: [], nextFrom: null, hours, bookables: [], calendarBusy: [] };
    const isCalendar = request.resourceIds === null || (request.resourceIds === undefined && resources.length === 0);
    const bookables = isCalendar
      ? [
          bookableOf(
            { id: null, capacity: 1, buffer_before_minutes: 0, buffer_after_minutes: 0 },
            ofCalendar,
            ofCalendar,
            noticeGraceMinutes,
          ),
        ]
      : resources.map((one) => {
          const itsOwn = hours.find(({ resource_id }) => resource_id === one.id);
          return bookableOf(one, ofCalendar, itsOwn ?? ofCalendar, noticeGraceMinutes);
        });
    // whose other engagements count: the owner is the host of what has no resource
    const people = (isCalendar ? [{ id: null, member_id: calendar.owner_member_id }] : resources).filter(({ member_id }) => member_id);
    const widest = Math.max(0, ...bookables.map(({ bufferBefore, bufferAfter }) => Math.max(bufferBefore, bufferAfter)));
    const rows = await reader.sql<UseRow>(
      usesWithin({
        calendarId: calendar.id,
        resourceIds: bookables.flatMap(({ id }) => id ?? []),
        start: new Date(from.getTime() - widest * MINUTE_MS),
        end: new Date(to.getTime() + (durationMinutes + widest) * MINUTE_MS),
        // an event of one resource does not block the others, unless the calendar rejects all overlaps
        blocksAll: isCalendar || calendar.conflict_policy === 'reject',
        firstDay: startOfDay(dateOf(from, zone), zone),
        lastDay: startOfDay(days[1], zone),
        ignoreEventId: request.ignoreEventId ?? null,
        buffers: ofCalendar,
        people,
      }),
    );
    const keyOf = (kind: UseRow['kind'], id: string | null) => `${kind} ${id}`;
    const spans = new Map(
      rows.map(({ kind, resource_id, starts, ends }) => [keyOf(kind, resource_id), starts.map((start, at) => ({ start, end: ends[at] }))]),
    );
    const spansOf = (kind: UseRow['kind'], id: string | null = null): Span[] => spans.get(keyOf(kind, id)) ?? [];
    const calendarBusy = spansOf('busy');
    const used = bookables.map((one) => ({
      ...one,
      uses: one.id === null ? [] : spansOf('use', one.id),
      personBusy: spansOf('person', one.id),
    }));
    const found = freeSlots({
      zone,
      now: now.getTime(),
      from: from.getTime(),
      to: to.getTime(),
      durationMinutes,
      bookables: used,
      calendarBusy,
      bookingStarts: spansOf('booking').map(({ start }) => start),
      limit,
    });
    return { ...found, hours, bookables: used, calendarBusy };
  }
}

function bookableOf(
  resource: Omit<Resource, 'id' | 'name' | 'member_id'> & { id: string | null },
  calendar: Hours,
  hours: Hours,
  grace: number,
): Bookable {
  return {
    id: resource.id,
    hours,
    settings: {
      slotMinutes: hours.slot_minutes,
      minNoticeMinutes: Math.max(0, hours.min_notice_minutes - grace),
      horizonDays: hours.horizon_days,
      dailyLimit: hours.daily_limit,
    },
    bufferBefore: calendar.buffer_before + resource.buffer_before_minutes,
    bufferAfter: calendar.buffer_after + resource.buffer_after_minutes,
    capacity: resource.capacity,
    uses: [],
    personBusy: [],
  };
}

/** `wanted`: ids of resources, or null for all. The overrides are those from the first to the last day. */
function setupOf(calendarId: string, wanted: readonly string[] | null, first: string, last: string): Sql {
  const ids = sql`${wanted}::uuid[]`;
  return sql`
  SELECT c.id, c.status, c.timezone, c.conflict_policy, c.visibility, c.owner_member_id,
    (SELECT t.default_duration_minutes FROM ${table(EventTemplate)} t
      WHERE ${own('t')} AND t.id = c.template_id) AS default_duration_minutes,
    (SELECT coalesce(jsonb_agg(jsonb_build_object(
        'resource_id', a.resource_id, 'rules', a.rules, 'slot_minutes', a.slot_minutes, 'buffer_before', a.buffer_before,
        'buffer_after', a.buffer_after, 'min_notice_minutes', a.min_notice_minutes, 'horizon_days', a.horizon_days,
        'daily_limit', a.daily_limit, 'overrides', (
          SELECT coalesce(jsonb_agg(jsonb_build_object('on', o."on", 'windows', o.windows) ORDER BY o."on"), '[]')
          FROM ${table(AvailabilityOverride)} o
          WHERE ${own('o')} AND o.availability_id = a.id AND o."on" BETWEEN ${first} AND ${last}))), '[]')
      FROM ${table(Availability)} a
      WHERE ${own('a')} AND a.calendar_id = c.id
        AND (a.resource_id IS NULL OR ${ids} IS NULL OR a.resource_id = ANY (${ids}))) AS hours,
    (SELECT coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'name', r.name, 'capacity', r.capacity, 'member_id', r.member_id,
        'buffer_before_minutes', r.buffer_before_minutes, 'buffer_after_minutes', r.buffer_after_minutes) ORDER BY r.name, r.id), '[]')
      FROM ${table(BookableResource)} r
      WHERE ${own('r')} AND r.calendar_id = c.id AND r.active AND (${ids} IS NULL OR r.id = ANY (${ids}))) AS resources
  FROM ${table(Calendar)} c
  WHERE ${own('c')} AND c.id = ${calendarId}`;
}

/** The uses of one resource, the busy events of the calendar, the engagements of a person elsewhere, or the calendar's bookings. */
interface UseRow {
  kind: 'use' | 'busy' | 'person' | 'booking';
  /** The resource that is used, or that is the person; null for the calendar and its owner. */
  resource_id: string | null;
  /** Milliseconds since 1970; those of the same use are at the same index. */
  starts: number[];
  ends: number[];
}

/** What `usesWithin` looks for. */
interface Search {
  calendarId: string;
  resourceIds: readonly string[];
  start: Date;
  end: Date;
  /** Whether an event of the calendar with resources blocks, too. */
  blocksAll: boolean;
  /** Of the bookings, which count by day. */
  firstDay: Date;
  lastDay: Date;
  ignoreEventId: string | null;
  buffers: Pick<Hours, 'buffer_before' | 'buffer_after'>;
  /** Resources, or the calendar's owner, who are these members. */
  people: readonly Pick<Bookable & { member_id: string | null }, 'id' | 'member_id'>[];
}

/**
 * There are many thousands of uses, and a list of numbers costs a fraction of as many rows. People have engagements in all projects, of
 * which only the times are read.
 */
function usesWithin(search: Search): Sql {
  const calendarId = sql`${search.calendarId}::uuid`;
  const [start, end] = [sql`${search.start}::timestamptz`, sql`${search.end}::timestamptz`];
  const [before, after] = [sql`${search.buffers.buffer_before}::integer`, sql`${search.buffers.buffer_after}::integer`];
  const ignored = sql`${search.ignoreEventId}::uuid`;
  const blocks = sql`(${search.blocksAll}::boolean OR cardinality(i.resource_ids) = 0)`;
  const use = (condition: Sql) => sql`
  SELECT 'use' AS kind, o.resource_id, lower(o.span) AS starts_at, upper(o.span) AS ends_at
  FROM ${table(Occupancy)} o
  WHERE o.resource_id = ANY (${search.resourceIds}::uuid[]) AND ${own('o')} AND o.span && tstzrange(${start}, ${end})
    AND ${condition} AND (${ignored} IS NULL OR o.instance_id <> ${ignored})`;
  return sql.inAllProjects('a person has one time in all projects')`
  SELECT kind, resource_id, json_agg((date_part('epoch', starts_at) * 1000)::bigint) AS starts,
    json_agg((date_part('epoch', ends_at) * 1000)::bigint) AS ends
  FROM (
  ${sql.join(OCCUPANCY_INDEXES.map(use), ' UNION ALL ')}
  UNION ALL
  SELECT 'busy', NULL, i.start_at - make_interval(mins => ${before}), i.end_at + make_interval(mins => ${after})
  FROM ${table(Instance)} i
  WHERE i.calendar_id = ${calendarId} AND ${own('i')} AND i.busy AND (${ignored} IS NULL OR i.id <> ${ignored})
    AND tstzrange(i.start_at, i.end_at) && tstzrange(${start} - make_interval(mins => ${after}), ${end} + make_interval(mins => ${before}))
    AND ${blocks}
  UNION ALL
  SELECT 'person', n.resource_id, e.start_at, e.end_at
  FROM (SELECT u.resource_id, u.member_id, ${start} AS start_at, ${end} AS end_at
        FROM unnest(${search.people.map(({ id }) => id)}::uuid[], ${search.people.map(({ member_id }) => member_id)}::uuid[])
          AS u (resource_id, member_id)) AS n
  CROSS JOIN LATERAL (${ENGAGEMENTS}) AS e
  JOIN ${table(Instance)} i ON i.id = e.instance_id
  WHERE ${own('i')} AND (${ignored} IS NULL OR i.id <> ${ignored})
    -- those of the branch above
    AND NOT (i.calendar_id = ${calendarId} AND i.busy AND ${blocks})
  UNION ALL
  SELECT 'booking', NULL, b.start_at, b.end_at
  FROM ${table(Booking)} b
  WHERE b.calendar_id = ${calendarId} AND ${own('b')} AND b.status IN ('pending', 'confirmed')
    AND b.start_at >= ${search.firstDay} AND b.start_at < ${search.lastDay}
    AND (${ignored} IS NULL OR b.event_id IS DISTINCT FROM ${ignored})
  ) AS found
  GROUP BY kind, resource_id`;
}
