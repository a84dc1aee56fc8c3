import { Injectable } from '@nestjs/common';
import {
  Brands,
  CommonErrors,
  Contexts,
  Mails,
  organizationNameOf,
  Settings,
  sql,
  Store,
  table,
  type Ctx,
  type PageBrand,
  type TokenRow,
  currentTime,
} from '../../../kit/index.js';
import { BookingChanges } from '../bookings/lifecycle/booking-changes.service.js';
import { cannotCancel } from '../bookings/visitor-routes/guest-bookings.service.js';
import { eventMail, onlyReaderOf } from '../invitations/event-mails.js';
import { guestUrlOf } from '../invitations/guest-mails.js';
import { Booking } from '../model/records/booking.entity.js';
import { ScheduleEvent } from '../model/records/event.entity.js';
import { Instance } from '../model/records/instance.entity.js';
import { Invitee, type InviteeResponse } from '../model/records/invitee.entity.js';
import { BookingPage } from '../model/setup/booking-page.entity.js';
import { Calendar } from '../model/setup/calendar.entity.js';

export const ANSWERS = ['accepted', 'tentative', 'declined'] as const;
export type Answer = (typeof ANSWERS)[number];

/** An invitation as its invitee sees it through the link in a mail. */
export interface AnsweredInvitation {
  ctx: Ctx;
  token: string;
  invitee: Invitee;
  event: ScheduleEvent;
  organization: string;
  brand: PageBrand;
  instances: readonly Instance[];
  /** Whether the event, or the last date of the series, is over. */
  hasEnded: boolean;
  /** The booking whose guest the invitee is; null for other invitees. */
  booking: OwnBooking | null;
}

export interface OwnBooking {
  id: string;
  /** The guest's zone. */
  timezone: string;
  /** The guest's link to it. */
  url: string | null;
  /** Why the guest can no longer cancel it; null if they can. */
  cannotCancel: string | null;
}

interface InviteeRow extends TokenRow {
  organization: string;
}

const UNKNOWN = 'This link is not valid, or no longer valid: the event was deleted or the invitation was withdrawn.';

const byHash = (hash: string) => sql.unscoped('the invitee whom a token names')`
  SELECT i.id, i.organization_id, i.project_id, i.mode, i.email, ${organizationNameOf('i')} AS organization
  FROM ${table(Invitee)} i WHERE i.token_hash = ${hash}`;

/**
 * Records the answers that invitees give through the link in the mail or in their calendar. The guest of a booking who declines gives its
 * time back. Answers emit no events.
 */
@Injectable()
export class Answers {
  constructor(
    private readonly store: Store,
    private readonly contexts: Contexts,
    private readonly mails: Mails,
    private readonly settings: Settings,
    private readonly bookings: BookingChanges,
    private readonly brands: Brands,
  ) {}

  async find(token: string, requestId: string | null = null): Promise<AnsweredInvitation> {
    const { ctx, row } = await this.contexts.byToken<InviteeRow>(token, byHash, { unknown: UNKNOWN, requestId });
    const invitee = await this.store.get(ctx, Invitee, row.id);
    const event = await this.store.get(ctx, ScheduleEvent, invitee.event_id);
    const instances = await this.store.list(ctx, Instance, { event_id: event.id });
    const hasEnded = instances.every(({ end_at }) => end_at <= currentTime());
    const booking = await this.bookingOf(ctx, invitee);
    const brand = await this.brands.of(ctx);
    return { ctx, token, invitee, event, organization: row.organization, brand, instances, hasEnded, booking };
  }

  /** Records an answer and mails it to the organizer, once: the same answer again changes nothing. */
  async answer(given: AnsweredInvitation, response: Answer): Promise<void> {
    const { ctx, invitee, event, instances, organization, hasEnded, booking } = given;
    if (hasEnded || event.status === 'cancelled')
      throw CommonErrors.resourceConflict({ message: 'This event no longer takes place, so it cannot be answered.' });
    if (response === 'declined' && booking?.cannotCancel === null) {
      await this.bookings.decline(ctx, booking.id);
      return;
    }
    await this.store.write(ctx, async (tx) => {
      const before = await tx.lock(Invitee, invitee.id);
      if (before.response === response) return;
      const answered = await tx.update(before, { response, responded_at: currentTime() });
      if (event.organizer) {
        const said = `${nameOf(answered)} ${WORDS[response]}`;
        const onlyReader = onlyReaderOf(await tx.get(Calendar, event.calendar_id));
        await this.mails.send(
          ctx,
          tx,
          eventMail(
            { event, instance: null, instances, organization, onlyReader },
            {
              to: event.organizer.email,
              as: 'host',
              subject: `${SUBJECTS[response]}: ${event.title}`,
              opening: `${said}: ${event.title}`,
              replyTo: answered.email,
            },
          ),
        );
      }
    });
  }

  private async bookingOf(ctx: Ctx, { event_id, email }: Invitee): Promise<OwnBooking | null> {
    const [booking] = await this.store.list(ctx, Booking, { event_id });
    if (booking?.guest_email.toLowerCase() !== email.toLowerCase()) return null;
    const page = await this.store.get(ctx, BookingPage, booking.page_id);
    return {
      id: booking.id,
      timezone: booking.guest_timezone,
      url: guestUrlOf(booking, this.settings),
      cannotCancel: cannotCancel(booking, page, currentTime()),
    };
  }
}

const WORDS: Record<InviteeResponse, string> = {
  needs_action: 'has not answered yet',
  accepted: 'accepted',
  tentative: 'may come',
  declined: 'declined',
};

const SUBJECTS: Record<Answer, string> = { accepted: 'Accepted', tentative: 'Maybe', declined: 'Declined' };

function nameOf({ name, email }: Invitee): string {
  return name === null ? email : `${name} (${email})`;
}
