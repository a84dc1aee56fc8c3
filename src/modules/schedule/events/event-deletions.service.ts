import { Injectable } from '@nestjs/common';
import { own, sql, Store, table, type Ctx, type RestoreHandler, type Sql, type Tx } from '../../../kit/index.js';
import { inVisibleCalendar, requireActive } from '../calendars/calendar-access.js';
import { publish } from '../calendars/publish.js';
import { CalendarEventEvents } from '../event-views/calendar-events.events.js';
import { EventAccess, type NamedEvent } from '../event-views/event-access.js';
import { eventView } from '../event-views/event-view.js';
import type { ScheduleEvent } from '../model/records/event.entity.js';
import type { Instance } from '../model/records/instance.entity.js';
import { Calendar } from '../model/setup/calendar.entity.js';
import { lockCalendarsAndResources } from '../model/setup/schedule-locks.js';
import { formatRule } from '../recurrence/recurrence-rule.js';
import { EventChanges } from './event-changes.js';
import { EventInstances, resourcesOf } from './event-instances.js';
import type { Scope } from './events.dto.js';
import { requireScope } from './scopes.js';
import { split } from './series-edits.js';
import { dateIn } from './series.js';

type InstanceOfSeries = NamedEvent & { instance: Instance };

/**
 * Deletes events and series: one instance, this and the following ones, or all. A series without instances is deleted as a whole. What was
 * deleted as a whole can be restored.
 */
@Injectable()
export class EventDeletions implements RestoreHandler<ScheduleEvent> {
  constructor(
    private readonly store: Store,
    private readonly access: EventAccess,
    private readonly changes: EventChanges,
    private readonly eventInstances: EventInstances,
  ) {}

  delete(ctx: Ctx, id: string, applyTo: Scope | undefined): Promise<void> {
    return this.store.write(ctx, async (tx) => {
      const named = await this.access.get(ctx, id, tx);
      const scope = requireScope(named, applyTo);
      const target = await this.changes.begin(ctx, tx, named);
      const { instance } = target;
      if (instance && scope === 'this') return this.deleteThis(ctx, tx, { ...target, instance });
      if (instance && scope === 'following') return this.deleteFollowing(ctx, tx, { ...target, instance });
      return this.deleteAll(ctx, tx, target);
    });
  }

  /** Nobody sees those of a calendar that is gone: it may have been private. */
  visibleTo(ctx: Ctx): Sql {
    return sql`EXISTS (SELECT FROM ${table(Calendar)} c WHERE ${own('c')} AND c.id = t.calendar_id) AND ${inVisibleCalendar(ctx)}`;
  }

  /** Checks what it uses as if it were new, and invites everybody again, because the deletion was a cancellation to them. */
  async restored(ctx: Ctx, tx: Tx, event: ScheduleEvent): Promise<void> {
    const calendar = await tx.get(Calendar, event.calendar_id);
    requireActive(calendar);
    const resources = await resourcesOf(tx, event);
    await lockCalendarsAndResources(ctx, tx, [calendar.id], resources);
    const instances = await this.changes.instancesOf(tx, event);
    await this.eventInstances.rewrite(ctx, tx, calendar, event, instances, { known: resources, vanished: [] });
    const back = event.status === 'cancelled' ? event : await tx.update(event, { sequence: event.sequence + 1 });
    await this.changes.follow(ctx, tx, { ...event, status: 'cancelled' }, back);
    publish(tx, calendar, CalendarEventEvents.created, { object: eventView(back), context: { split_from: event.split_from } });
  }

  private async deleteAll(ctx: Ctx, tx: Tx, { event, calendar }: NamedEvent): Promise<void> {
    publish(tx, calendar, CalendarEventEvents.deleted, {
      object: eventView(event),
      context: { apply_to: 'all', original_start_at: null },
    });
    await this.changes.delete(ctx, tx, event);
  }

  private async deleteThis(ctx: Ctx, tx: Tx, target: InstanceOfSeries): Promise<void> {
    const { event, instance } = target;
    const instances = await this.changes.instancesOf(tx, event);
    if (instances.length === 1) return this.deleteAll(ctx, tx, target);
    this.emitDeleted(tx, target, 'this');
    const exdates = [...event.exdates, dateIn(instance.original_start_local)].sort();
    const edited = await tx.update(event, { exdates, sequence: event.sequence + 1 });
    await this.changes.follow(ctx, tx, event, edited, { instances: [instance], isCancelled: true });
    await this.eventInstances.remove(tx, [instance.id]);
  }

  private async deleteFollowing(ctx: Ctx, tx: Tx, target: InstanceOfSeries): Promise<void> {
    const { event, instance } = target;
    const on = dateIn(instance.original_start_local);
    const instances = await this.changes.instancesOf(tx, event);
    const following = instances.filter(({ original_start_local }) => dateIn(original_start_local) >= on);
    const parts = split(event, on);
    if (!parts || following.length === instances.length) return this.deleteAll(ctx, tx, target);
    this.emitDeleted(tx, target, 'following');
    const edited = await tx.update(event, {
      rrule: formatRule(parts.before, { local: event.all_day ? (event.start_on as string) : event.start_local, zone: event.timezone }),
      exdates: event.exdates.filter((day) => day < on),
      sequence: event.sequence + 1,
    });
    await this.eventInstances.remove(
      tx,
      following.map(({ id }) => id),
    );
    await this.changes.follow(ctx, tx, event, edited, { endsEarlier: true });
  }

  private emitDeleted(tx: Tx, { event, instance, calendar }: InstanceOfSeries, apply_to: Scope): void {
    publish(tx, calendar, CalendarEventEvents.deleted, {
      object: eventView(event, instance),
      context: { apply_to, original_start_at: instance.original_start_at.toISOString() },
    });
  }
}
