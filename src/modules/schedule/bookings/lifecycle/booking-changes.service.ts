import { Injectable } from '@nestjs/common';
import { CommonErrors, Store, type Ctx, type CustomFieldValues, type Tx, currentTime } from '../../../../kit/index.js';
import { CalendarAccess } from '../../calendars/calendar-access.js';
import { resourcesOf } from '../../events/event-instances.js';
import { EventWriter } from '../../events/event-writer.js';
import type { GuestNotice } from '../../invitations/guest-mails.js';
import { Invitations } from '../../invitations/invitations.service.js';
import { ScheduleErrors } from '../../model/core/schedule.errors.js';
import { Booking, type BookingStatus } from '../../model/records/booking.entity.js';
import { ScheduleEvent } from '../../model/records/event.entity.js';
import { Invitee } from '../../model/records/invitee.entity.js';
import { BookingPage } from '../../model/setup/booking-page.entity.js';
import { Resource } from '../../model/setup/resource.entity.js';
import { lockCalendarsAndResources } from '../../model/setup/schedule-locks.js';
import { requireFreeHost } from '../../occupancies/conflicts.js';
import { Reminders } from '../../reminders/reminders.service.js';
import { hostNotice, type HostNotice } from './booking-mails.js';

/** The mails about a change. A guest who moves a booking gets one, too, which updates their calendar. */
interface Notices {
  guest?: GuestNotice;
  host?: HostNotice;
  reason?: string | null;
  /** Whether the booking is, or was until this change, confirmed. */
  isCertain: boolean;
}

/** Changes of a booking that exists. Each locks the calendar first, then the booking's row. */
@Injectable()
export class BookingChanges {
  constructor(
    private readonly store: Store,
    private readonly writer: EventWriter,
    private readonly invitations: Invitations,
    private readonly calendars: CalendarAccess,
    private readonly reminders: Reminders,
  ) {}

  confirm(ctx: Ctx, id: string): Promise<Booking> {
    return this.end(ctx, id, { from: ['pending'], to: 'confirmed', notices: { guest: 'booked' } });
  }

  reject(ctx: Ctx, id: string, reason: string | null): Promise<Booking> {
    return this.end(ctx, id, { from: ['pending'], to: 'rejected', notices: { guest: 'rejected', reason } });
  }

  /** Rejects a pending booking whose time has passed or that nobody confirmed; null if it has been decided meanwhile. */
  lapse(ctx: Ctx, id: string, isDue: (booking: Booking) => boolean): Promise<Booking | null> {
    return this.store.write(ctx, async (tx) => {
      const booking = await this.lockBooking(ctx, tx, id);
      if (booking.status !== 'pending' || !isDue(booking)) return null;
      return this.settle(ctx, tx, booking, 'rejected', { guest: 'lapsed' });
    });
  }

  cancel(ctx: Ctx, id: string, reason: string | null, by: 'host' | 'guest'): Promise<Booking> {
    const notices = by === 'host' ? ({ guest: 'cancelled', reason } as const) : ({ guest: 'cancelled', host: 'cancelled' } as const);
    return this.end(ctx, id, { from: ['pending', 'confirmed'], to: 'cancelled', notices });
  }

  /** The guest declines by the link in their calendar: the page says whether that cancels the booking or is a status of its own. */
  decline(ctx: Ctx, id: string): Promise<Booking> {
    return this.store.write(ctx, async (tx) => {
      const booking = await this.lockBooking(ctx, tx, id);
      requireStatus(booking, ['pending', 'confirmed']);
      const { decline_action } = await tx.get(BookingPage, booking.page_id);
      for (const invitee of await tx.lockWhere(Invitee, { event_id: booking.event_id }))
        if (invitee.email.toLowerCase() === booking.guest_email.toLowerCase())
          await tx.update(invitee, { response: 'declined', responded_at: tx.startedAt });
      const status = decline_action === 'mark' ? 'declined' : 'cancelled';
      return this.settle(ctx, tx, booking, status, { guest: 'cancelled', host: 'declined' });
    });
  }

  update(ctx: Ctx, id: string, given: CustomFieldValues | undefined): Promise<Booking> {
    return this.store.write(ctx, async (tx) => {
      const booking = await this.lockBooking(ctx, tx, id);
      return tx.update(booking, { custom_fields: await tx.customFields.ofChanged(booking, given) });
    });
  }

  noShow(ctx: Ctx, id: string): Promise<Booking> {
    return this.store.write(ctx, async (tx) => {
      const booking = await this.lockBooking(ctx, tx, id);
      requireStatus(booking, ['confirmed']);
      if (booking.start_at > currentTime())
        throw ScheduleErrors.invalidTransition({ message: 'A booking can be marked as a no-show once its time has begun.' });
      return tx.update(booking, { status: 'no_show' });
    });
  }

