import { Injectable } from '@nestjs/common';
import {
  Contexts,
  Store,
  nextChange,
  offsetAt,
  organizationNameOf,
  own,
  table,
  TZ_RELEASE,
  sql,
  currentTime,
  DAY_MS,
  type Ctx,
  type Sql,
  type TokenRow,
} from '../../../kit/index.js';
import { writeCalendarObject, type CalendarEvent } from '../icalendar/calendar-object.js';
import { eventObjects } from '../invitations/event-objects.js';
import { ScheduleEvent } from '../model/records/event.entity.js';
import { Instance } from '../model/records/instance.entity.js';
import { Calendar } from '../model/setup/calendar.entity.js';
import { Feed } from '../model/setup/feed.entity.js';

const DAYS_BACK = 90;
const DAYS_AHEAD = 366;
const MOST_EVENTS = 5000;
/**
 * The version of the format. Raise it whenever the same events produce another text; `feed-format.e2e-spec.ts` has a sample with this
 * number.
 */
const FORMAT = 2;
const REFRESH_MINUTES = 60;

/** A feed as its reader sees it. */
export interface OpenedFeed {
  ctx: Ctx;
  feed: Feed;
  calendar: Calendar;
  organization: string;
}

interface FeedRow extends TokenRow {
  organization: string;
}

const byHash = (hash: string) => sql.unscoped('the feed that a token names')`
  SELECT f.id, f.organization_id, f.project_id, 'live' AS mode, NULL AS email, ${organizationNameOf('f')} AS organization
  FROM ${table(Feed)} f WHERE f.token_hash = ${hash}`;

/** What the events of a feed depend on. */
interface Window {
  calendarId: string;
  start: Sql;
  end: Sql;
  today: Sql;
  /** Whether the feed is a full one. */
  isFull: Sql;
}

const inWindow = ({ calendarId, start, end, today, isFull }: Window) => sql`${own('t')} AND t.calendar_id = ${calendarId}
  AND t.status <> 'cancelled' AND (${isFull} OR t.show_as = 'busy') AND t.id IN (
    SELECT i.event_id FROM ${table(Instance)} i
    WHERE ${own('i')} AND i.calendar_id = ${calendarId} AND i.start_at < ${end} AND i.end_at > ${start}
    GROUP BY i.event_id ORDER BY min(abs(extract(epoch FROM i.start_at - ${today}))), i.event_id LIMIT ${MOST_EVENTS})`;

/** A value that changes with every change of the events in the window: a change of an instance raises its event's version, too. */
const stateOf = (window: Window) => sql`
  SELECT md5(coalesce(string_agg(concat_ws(' ', t.id, t.version, t.updated_at), ',' ORDER BY t.id), '')) AS state
  FROM ${table(ScheduleEvent)} t WHERE ${inWindow(window)}`;

/** The events with a date in the window, nearest to today. For a busy-only feed, their texts are not even read. */
const eventsOf = (window: Window) => sql`
  SELECT t.id, t.ical_uid, t.sequence, t.timezone, t.start_at, t.end_at, t.start_local, t.all_day, t.start_on, t.end_on, t.rrule, t.exdates,
    t.status, t.show_as, t.updated_at, CASE WHEN ${window.isFull} THEN t.title ELSE 'Busy' END AS title,
    CASE WHEN ${window.isFull} THEN t.description END AS description, CASE WHEN ${window.isFull} THEN t.location END AS location
  FROM ${table(ScheduleEvent)} t WHERE ${inWindow(window)} ORDER BY t.id`;

/**
 * Of the dates that are, or by their rule would be, in the window and may differ from their rule, those nearest to today. A date that
 * could not follow a change of its zone's rules has nothing of its own; it shows only when compared with the offsets that this process
 * knows, because those of PostgreSQL can be of another release.
 */
const changedOf = (window: Window, series: readonly ScheduleEvent[], [zones, starts, ends, seconds]: SteadyOffsets) => sql`
  SELECT t.id, t.event_id, t.original_start_at, t.original_start_local, t.start_at, t.end_at, t.start_local, t.end_on, t.status,
    CASE WHEN ${window.isFull} THEN t.overrides ELSE t.overrides - ARRAY['title', 'description', 'location'] END AS overrides
  FROM ${table(Instance)} t JOIN ${table(ScheduleEvent)} e ON e.id = t.event_id AND ${own('e')}
  WHERE ${own('t')} AND t.calendar_id = ${window.calendarId} AND t.event_id = ANY (${series.map(({ id }) => id)}::uuid[])
    AND (t.overrides <> '{}' OR t.status = 'cancelled' OR NOT EXISTS (
      SELECT 1 FROM unnest(${zones}::text[], ${starts}::timestamptz[], ${ends}::timestamptz[], ${seconds}::integer[])
        AS s (zone, starts, ends, seconds)
      WHERE s.zone = e.timezone AND t.start_at >= s.starts AND t.start_at < s.ends
        AND t.original_start_local::timestamp = t.start_at AT TIME ZONE 'UTC' + make_interval(secs => s.seconds)))
    AND (t.start_at < ${window.end} AND t.end_at > ${window.start} OR t.original_start_at BETWEEN ${window.start} AND ${window.end})
  ORDER BY abs(extract(epoch FROM t.start_at - ${window.today})), t.id LIMIT ${MOST_EVENTS}`;

