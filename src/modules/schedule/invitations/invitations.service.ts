import { Injectable } from '@nestjs/common';
import { CommonErrors, Mails, newToken, organizationName, own, Settings, sql, table, type Ctx, type Tx } from '../../../kit/index.js';
import type { CalendarEvent } from '../icalendar/calendar-object.js';
import { Booking } from '../model/records/booking.entity.js';
import type { ScheduleEvent } from '../model/records/event.entity.js';
import { Instance } from '../model/records/instance.entity.js';
import { Invitee } from '../model/records/invitee.entity.js';
import { BookingPage } from '../model/setup/booking-page.entity.js';
import { Calendar } from '../model/setup/calendar.entity.js';
import { eventMail, mailsAbout, onlyReaderOf, organizerOf, type EventMail, type MailSubject } from './event-mails.js';
import { attendeeOf, deviationsOf } from './event-objects.js';
import { guestMail, guestUrlOf, isForCalendar, type GuestNotice } from './guest-mails.js';
import { InvitationCount } from './invitation-count.entity.js';
import type { ReaderLink } from './mail-layout.js';
import { InvitationSettings } from './invitation-settings.js';

/** If a mail would name more attendees over all of its dates, it names only the recipient. */
const MOST_ATTENDEES = 2000;

/** A change of an event of which its invitees are notified. */
export interface AnnouncedChange {
  /** The dates of a series that changed, each of which gets a mail of its own; the whole event if absent. */
  instances?: readonly Instance[];
  /** The time or the rule of the whole event changed, so that earlier answers no longer count. */
  isMoved?: boolean;
  /** The event had been cancelled and takes place after all. */
  isReinstated?: boolean;
  /** The series ends earlier, and nothing else has changed. */
  endsEarlier?: boolean;
  /** The guest of a booking, who has been mailed about the booking. */
  except?: string;
}

/** What a guest is notified of about their booking. */
export interface GuestMessage {
  notice: GuestNotice;
  reason?: string | null;
  /** Whether the booking is, or was until this change, confirmed. */
  isCertain: boolean;
}

/**
 * Mails about events, written in the transaction of the change. Call it last in the transaction: it locks the organization's
 * counter of the day. The event must have the `sequence` that the change gave it.
 *
 * For a cancelled event only the cancellation is mailed: by RFC 5546 3.2.2 a REQUEST is for an event that takes place, and calendars no
 * longer contain it.
 *
 * Limit: invitations and changes are refused beyond a number a day. The cancellation of an event, and that for a person who is
 * removed, are neither refused nor counted: each takes back an invitation that was counted, so there cannot be more of them. Mails
 * about single dates that do not take place, and about a series that ends earlier, have a reserve of their own of the same size.
 */
@Injectable()
export class Invitations {
  constructor(
    private readonly mails: Mails,
    private readonly settings: Settings,
    private readonly limits: InvitationSettings,
  ) {}

  /** Mails the event to people who were just added to it. Returns the invitees as they are now. */
  async invite(ctx: Ctx, tx: Tx, event: ScheduleEvent, invitees: readonly Invitee[]): Promise<Invitee[]> {
    if (invitees.length === 0) return [];
    if (event.status === 'cancelled')
      return Promise.all(invitees.map((invitee) => tx.update(invitee, { invitation_status: 'suppressed' })));
    await this.count(ctx, tx, 'count', invitees.length);
    const context = await this.contextOf(tx, event);
    const opening = `${context.host} invites you to an event.`;
    const subject = `Invitation: ${event.title}`;
    return this.request(ctx, tx, { ...context, instance: null }, invitees, { subject, opening });
  }

  /** Mails a change to everybody who is invited. */
  async announceChange(
    ctx: Ctx,
    tx: Tx,
    event: ScheduleEvent,
    { instances, isMoved = false, isReinstated = false, endsEarlier = false, except }: AnnouncedChange = {},
  ): Promise<void> {
    // locked, so that a concurrent answer or delivery status does not make the change fail
    let invitees = without(await tx.lockWhere(Invitee, { event_id: event.id }), except);
    const about = instances?.filter(({ status }) => status !== 'cancelled') ?? (event.status === 'cancelled' ? [] : [null]);
    if (invitees.length === 0 || about.length === 0) return;
    await this.count(ctx, tx, endsEarlier ? 'cancellations' : 'count', invitees.length * about.length);
    const context = await this.contextOf(tx, event);
    const booking = except === undefined ? await bookingOf(tx, event) : null;
    if (booking) {
      await this.mailGuest(ctx, tx, booking, event, { notice: isMoved ? 'moved' : 'changed', isCertain: booking.status !== 'pending' });
      invitees = without(invitees, booking.guest_email);
    }
    for (const instance of about) {
      const subject = `Changed: ${instance?.overrides.title ?? event.title}`;
      const opening = instance
        ? `One date of a series of ${context.host} has changed.`
        : `${context.host} has changed an event you are invited to.${isReinstated ? ' It takes place after all.' : ''}`;
      invitees = await this.request(ctx, tx, { ...context, instance }, invitees, { subject, opening, isMoved });
    }
  }

