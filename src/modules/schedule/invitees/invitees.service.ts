import { Injectable } from '@nestjs/common';
import { CommonErrors, sql, Store, type Ctx, type Page, type Tx } from '../../../kit/index.js';
import { requireActive } from '../calendars/calendar-access.js';
import { publish } from '../calendars/publish.js';
import { CalendarEventEvents } from '../event-views/calendar-events.events.js';
import { EventAccess } from '../event-views/event-access.js';
import { eventView } from '../event-views/event-view.js';
import { Booking } from '../model/records/booking.entity.js';
import { ScheduleEvent } from '../model/records/event.entity.js';
import { Invitee } from '../model/records/invitee.entity.js';
import { EventInvitees, type Invited } from './event-invitees.js';
import { InviteeDto, type AddInviteesDto, type InviteesQuery } from './invitees.dto.js';

/** Invites people to events. The id of an instance means its series, to which invitees belong. */
@Injectable()
export class InviteesService {
  constructor(
    private readonly store: Store,
    private readonly access: EventAccess,
    private readonly invitees: EventInvitees,
  ) {}

  async page(ctx: Ctx, eventId: string, query: InviteesQuery): Promise<Page<Invitee>> {
    const { event } = await this.access.get(ctx, eventId);
    const ofAddress = query.email === undefined ? [] : [sql`lower(t.email) = lower(${query.email})`];
    return this.store.page(ctx, Invitee, query, { event_id: event.id }, ...ofAddress);
  }

  async add(ctx: Ctx, eventId: string, { invitees }: AddInviteesDto): Promise<Invited> {
    const { event, calendar } = await this.access.get(ctx, eventId);
    requireActive(calendar);
    return this.store.write(ctx, async (tx) => {
      const invited = await this.invitees.invite(ctx, tx, await tx.lock(ScheduleEvent, event.id), invitees);
      const added = invited.invitees.filter(({ isNew }) => isNew).map(({ invitee }) => InviteeDto.from(invitee));
      if (added.length > 0)
        publish(tx, calendar, CalendarEventEvents.inviteesAdded, {
          object: eventView(invited.event),
          previous: { invitee_count: invited.event.invitee_count - added.length },
          context: { invitees: added },
        });
      return invited;
    });
  }

  async remove(ctx: Ctx, eventId: string, inviteeId: string): Promise<void> {
    const { event, calendar } = await this.access.get(ctx, eventId);
    await this.store.write(ctx, async (tx) => {
      const locked = await tx.lock(ScheduleEvent, event.id);
      const invitee = await tx.target(Invitee, inviteeId);
      if (invitee.event_id !== event.id) throw CommonErrors.notFound();
      await requireNoGuest(tx, invitee);
      const changed = await this.invitees.remove(ctx, tx, locked, invitee);
      publish(tx, calendar, CalendarEventEvents.updated, {
        object: eventView(changed),
        previous: { invitee_count: locked.invitee_count, sequence: locked.sequence },
        context: { apply_to: 'all', instance_ids: [] },
      });
    });
  }
}

/** Without its guest, a booking would still take the time, and the guest could still move it. */
async function requireNoGuest(tx: Tx, { event_id, email }: Invitee): Promise<void> {
  const [booking] = await tx.list(Booking, { event_id, status: ['pending', 'confirmed'] });
  if (booking?.guest_email.toLowerCase() !== email.toLowerCase()) return;
  throw CommonErrors.resourceConflict({
    message:
      "The guest of a booking cannot be removed. Cancel the booking: set the event's status to cancelled, or " +
      `POST /api/v1/org/schedule/bookings/${booking.id}/cancel.`,
  });
}