/** Calendars as iCalendar files by their secret address. */
@Injectable()
export class FeedReader {
  constructor(
    private readonly store: Store,
    private readonly contexts: Contexts,
  ) {}

  async open(token: string): Promise<OpenedFeed> {
    const unknown = 'There is no calendar at this address, or it was revoked.';
    const { ctx, row } = await this.contexts.byToken<FeedRow>(token, byHash, { unknown });
    const feed = await this.store.get(ctx, Feed, row.id);
    return { ctx, feed, calendar: await this.store.get(ctx, Calendar, feed.calendar_id), organization: row.organization };
  }

  /** A value that identifies the text of the feed without reading the events: equal values mean equal texts. */
  async state(opened: OpenedFeed, now = currentTime()): Promise<string> {
    const { ctx, feed, calendar } = opened;
    const [{ state }] = await this.store.reader(ctx).sql<{ state: string }>(stateOf(windowOf(opened, now)));
    return [FORMAT, TZ_RELEASE, feed.id, feed.detail, calendar.name, dayOf(now).toISOString(), state].join('\n');
  }

  /** The live events of 90 days back to 366 days ahead. */
  async read(opened: OpenedFeed, now = currentTime()): Promise<string> {
    const { ctx, feed, calendar } = opened;
    const reader = this.store.reader(ctx);
    const window = windowOf(opened, now);
    const events = await reader.sql<ScheduleEvent>(eventsOf(window));
    const series = events.filter(({ rrule }) => rrule !== null);
    const changed = new Map<string, Instance[]>();
    const dates = series.length > 0 ? await reader.sql<Instance>(changedOf(window, series, steadyOffsets(series, now))) : [];
    for (const instance of dates) changed.set(instance.event_id, [...(changed.get(instance.event_id) ?? []), instance]);
    return writeCalendarObject({
      method: 'PUBLISH',
      stampAt: feed.created_at,
      events: events.flatMap((event) => objectsOf(event, changed.get(event.id) ?? [])),
      feed: { name: calendar.name, refreshMinutes: REFRESH_MINUTES },
    });
  }
}

/** The window moves once a day, so that the text stays the same in between. */
function windowOf({ feed, calendar }: OpenedFeed, now: Date): Window {
  const today = dayOf(now);
  const day = (days: number) => sql`${new Date(today.getTime() + days * DAY_MS)}::timestamptz`;
  return {
    calendarId: calendar.id,
    start: day(-DAYS_BACK),
    end: day(DAYS_AHEAD + 1),
    today: day(0),
    isFull: sql`${feed.detail === 'full'}::boolean`,
  };
}

type SteadyOffsets = [zones: string[], starts: Date[], ends: Date[], seconds: number[]];

/**
 * When the clocks of the events' zones have which offset, in columns: zone, start, end, seconds. Within a day of a change a local time
 * may occur twice or never, so those days are in no period.
 */
function steadyOffsets(events: readonly ScheduleEvent[], now: Date): SteadyOffsets {
  const columns: SteadyOffsets = [[], [], [], []];
  // an all-day event that reaches into the window may have begun a year before it
  const [first, last] = [-DAYS_BACK - DAYS_AHEAD - 1, DAYS_AHEAD + 2].map((days) => now.getTime() + days * DAY_MS);
  for (const zone of new Set(events.map(({ timezone }) => timezone))) {
    let start = first;
    while (start < last) {
      const end = nextChange(start, last, zone) ?? last;
      columns[0].push(zone);
      columns[1].push(new Date(start + DAY_MS));
      columns[2].push(new Date(end - DAY_MS));
      columns[3].push(offsetAt(start, zone) / 1000);
      start = end;
    }
  }
  return columns;
}

function dayOf(now: Date): Date {
  return new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS);
}

function objectsOf(event: ScheduleEvent, changed: readonly Instance[]): CalendarEvent[] {
  return eventObjects(event, changed).map((object) => ({ ...object, stampAt: event.updated_at }));
}