  /**
   * Notifies invitees, by default all, that the event or some of its dates are cancelled, or that they were removed. Call it before rows
   * are deleted.
   */
  async announceCancellation(
    ctx: Ctx,
    tx: Tx,
    event: ScheduleEvent,
    { instances, invitees: given, except }: Pick<AnnouncedChange, 'instances' | 'except'> & { invitees?: readonly Invitee[] } = {},
  ): Promise<void> {
    let invitees = given ?? without(await tx.list(Invitee, { event_id: event.id }), except);
    const about = instances ?? [null];
    if (invitees.length === 0 || about.length === 0) return;
    if (instances) await this.count(ctx, tx, 'cancellations', invitees.length * about.length);
    const context = await this.contextOf(tx, event);
    const booking = !given && except === undefined ? await bookingOf(tx, event) : null;
    if (booking) {
      await this.mailGuest(ctx, tx, booking, event, { notice: 'cancelled', isCertain: booking.status !== 'pending' });
      invitees = without(invitees, booking.guest_email);
    }
    for (const instance of about) {
      const opening = given
        ? `${context.host} has removed you from an event.`
        : `${context.host} has canceled ${instance ? 'one date of a series' : 'an event'}.`;
      const mailOf = mailsAbout({ ...context, instance, calendar: { method: 'CANCEL', organizer: context.organizer } });
      const subject = `Canceled: ${instance?.overrides.title ?? event.title}`;
      await Promise.all(
        invitees.map((invitee) => {
          const mail = { to: invitee.email, subject, opening, replyTo: context.organizer.email, attendees: [attendeeOf(invitee)] };
          return this.mails.send(ctx, tx, mailOf(mail));
        }),
      );
    }
  }

  /** Mails the event to its organizer, to be put into their own calendar; nothing if it has none. */
  async notifyHost(
    ctx: Ctx,
    tx: Tx,
    event: ScheduleEvent,
    mail: Pick<EventMail, 'subject' | 'opening' | 'details' | 'replyTo'>,
  ): Promise<void> {
    if (!event.organizer) return;
    const context = await this.contextOf(tx, event);
    const calendar = { method: 'PUBLISH', organizer: context.organizer } as const;
    const to = event.organizer.email;
    await this.mails.send(ctx, tx, eventMail({ ...context, instance: null, calendar }, { ...mail, to, as: 'host' }));
  }

  /**
   * Mails the guest of a booking, in their zone and with the link to the booking. The event, if it still exists, has the times that count.
   * What is for the guest's calendar leads to the page on which they can answer.
   */
  async mailGuest(
    ctx: Ctx,
    tx: Tx,
    booking: Booking,
    event: ScheduleEvent | null,
    { notice, reason = null, isCertain }: GuestMessage,
  ): Promise<void> {
    const page = await tx.get(BookingPage, booking.page_id);
    const calendar = await tx.get(Calendar, booking.calendar_id);
    const people = event ? await tx.lockWhere(Invitee, { event_id: event.id }) : [];
    const guest = people.find(({ email }) => isSameAddress(email, booking.guest_email));
    const answer = guest && isForCalendar(notice, isCertain) ? this.linkOf(guest) : null;
    const shown = calendar.share_guest_list && notice !== 'cancelled' ? people : guest ? [guest] : [];
    const mail_id = await this.mails.send(
      ctx,
      tx,
      guestMail(notice, {
        booking: event ? { ...booking, start_at: event.start_at, end_at: event.end_at } : booking,
        event,
        page,
        organization: await organizationName(tx),
        mailFrom: this.settings.mailFrom.address,
        calendar,
        isCertain,
        link: guestUrlOf(booking, this.settings),
        answerUrl: answer && this.answerUrl(answer.token),
        // without the name of the guest, which a visitor typed
        attendees: shown.map((one) => ({ ...attendeeOf(one), ...(one === guest && { name: null }) })),
        reason,
      }),
    );
    if (guest && answer) await tx.update(guest, { ...unsent(ctx), ...answer.columns, mail_id });
  }

  /** Mails one REQUEST to each, and makes it the invitation whose state they show. */
  private async request(
    ctx: Ctx,
    tx: Tx,
    context: MailContext & { instance: Instance | null },
    invitees: readonly Invitee[],
    { subject, opening, isMoved = false }: { subject: string; opening: string; isMoved?: boolean },
  ): Promise<Invitee[]> {
    const answers = isMoved ? { response: 'needs_action' as const, responded_at: null } : {};
    const now = invitees.map((invitee) => ({ ...invitee, ...answers }) as Invitee);
    const mailOf = mailsAbout({ ...context, calendar: { method: 'REQUEST', organizer: context.organizer } });
    const dates = context.instance ? 1 : 1 + deviationsOf(context.event, context.instances).changed.length;
    const guests = context.sharesGuests ? await this.guestList(tx, context.event, now) : [];
    const sharesGuests = context.sharesGuests && guests.length * dates <= MOST_ATTENDEES;
    return Promise.all(
      invitees.map(async (invitee, index) => {
        const { token, columns } = this.linkOf(invitee);
        const attendees = (sharesGuests ? guests : [now[index]]).map((shown) => attendeeOf(shown));
        const mail = mailOf({
          to: invitee.email,
          subject,
          opening,
          link: answerLink(this.answerUrl(token)),
          replyTo: context.organizer.email,
          attendees,
        });
        const mail_id = await this.mails.send(ctx, tx, mail);
        return tx.update(invitee, { ...answers, ...unsent(ctx), ...columns, mail_id });
      }),
    );
  }

