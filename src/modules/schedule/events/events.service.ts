import { Injectable } from '@nestjs/common';
import {
  CommonErrors,
  currentTime,
  DAY_MS,
  invalid,
  isInstant,
  own,
  sql,
  Store,
  table,
  type Ctx,
  type Page,
  type Sql,
} from '../../../kit/index.js';
import { CalendarAccess, requireActive } from '../calendars/calendar-access.js';
import { publish } from '../calendars/publish.js';
import { requireZone } from '../calendars/zone-field.js';
import type { CalendarEventDto } from '../event-views/calendar-event.dto.js';
import { CalendarEventEvents } from '../event-views/calendar-events.events.js';
import { eventView } from '../event-views/event-view.js';
import { EventInvitees } from '../invitees/event-invitees.js';
import { ScheduleEvent } from '../model/records/event.entity.js';
import { Instance } from '../model/records/instance.entity.js';
import { Calendar } from '../model/setup/calendar.entity.js';
import { EventTemplate } from '../model/setup/event-template.entity.js';
import { requireTemplateFields } from './event-fields.js';
import { comparedInstantOf, requireWindow } from '../time/zone-time.js';
import { instantsOf, timeOf } from './event-time.js';
import { EventInstances } from './event-instances.js';
import { EventWriter } from './event-writer.js';
import type { CalendarEventsQuery, CreateEventDto } from './events.dto.js';
import { seriesOf } from './series.js';

const DEFAULT_DAYS = 31;
const LONGEST_DAYS = 366;

/**
 * Starts at the earliest instance that began before the window and reaches into it, so that one index range contains all instances, in
 * order.
 */
const within = (calendar: string, from: Sql, to: Sql) => sql`
  t.calendar_id = ${calendar} AND t.start_at < ${to} AND t.end_at > ${from} AND t.start_at >= (
    SELECT LEAST(${from}, min(s.start_at)) FROM ${table(Instance)} s
    WHERE s.calendar_id = ${calendar} AND ${own('s')} AND tstzrange(s.start_at, s.end_at) @> ${from}
  )`;

/** The template of a calendar, read together with it. */
const ofCalendar = (id: string) => sql`t.id = (SELECT c.template_id FROM ${table(Calendar)} c WHERE ${own('c')} AND c.id = ${id})`;

/** Lists and creates events. */
@Injectable()
export class EventsService {
  constructor(
    private readonly store: Store,
    private readonly calendars: CalendarAccess,
    private readonly writer: EventWriter,
    private readonly eventInstances: EventInstances,
    private readonly invitees: EventInvitees,
  ) {}

  async page(ctx: Ctx, calendarId: string, query: CalendarEventsQuery): Promise<Page<CalendarEventDto>> {
    const calendar = await this.calendars.get(ctx, calendarId);
    if (query.view === 'series') return this.seriesPage(ctx, calendar.id, query);
    if (query.sort === 'updated_at' || query.sort === '-updated_at') throw invalid('sort', 'by updated_at requires view=series');
    const page = await this.store.page(ctx, Instance, query, windowOf(calendar, query));
    const events = await this.store.list(ctx, ScheduleEvent, { id: [...new Set(page.data.map(({ event_id }) => event_id))] });
    const byId = new Map(events.map((event) => [event.id, event]));
    // a series that was deleted between the two queries has no instances
    const data = page.data.flatMap((instance) => {
      const event = byId.get(instance.event_id);
      return event ? eventView(event, instance) : [];
    });
    return { ...page, data };
  }

  async create(ctx: Ctx, body: CreateEventDto): Promise<ScheduleEvent> {
    return this.store.write(ctx, async (tx) => {
      const [usable, calendar, [template]] = await Promise.all([
        this.eventInstances.begin(ctx, tx, body.calendar_id, body.resource_ids ?? [], { at: instantsOf(body) }),
        this.calendars.named(ctx, body.calendar_id, tx),
        tx.list(EventTemplate, {}, ofCalendar(body.calendar_id)),
      ]);
      requireActive(calendar);
      const { title, location = null, description = null, metadata = {}, status, show_as, resource_ids, recurrence, invitees = [] } = body;
      requireTemplateFields(template, { location, description, metadata });
      const custom_fields = await tx.customFields.ofNew(ScheduleEvent, body.custom_fields, { projectId: calendar.project_id });
      const time = timeOf(body, body.timezone === undefined ? calendar.timezone : requireZone(body.timezone));
      const created = await this.writer.create(ctx, tx, {
        calendar,
        usable,
        time,
        title,
        location,
        description,
        metadata,
        custom_fields,
        status,
        show_as,
        resource_ids,
        series: recurrence ? seriesOf(time, recurrence) : null,
      });
      const { event } = invitees.length > 0 ? await this.invitees.invite(ctx, tx, created, invitees) : { event: created };
      publish(tx, calendar, CalendarEventEvents.created, { object: eventView(event), context: { split_from: null } });
      return event;
    });
  }

  private async seriesPage(ctx: Ctx, calendar: string, query: CalendarEventsQuery): Promise<Page<CalendarEventDto>> {
    for (const param of ['from', 'to'] as const)
      if (query[param] !== undefined) throw CommonErrors.validationFailed({ param, message: `${param} requires view=instances` });
    query.sort ??= 'updated_at';
    const page = await this.store.page(ctx, ScheduleEvent, query, { calendar_id: calendar });
    return { ...page, data: page.data.map((event) => eventView(event)) };
  }
}

/** The current time is that of the database, so that the pages of a list without a window belong together. */
function windowOf({ id: calendar, timezone }: Pick<Calendar, 'id' | 'timezone'>, query: CalendarEventsQuery): Sql {
  const from = query.from === undefined ? currentTime() : boundOf('from', query.from, timezone);
  const to = query.to === undefined ? new Date(from.getTime() + DEFAULT_DAYS * DAY_MS) : boundOf('to', query.to, timezone);
  requireWindow(from, to, query.to, LONGEST_DAYS);
  const start = query.from === undefined ? sql`now()` : sql`${from}::timestamptz`;
  const end = query.to === undefined ? sql`${start} + make_interval(days => ${DEFAULT_DAYS})` : sql`${to}::timestamptz`;
  return within(calendar, start, end);
}

/** A window may reach further than events do. */
function boundOf(param: 'from' | 'to', text: string, timezone: string): Date {
  return isInstant(text) ? new Date(text) : comparedInstantOf(param, text, timezone);
}
