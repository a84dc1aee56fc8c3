import { Injectable } from '@nestjs/common';
import { changedFrom, CommonErrors, definedOf, invalid, Store, type Ctx, type Tx } from '../../../kit/index.js';
import { requireActive } from '../calendars/calendar-access.js';
import { publish } from '../calendars/publish.js';
import { requireZone } from '../calendars/zone-field.js';
import { CalendarEventEvents } from '../event-views/calendar-events.events.js';
import { EventAccess, type NamedEvent } from '../event-views/event-access.js';
import { eventView } from '../event-views/event-view.js';
import { EventInvitees } from '../invitees/event-invitees.js';
import { Booking } from '../model/records/booking.entity.js';
import { requireFreeHost } from '../occupancies/conflicts.js';
import type { ScheduleEvent } from '../model/records/event.entity.js';
import { Instance, type InstanceOverrides } from '../model/records/instance.entity.js';
import { EventTemplate } from '../model/setup/event-template.entity.js';
import { formatRule } from '../recurrence/recurrence-rule.js';
import { EventChanges } from './event-changes.js';
import { mergedMetadata, requireTemplateFields } from './event-fields.js';
import { EventInstances, resourcesOf } from './event-instances.js';
import { timeOf } from './event-time.js';
import { EventWriter, timeColumns, timeOfEvent } from './event-writer.js';
import type { UpdateEventDto } from './events.dto.js';
import { requireScope } from './scopes.js';
import {
  changesTime,
  isSameSeries,
  isSameTime,
  movedSeries,
  asPlanned,
  instancesAfter,
  requireBetweenNeighbors,
  requireInstanceFields,
  ruleOf,
  shifted,
  split,
  timeInSeries,
  timeOfInstance,
} from './series-edits.js';
import { dateIn, expanded, instanceAt, instanceTimes, seriesOf, type PlannedInstance, type Series } from './series.js';

/** Fields that move an event. If they are sent unchanged, responses of invitees and the sequence are kept. */
const MOVES = ['start_at', 'end_at', 'start_on', 'end_on', 'timezone', 'recurrence'] as const;

/** The result of a change, as the caller sees it. */
export type EditedEvent = Pick<NamedEvent, 'event' | 'instance'>;

/** Changes events and series: one instance, this and the following ones, or all. */
@Injectable()
export class EventEdits {
  constructor(
    private readonly store: Store,
    private readonly access: EventAccess,
    private readonly changes: EventChanges,
    private readonly writer: EventWriter,
    private readonly eventInstances: EventInstances,
    private readonly invitees: EventInvitees,
  ) {}

  update(ctx: Ctx, id: string, { apply_to, ...body }: UpdateEventDto): Promise<EditedEvent> {
    return this.store.write(ctx, async (tx) => {
      const named = await this.access.get(ctx, id, tx);
      requireActive(named.calendar);
      const scope = requireScope(named, apply_to);
      const target = await this.changes.begin(ctx, tx, named, body.resource_ids);
      await requireFitForBooking(tx, target.event, body);
      const { instance } = target;
      if (instance && scope === 'this') return this.updateThis(ctx, tx, { ...target, instance }, body);
      if (instance && scope === 'following') return this.updateFollowing(ctx, tx, { ...target, instance }, body);
      return this.updateAll(ctx, tx, target, body);
    });
  }