  /** All invitees; those in `mailed` replace their stored rows. */
  private async guestList(tx: Tx, { id }: ScheduleEvent, mailed: readonly Invitee[]): Promise<Invitee[]> {
    const known = new Map(mailed.map((invitee) => [invitee.id, invitee]));
    return (await tx.list(Invitee, { event_id: id })).map((invitee) => known.get(invitee.id) ?? invitee);
  }

  /** The link by which the invitee answers, for a mail about the event. */
  async linkFor(tx: Tx, invitee: Invitee): Promise<ReaderLink> {
    const { token, columns } = this.linkOf(invitee);
    if (columns.token_hash) await tx.update(invitee, columns);
    return answerLink(this.answerUrl(token));
  }

  private answerUrl(token: string): string {
    return `${this.settings.baseUrl}/r/${token}`;
  }

  /** The token of the invitee's link and, for the first mail, the columns to store. The links of earlier mails must keep working. */
  private linkOf({ token_sealed }: Invitee): { token: string; columns: Pick<Partial<Invitee>, 'token_hash' | 'token_sealed'> } {
    if (token_sealed !== null) return { token: this.settings.decrypt(token_sealed), columns: {} };
    const { token, hash } = newToken();
    return { token, columns: { token_hash: hash, token_sealed: this.settings.encrypt(token) } };
  }

  private async contextOf(tx: Tx, event: ScheduleEvent): Promise<MailContext> {
    const organization = await organizationName(tx);
    const calendar = await tx.get(Calendar, event.calendar_id);
    const organizer = organizerOf(event, organization, this.settings.mailFrom.address);
    const instances = event.rrule === null ? [] : await tx.list(Instance, { event_id: event.id });
    const host = event.organizer?.name ?? organization;
    const onlyReader = onlyReaderOf(calendar);
    return { event, instances, organization, onlyReader, organizer, host, sharesGuests: calendar.share_guest_list };
  }

  /** Nothing is mailed in test mode, so nothing counts there. */
  private async count(ctx: Ctx, tx: Tx, kind: 'count' | 'cancellations', mails: number): Promise<void> {
    if (ctx.mode === 'test') return;
    const most = this.limits.mailsPerDay;
    const day = tx.startedAt.toISOString().slice(0, 10);
    const [counted] = await tx.sql<Record<typeof kind, number>>(
      sql`INSERT INTO ${table(InvitationCount)} AS c (id, organization_id, day, count, cancellations)
        VALUES (gen_random_uuid(), ${own.organization}, ${day}, ${kind === 'count' ? mails : 0}, ${kind === 'cancellations' ? mails : 0})
        ON CONFLICT (organization_id, day) DO UPDATE SET count = c.count + excluded.count,
          cancellations = c.cancellations + excluded.cancellations, updated_at = now(), version = c.version + 1
        RETURNING count, cancellations`,
    );
    if (counted[kind] <= most) return;
    const seconds = Math.max(1, Math.ceil((Date.parse(`${day}T24:00:00Z`) - tx.startedAt.getTime()) / 1000));
    const [mailed, instead] =
      kind === 'count' ? ['events', 'Try again tomorrow.'] : ['canceled dates', 'Try again tomorrow, or delete the whole series.'];
    throw CommonErrors.rateLimited({
      message: `An organization can send ${most} mails about ${mailed} a day (UTC); this change would send ${mails}. ${instead}`,
      headers: { 'Retry-After': String(seconds) },
    });
  }
}

export function without(invitees: readonly Invitee[], address: string | undefined): Invitee[] {
  return invitees.filter(({ email }) => address === undefined || !isSameAddress(email, address));
}

/** The booking that an event belongs to; a series has none. */
export async function bookingOf(tx: Tx, { id, rrule }: ScheduleEvent): Promise<Booking | null> {
  return rrule === null ? ((await tx.list(Booking, { event_id: id })).at(0) ?? null) : null;
}

function isSameAddress(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** The state of an invitation that was just written. */
function unsent({ mode }: Ctx): Pick<Invitee, 'invitation_status' | 'invitation_sent_at' | 'invitation_error'> {
  return { invitation_status: mode === 'test' ? 'suppressed' : 'queued', invitation_sent_at: null, invitation_error: null };
}

function answerLink(url: string): ReaderLink {
  return {
    url,
    button: 'Accept, decline, or say maybe',
    note: 'The link is for you only: anyone who has it can answer in your name.',
  };
}

interface MailContext extends Omit<MailSubject, 'instance'> {
  organizer: NonNullable<CalendarEvent['organizer']>;
  /** Who invites, in words. */
  host: string;
  sharesGuests: boolean;
}
