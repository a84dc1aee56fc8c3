import { Injectable } from '@nestjs/common';
import { uuidv7 } from 'uuidv7';
import { CommonErrors, Settings, TZ_RELEASE, type Ctx, type CustomFieldValues, type Tx } from '../../../kit/index.js';
import { ScheduleEvent, type EventStatus, type ShowAs } from '../model/records/event.entity.js';
import { Calendar, type Organizer } from '../model/setup/calendar.entity.js';
import { lockCalendarsAndResources } from '../model/setup/schedule-locks.js';
import { EventInstances, resourcesIn, resourcesOf, type Usable } from './event-instances.js';
import { timeOf, type EventTime } from './event-time.js';
import { instanceAt, instancesOfSeries, type PlannedInstance, type Series } from './series.js';

/** A new event or series. */
export interface NewEvent {
  calendar: Calendar;
  time: EventTime;
  series?: Series | null;
  title: string;
  description?: string | null;
  location?: string | null;
  status?: EventStatus;
  show_as?: ShowAs;
  resource_ids?: string[];
  metadata?: Record<string, unknown>;
  /** As `tx.customFields.ofNew` returns them; the defaults if omitted. */
  custom_fields?: CustomFieldValues;
  /** Those of a series that continues another one. */
  instances?: PlannedInstance[];
  continues?: ScheduleEvent;
  /** What `EventInstances.begin` read under the locks of the same calendar and resources. */
  usable?: Usable;
}

/**
 * Writes events with their instances and occupied resources in the caller's transaction: takes the locks, rejects conflicts and writes.
 * Emits no domain events and sends no mail.
 */
@Injectable()
export class EventWriter {
  constructor(
    private readonly eventInstances: EventInstances,
    private readonly settings: Settings,
  ) {}

  async create(ctx: Ctx, tx: Tx, { calendar, time, series = null, continues, ...given }: NewEvent): Promise<ScheduleEvent> {
    const resource_ids = given.resource_ids ?? [];
    const show_as = given.show_as ?? (time.all_day ? 'free' : 'busy');
    const id = uuidv7();
    const planned = given.instances ?? (series ? instancesOfSeries(time, series) : [instanceAt(id, time)]);
    const known = continues ? await resourcesOf(tx, continues) : [];
    const ids = resourcesIn(resource_ids, planned);
    const usable = given.usable ?? (await this.eventInstances.begin(ctx, tx, calendar.id, ids, { known }));
    const projectId = calendar.project_id;
    const custom_fields = given.custom_fields ?? (await tx.customFields.ofNew(ScheduleEvent, undefined, { projectId, isComplete: false }));
    const event = await tx.advanced.pipelined.insert(ScheduleEvent, {
      id,
      project_id: projectId,
      calendar_id: calendar.id,
      template_id: calendar.template_id,
      title: given.title,
      description: given.description ?? null,
      location: given.location ?? null,
      ...timeColumns(time, series),
      rrule: series?.rrule ?? null,
      exdates: series?.exdates ?? [],
      status: given.status ?? 'confirmed',
      show_as,
      resource_ids,
      metadata: given.metadata ?? {},
      custom_fields,
      invitee_count: 0,
      ical_uid: `${id}@${new URL(this.settings.baseUrl).hostname}`,
      sequence: 0,
      organizer: continues ? continues.organizer : organizerOf(calendar),
      split_from: continues?.id ?? null,
      created_by: ctx.actor,
      tz_release: TZ_RELEASE,
    });
    // the instances that it takes over belong to it from now on
    if (continues) await this.eventInstances.rewrite(ctx, tx, calendar, event, planned, { known, vanished: [], usable });
    else await this.eventInstances.write(ctx, tx, calendar, event, planned, { usable });
    return event;
  }

  /** Moves a single event, and with `resource_ids` to other resources. Raises the sequence. */
  async move(
    ctx: Ctx,
    tx: Tx,
    event: ScheduleEvent,
    { start_at, end_at, resource_ids = event.resource_ids }: { start_at: Date; end_at: Date; resource_ids?: string[] },
  ): Promise<ScheduleEvent> {
    requireSingle(event);
    const time = timeOf({ start_at: start_at.toISOString(), end_at: end_at.toISOString(), all_day: false }, event.timezone);
    return this.rewrite(ctx, tx, event, { ...timeColumns(time, null), resource_ids, sequence: event.sequence + 1 }, time);
  }

  /** Changes the status of a single event; a cancelled one takes no time and no resources. Raises the sequence. */
  async setStatus(ctx: Ctx, tx: Tx, event: ScheduleEvent, status: EventStatus): Promise<ScheduleEvent> {
    requireSingle(event);
    if (event.status === status) return event;
    return this.rewrite(ctx, tx, event, { status, sequence: event.sequence + 1 }, timeOfEvent(event));
  }

  private async rewrite(ctx: Ctx, tx: Tx, event: ScheduleEvent, changes: Partial<ScheduleEvent>, time: EventTime): Promise<ScheduleEvent> {
    await lockCalendarsAndResources(ctx, tx, [event.calendar_id], [...event.resource_ids, ...(changes.resource_ids ?? [])]);
    const calendar = await tx.get(Calendar, event.calendar_id);
    const changed = await tx.update(event, changes);
    await this.eventInstances.rewrite(ctx, tx, calendar, changed, [instanceAt(event.id, time)], {
      known: event.resource_ids,
      vanished: [],
    });
    return changed;
  }
}

function organizerOf({ name, organizer }: Calendar): Organizer | null {
  if (organizer === undefined) throw new Error(`The calendar ${name} was read by a lock or write, which does not read its organizer.`);
  return organizer;
}

/** The columns of an event for its time; a series is always by wall clock. */
export function timeColumns(time: EventTime, series: Series | null) {
  return { ...time, wall_clock: time.wall_clock || series !== null };
}

/** The time of an event; of a series, that of its start. */
export function timeOfEvent(event: ScheduleEvent): EventTime {
  const { all_day, timezone, wall_clock, start_at, end_at, start_local, start_on, end_on } = event;
  return { all_day, timezone, wall_clock, start_at, end_at, start_local, start_on, end_on };
}

function requireSingle({ rrule }: ScheduleEvent): void {
  if (rrule !== null) throw CommonErrors.validationFailed({ message: 'A series cannot be moved or cancelled as a single event' });
}