  private async updateThis(
    ctx: Ctx,
    tx: Tx,
    { event, instance, calendar }: NamedEvent & { instance: Instance },
    body: UpdateEventDto,
  ): Promise<EditedEvent> {
    requireInstanceFields(body);
    const before = eventView(event, instance);
    const { title, location, description, status, resource_ids } = body;
    const metadata = body.metadata && mergedMetadata(before.metadata, body.metadata);
    const own = definedOf({ title, location, description, status, resource_ids, metadata });
    requireTemplateFields(await tx.get(EventTemplate, event.template_id), { ...before, ...definedOf({ location, description, metadata }) });
    const time = changesTime(body) ? timeOf(body, event.timezone, timeOfInstance(event, instance)) : timeOfInstance(event, instance);
    const isMoved = time.start_at.getTime() !== instance.start_at.getTime() || time.end_at.getTime() !== instance.end_at.getTime();
    if (isMoved) requireBetweenNeighbors(instance, time, await this.changes.instancesOf(tx, event));
    const { time: _, ...kept } = instance.overrides;
    const overrides: InstanceOverrides = { ...kept, ...own, ...(isMoved || instance.overrides.time ? { time: true } : {}) };
    const planned = { ...asPlanned(instance), ...instanceTimes(time), overrides };
    const after = eventView(event, {
      ...instance,
      ...planned,
      status: status ?? instance.status,
      resource_ids: resource_ids ?? instance.resource_ids,
    });
    const changed = changedFrom(before, after);
    if (Object.keys(changed).length === 0) return { event, instance };
    const shows = isMoved || ['title', 'location', 'status'].some((name) => name in changed);
    const edited = await tx.advanced.touch(event, shows ? { sequence: event.sequence + 1 } : {});
    await this.eventInstances.rewrite(ctx, tx, calendar, edited, [planned], { known: await resourcesOf(tx, event), vanished: [] });
    const current = await tx.get(Instance, instance.id);
    publish(tx, calendar, CalendarEventEvents.updated, {
      object: eventView(edited, current),
      previous: changedFrom(before, eventView(edited, current)),
      context: { apply_to: 'this', instance_ids: [instance.id] },
    });
    const isCancelled = status === 'cancelled' && before.status !== 'cancelled';
    // a reinstated date is announced with the series, because its cancellation removed it from calendars
    const isBack = before.status === 'cancelled' && current.status !== 'cancelled';
    await this.changes.follow(ctx, tx, event, edited, { instances: isBack ? undefined : [current], isCancelled });
    return { event: edited, instance: current };
  }

  /** Ends the series before the instance and continues it with another one. */
  private async updateFollowing(ctx: Ctx, tx: Tx, target: NamedEvent & { instance: Instance }, body: UpdateEventDto): Promise<EditedEvent> {
    const { event, instance, calendar } = target;
    const on = dateIn(instance.original_start_local);
    const instances = await this.changes.instancesOf(tx, event);
    const following = instances.filter(({ original_start_local }) => dateIn(original_start_local) >= on);
    const parts = split(event, on);
    if (!parts || following.length === instances.length) return this.updateAll(ctx, tx, target, body);
    const fields = await this.fieldsAfter(tx, event, body);
    const zone = body.timezone === undefined ? event.timezone : requireZone(body.timezone);
    const base = timeInSeries(event, instance);
    const time = changesTime(body) ? timeOf(body, zone, base) : base;
    const left = event.exdates.filter((day) => day >= on);
    const series = body.recurrence
      ? seriesOf(time, { ...body.recurrence, exdates: body.recurrence.exdates ?? left })
      : expanded(time, shifted(parts.after, base, time), left);
    const isMoved = !isSameTime(time, base) || !isSameSeries(series, expanded(base, parts.after, left));
    const continued = instancesAfter(isMoved, time, series, following);
    const old = await tx.update(event, {
      rrule: formatRule(parts.before, { local: event.all_day ? (event.start_on as string) : event.start_local, zone: event.timezone }),
      exdates: event.exdates.filter((day) => day < on),
      sequence: event.sequence + 1,
    });
    // the remaining instances are transferred; if they were released in between, somebody else could book the time
    const kept = new Set(continued.map(({ id }) => id));
    const vanished = following.filter(({ id }) => !kept.has(id)).map(({ id }) => id);
    if (vanished.length > 0) await this.eventInstances.remove(tx, vanished);
    const created = await this.writer.create(ctx, tx, { calendar, time, series, instances: continued, continues: event, ...fields });
    publish(tx, calendar, CalendarEventEvents.updated, {
      object: eventView(old),
      previous: changedFrom(eventView(event), eventView(old)),
      context: { apply_to: 'following', instance_ids: [] },
    });
    await this.changes.follow(ctx, tx, event, old, { endsEarlier: created.status === 'cancelled' });
    const invited = await this.invitees.copy(ctx, tx, old, created);
    publish(tx, calendar, CalendarEventEvents.created, { object: eventView(invited), context: { split_from: event.id } });
    return { event: invited, instance: null };
  }