  /**
   * Moves a booking to another time, which must be free, or to another resource; the event and its UID stay. `check` runs under the
   * locks: it may reject the time, or choose the resource: `resourceId` or one of the calendar's.
   */
  reschedule(
    ctx: Ctx,
    id: string,
    startAt: Date,
    by: 'host' | 'guest',
    check: (tx: Tx, booking: Booking) => Promise<string | null>,
    resourceId: string | null = null,
  ): Promise<Booking> {
    return this.store.write(ctx, async (tx) => {
      const booking = await this.lockBooking(ctx, tx, id, async ({ calendar_id }) => {
        const resources = await tx.list(Resource, { calendar_id });
        return [...resources.map((resource) => resource.id), ...(resourceId === null ? [] : [resourceId])];
      });
      requireStatus(booking, ['pending', 'confirmed']);
      const event = await this.eventOf(tx, booking);
      if (!event) throw ScheduleErrors.invalidTransition({ message: 'The event of this booking was deleted, so it cannot be moved.' });
      const isMoved = booking.start_at.getTime() !== startAt.getTime();
      if (!isMoved && (resourceId === null || resourceId === booking.resource_id)) return booking;
      const resource_id = await check(tx, booking);
      const end_at = new Date(startAt.getTime() + booking.end_at.getTime() - booking.start_at.getTime());
      const resource_ids = movedTo(event.resource_ids, booking.resource_id, resource_id);
      const moved = await this.writer.move(ctx, tx, event, { start_at: startAt, end_at, resource_ids });
      // a host may move a booking to any time, but not make anybody be in two places
      if (by === 'host') await requireFreeHost(ctx, tx, event.id);
      const reschedule_count = booking.reschedule_count + (by === 'guest' ? 1 : 0);
      const changed = await tx.update(await tx.lock(Booking, id), { start_at: startAt, end_at, resource_id, reschedule_count });
      const isCertain = booking.status === 'confirmed';
      const guest = isMoved ? 'moved' : 'changed';
      await this.notify(ctx, tx, changed, moved, { guest, ...(by === 'guest' && { host: 'moved' }), isCertain });
      await this.invitations.announceChange(ctx, tx, moved, { isMoved, except: booking.guest_email });
      return changed;
    });
  }

  /**
   * Notifies guest and host of the state of a booking, and plans the reminders of its event. Call it last in the transaction; only other
   * invitees are notified after that.
   */
  async notify(
    ctx: Ctx,
    tx: Tx,
    booking: Booking,
    event: ScheduleEvent | null,
    { guest, host, reason, isCertain }: Notices,
  ): Promise<void> {
    if (event && isCertain) await this.reminders.plan(tx, event);
    if (guest) await this.invitations.mailGuest(ctx, tx, booking, event, { notice: guest, reason, isCertain });
    if (host && event) {
      const page = await tx.get(BookingPage, booking.page_id);
      await this.invitations.notifyHost(ctx, tx, event, { ...hostNotice(host, booking, page), replyTo: booking.guest_email });
    }
  }

  private end(
    ctx: Ctx,
    id: string,
    change: { from: BookingStatus[]; to: BookingStatus; notices: Omit<Notices, 'isCertain'> },
  ): Promise<Booking> {
    return this.store.write(ctx, async (tx) => {
      const booking = await this.lockBooking(ctx, tx, id);
      requireStatus(booking, change.from);
      return this.settle(ctx, tx, booking, change.to, change.notices);
    });
  }

  private async settle(ctx: Ctx, tx: Tx, booking: Booking, status: BookingStatus, notices: Omit<Notices, 'isCertain'>): Promise<Booking> {
    const event = await this.eventOf(tx, booking);
    const now = status === 'confirmed' ? 'confirmed' : 'cancelled';
    const settled = event && (await this.writer.setStatus(ctx, tx, event, now));
    // the event writer may have written the booking, too
    const changed = await tx.update(await tx.lock(Booking, booking.id), { status });
    await this.notify(ctx, tx, changed, settled, { ...notices, isCertain: booking.status === 'confirmed' || status === 'confirmed' });
    const except = booking.guest_email;
    if (settled && now === 'confirmed') await this.invitations.announceChange(ctx, tx, settled, { except });
    else if (settled) await this.invitations.announceCancellation(ctx, tx, settled, { except });
    return changed;
  }

  /**
   * The booking, locked after its calendar and resources. One call locks every resource that its event has or may get
   * (`candidates`): locking one later could deadlock with a writer that already has it.
   */
  private async lockBooking(
    ctx: Ctx,
    tx: Tx,
    id: string,
    candidates: (booking: Booking) => Promise<readonly string[]> = () => Promise.resolve([]),
  ): Promise<Booking> {
    const seen = await tx.get(Booking, id);
    await this.calendars.get(ctx, seen.calendar_id, tx);
    const names = new Set([...(await this.usedBy(tx, seen)), ...(await candidates(seen))]);
    await lockCalendarsAndResources(ctx, tx, [seen.calendar_id], [...names]);
    const booking = await tx.target(Booking, id);
    // another change may have given the event a resource that is not locked
    if ((await this.usedBy(tx, booking)).some((one) => !names.has(one))) throw CommonErrors.resourceConflict();
    return booking;
  }

  private async usedBy(tx: Tx, { event_id, resource_id }: Booking): Promise<string[]> {
    const event = event_id === null ? null : await tx.find(ScheduleEvent, event_id);
    return [...(resource_id === null ? [] : [resource_id]), ...(event ? await resourcesOf(tx, event) : [])];
  }

  private async eventOf(tx: Tx, { event_id }: Booking): Promise<ScheduleEvent | null> {
    return event_id === null ? null : tx.lock(ScheduleEvent, event_id);
  }
}

/** The resources of the event with that of the booking replaced; those that a host added are kept. */
function movedTo(resourceIds: readonly string[], before: string | null, after: string | null): string[] {
  const added = resourceIds.filter((id) => id !== before && id !== after);
  return after === null ? added : [after, ...added];
}

function requireStatus({ status }: Booking, allowed: readonly BookingStatus[]): void {
  if (allowed.includes(status)) return;
  throw ScheduleErrors.invalidTransition({
    message: `The booking is ${status}; this is possible only while it is ${allowed.join(' or ')}.`,
  });
}
