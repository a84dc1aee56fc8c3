import { Injectable } from '@nestjs/common';
import { Contexts, Store, type Ctx, type TokenRow } from '../../../kit/index.js';
import { writeCalendarObject, type CalendarEvent } from '../icalendar/calendar-object.js';
import { eventObjects } from '../invitations/event-objects.js';
import { ScheduleEvent } from '../model/records/event.entity.js';
import { Instance } from '../model/records/instance.entity.js';
import { Calendar } from '../model/setup/calendar.entity.js';
import { Feed } from '../model/setup/feed.entity.js';

const DAYS_BACK = 90;
const DAYS_AHEAD = 366;
const MOST_EVENTS = 5000;
const REFRESH_MINUTES = 60;
const DAY_MS = 86_400_000;

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

const BY_HASH = `
  SELECT f.id, f.organization_id, f.project_id, 'live' AS mode, NULL AS email, o.name AS organization
  FROM schedule_feeds f JOIN organizations o ON o.id = f.organization_id WHERE f.token_hash = $1`;

/** Of the events with a date in the window, those nearest to today. */
const IN_WINDOW = `t.calendar_id = :calendar AND t.status <> 'cancelled' AND (:full OR t.show_as = 'busy') AND t.id IN (
  SELECT i.event_id FROM schedule_instances i
  WHERE i.calendar_id = :calendar AND i.mode = 'live' AND i.start_at < :to AND i.end_at > :from
  GROUP BY i.event_id ORDER BY min(abs(extract(epoch FROM i.start_at - :now::timestamptz))), i.event_id LIMIT ${MOST_EVENTS})`;

/** Of the dates that are, or by their rule would be, in the window and differ from their rule, those nearest to today. */
const CHANGED = `t.id IN (
  SELECT i.id FROM schedule_instances i
  WHERE i.calendar_id = :calendar AND i.mode = 'live' AND i.event_id = ANY (:ids::uuid[])
    AND (i.overrides <> '{}' OR i.status = 'cancelled')
    AND (i.start_at < :to AND i.end_at > :from OR i.original_start_at BETWEEN :from AND :to)
  ORDER BY abs(extract(epoch FROM i.start_at - :now::timestamptz)), i.id LIMIT ${MOST_EVENTS})`;

/** Calendars as iCalendar files by their secret address. */
@Injectable()
export class FeedReader {
  constructor(
    private readonly store: Store,
    private readonly contexts: Contexts,
  ) {}

  async open(token: string): Promise<OpenedFeed> {
    const unknown = 'There is no calendar at this address, or it was revoked.';
    const { ctx, row } = await this.contexts.byToken<FeedRow>(token, BY_HASH, { unknown });
    const feed = await this.store.get(ctx, Feed, row.id);
    return { ctx, feed, calendar: await this.store.get(ctx, Calendar, feed.calendar_id), organization: row.organization };
  }

  /** The live events of 90 days back to 366 days ahead. The same events are the same text. */
  async read({ ctx, feed, calendar }: OpenedFeed, now = new Date()): Promise<string> {
    const [from, to] = [new Date(now.getTime() - DAYS_BACK * DAY_MS), new Date(now.getTime() + DAYS_AHEAD * DAY_MS)];
    const values = { calendar: calendar.id, from, to, now };
    const full = feed.detail === 'full';
    const events = await this.store.list(ctx, ScheduleEvent, {}, { sql: IN_WINDOW, values: { ...values, full } });
    const ids = events.filter(({ rrule }) => rrule !== null).map(({ id }) => id);
    const changed = await this.changedInstances(ctx, { ...values, ids });
    const objects = events.flatMap((event) => objectsOf(event, changed.get(event.id) ?? []));
    const shown = full ? objects : objects.map((object) => busy(object));
    return writeCalendarObject({
      method: 'PUBLISH',
      stampAt: feed.created_at,
      events: shown,
      feed: { name: calendar.name, refreshMinutes: REFRESH_MINUTES },
    });
  }

  /** The dates of series that differ from their rule, by series. */
  private async changedInstances(ctx: Ctx, values: { ids: string[] }): Promise<Map<string, Instance[]>> {
    const byEvent = new Map<string, Instance[]>();
    if (values.ids.length === 0) return byEvent;
    for (const instance of await this.store.list(ctx, Instance, {}, { sql: CHANGED, values }))
      byEvent.set(instance.event_id, [...(byEvent.get(instance.event_id) ?? []), instance]);
    return byEvent;
  }
}

function objectsOf(event: ScheduleEvent, changed: readonly Instance[]): CalendarEvent[] {
  return eventObjects(event, changed).map((object) => ({ ...object, stampAt: event.updated_at }));
}

function busy(object: CalendarEvent): CalendarEvent {
  return { ...object, title: 'Busy', description: null, location: null };
}