  private async updateAll(ctx: Ctx, tx: Tx, { event, instance, calendar }: NamedEvent, body: UpdateEventDto): Promise<EditedEvent> {
    const fields = await this.fieldsAfter(tx, event, body);
    const zone = body.timezone === undefined ? event.timezone : requireZone(body.timezone);
    const before = timeOfEvent(event);
    const time = changesTime(body) ? movedSeries(event, instance, body, zone) : before;
    const series = seriesAfter(event, time, body);
    const columns = { ...fields, ...timeColumns(time, series), rrule: series?.rrule ?? null, exdates: series?.exdates ?? [] };
    const wanted: ScheduleEvent = { ...event, ...definedOf(columns) };
    const changed = changedFrom(eventView(event), eventView(wanted));
    const isMoved = MOVES.some((name) => name in changed);
    const shows = isMoved || ['title', 'location', 'status'].some((name) => name in changed);
    const after = await tx.update(event, shows ? { ...columns, sequence: event.sequence + 1 } : columns);
    if (after.version === event.version) return { event, instance };
    const isCancelled = after.status === 'cancelled' && event.status !== 'cancelled';
    if (isMoved || ['status', 'show_as', 'resource_ids'].some((name) => name in changed)) {
      const instances = await this.changes.instancesOf(tx, event);
      const single = instances.filter(() => event.rrule === null);
      const planned = series
        ? instancesAfter(isMoved, time, series, event.rrule === null ? [] : instances)
        : [instanceAt(event.id, time, single.at(0)?.overrides)];
      const rewritten = isCancelled ? planned.map((one) => withSeriesStatus(one)) : planned;
      const kept = new Set(rewritten.map(({ id }) => id));
      // in another zone an instance can take the instant of another one
      const vanished = instances.filter(({ id }) => zone !== event.timezone || !kept.has(id)).map(({ id }) => id);
      await this.eventInstances.rewrite(ctx, tx, calendar, after, rewritten, { known: await resourcesOf(tx, event), vanished });
      if (after.rrule === null) await requireFreeHost(ctx, tx, event.id);
    } else {
      await this.eventInstances.refreshSearch(tx, after);
    }
    publish(tx, calendar, CalendarEventEvents.updated, {
      object: eventView(after),
      previous: changedFrom(eventView(event), eventView(after)),
      context: { apply_to: 'all', instance_ids: [] },
    });
    await this.changes.follow(ctx, tx, event, after, { isMoved, isCancelled });
    return { event: after, instance: instance && (await tx.find(Instance, instance.id)) };
  }

  private async fieldsAfter(tx: Tx, event: ScheduleEvent, body: UpdateEventDto) {
    const { title, location, description, status, show_as, resource_ids } = event;
    const { recurrence: _, ...sent } = body;
    const fields = { title, location, description, status, show_as, resource_ids, ...definedOf(pick(sent)) };
    const metadata = mergedMetadata(event.metadata, body.metadata);
    requireTemplateFields(await tx.get(EventTemplate, event.template_id), { ...fields, metadata });
    return { ...fields, metadata, custom_fields: await tx.customFields.ofChanged(event, body.custom_fields) };
  }
}

/** A booking has a single event, whose status follows the booking's: only a cancellation goes the other way. */
async function requireFitForBooking(tx: Tx, event: ScheduleEvent, { recurrence, status }: UpdateEventDto): Promise<void> {
  const isDecided = status !== undefined && status !== event.status && status !== 'cancelled';
  if (!recurrence && !isDecided) return;
  const [booking] = await tx.list(Booking, { event_id: event.id });
  if (!booking) return;
  if (recurrence) throw invalid('recurrence', 'cannot be set: the event belongs to a booking');
  throw CommonErrors.validationFailed({
    param: 'status',
    message:
      'status can only become cancelled, because the event belongs to a booking; ' +
      `POST /api/v1/org/schedule/bookings/${booking.id}/confirm confirms a pending booking and its event`,
  });
}

/** The rule after a change; excluded dates stay excluded. */
function seriesAfter(event: ScheduleEvent, time: ReturnType<typeof timeOfEvent>, { recurrence }: UpdateEventDto): Series | null {
  if (recurrence === null) return null;
  if (recurrence) return seriesOf(time, { rrule: recurrence.rrule, exdates: recurrence.exdates ?? event.exdates });
  if (event.rrule === null) return null;
  return expanded(time, shifted(ruleOf(event), timeOfEvent(event), time), event.exdates);
}

/** Cancelling a series cancels all of its dates; a date that was cancelled separately stays cancelled when the series is reinstated. */
function withSeriesStatus(planned: PlannedInstance): PlannedInstance {
  const { status, ...overrides } = planned.overrides;
  return status === 'cancelled' ? planned : { ...planned, overrides };
}

function pick({ title, location, description, status, show_as, resource_ids }: UpdateEventDto) {
  return { title, location, description, status, show_as, resource_ids };
}
