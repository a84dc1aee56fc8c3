import { Injectable } from '@nestjs/common';
import { CommonErrors, own, sql, table, type Ctx, type Tx } from '../../../kit/index.js';
import { Invitations, type AnnouncedChange } from '../invitations/invitations.service.js';
import { Booking } from '../model/records/booking.entity.js';
import { ScheduleEvent } from '../model/records/event.entity.js';
import { Instance } from '../model/records/instance.entity.js';
import { lockCalendarsAndResources } from '../model/setup/schedule-locks.js';
import { Reminders } from '../reminders/reminders.service.js';
import type { NamedEvent } from '../event-views/event-access.js';
import { resourcesOf } from './event-instances.js';
import { byOriginalStart } from './series-edits.js';

/** A booking follows its event. */
const followEvent = (id: string) => sql`
  UPDATE ${table(Booking)} b SET start_at = e.start_at, end_at = e.end_at,
    resource_id = CASE WHEN b.resource_id = ANY (e.resource_ids) THEN b.resource_id ELSE e.resource_ids[1] END,
    status = CASE WHEN e.status = 'cancelled' THEN 'cancelled' ELSE b.status END, version = b.version + 1, updated_at = now()
  FROM ${table(ScheduleEvent)} e
  WHERE ${own('e')} AND e.id = ${id} AND ${own('b')} AND b.event_id = e.id AND b.status IN ('pending', 'confirmed')`;
const leaveEvent = (id: string) => sql`
  UPDATE ${table(Booking)} b SET event_id = NULL, version = b.version + 1, updated_at = now(),
    status = CASE WHEN b.status IN ('pending', 'confirmed') THEN 'cancelled' ELSE b.status END
  WHERE ${own('b')} AND b.event_id = ${id}
  RETURNING b.id`;

/** The common parts of all changes of events: the locks before, and the effects afterwards. */
@Injectable()
export class EventChanges {
  constructor(
    private readonly invitations: Invitations,
    private readonly reminders: Reminders,
  ) {}

  /** Locks all resources that the event has or will have, then its row; checks `If-Match`. */
  async begin(ctx: Ctx, tx: Tx, { event, instance, calendar }: NamedEvent, resourceIds: readonly string[] = []): Promise<NamedEvent> {
    const names = new Set([...(await resourcesOf(tx, event)), ...resourceIds]);
    await lockCalendarsAndResources(ctx, tx, [calendar.id], [...names]);
    const locked = await tx.target(ScheduleEvent, event.id);
    // another change may have given it a resource that is not locked
    if (locked.version !== event.version && (await resourcesOf(tx, locked)).some((id) => !names.has(id)))
      throw CommonErrors.resourceConflict();
    return { event: locked, calendar, instance: instance && (await tx.get(Instance, instance.id)) };
  }

  async instancesOf(tx: Tx, event: ScheduleEvent): Promise<Instance[]> {
    return (await tx.list(Instance, { event_id: event.id })).sort(byOriginalStart);
  }

  /** Sends mails, plans reminders and updates a booking after a change. `instances`: only these were changed. */
  async follow(
    ctx: Ctx,
    tx: Tx,
    before: ScheduleEvent,
    after: ScheduleEvent,
    { isCancelled = false, ...change }: Omit<AnnouncedChange, 'isReinstated'> & { isCancelled?: boolean } = {},
  ): Promise<void> {
    await this.reminders.plan(tx, after);
    const isReinstated = before.status === 'cancelled' && after.status !== 'cancelled';
    if (isCancelled) await this.invitations.announceCancellation(ctx, tx, after, { instances: change.instances });
    else if (after.sequence !== before.sequence) await this.invitations.announceChange(ctx, tx, after, { ...change, isReinstated });
    // the mails depend on the previous state of the booking
    if (after.rrule === null) await tx.sql(followEvent(after.id));
  }

  /** Deletes the event with everything that belongs to it, and notifies its invitees. Its booking is cancelled. */
  async delete(ctx: Ctx, tx: Tx, event: ScheduleEvent): Promise<void> {
    if (event.status !== 'cancelled') {
      const last = await tx.update(event, { sequence: event.sequence + 1 });
      await this.invitations.announceCancellation(ctx, tx, last);
    }
    const left = await tx.sql<{ id: string }>(leaveEvent(event.id));
    // its guest has been told that the booking is cancelled, and can book again
    await tx.delete(event, { forGood: left.length > 0 });
  }
}
