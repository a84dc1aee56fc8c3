import type { Mail, Settings } from '../../../kit/index.js';
import type { CalendarAttendee } from '../icalendar/calendar-object.js';
import type { Booking } from '../model/records/booking.entity.js';
import type { ScheduleEvent } from '../model/records/event.entity.js';
import type { BookingPage } from '../model/setup/booking-page.entity.js';
import type { Calendar } from '../model/setup/calendar.entity.js';
import { clockIn, spanText } from '../time/moments.js';
import { dateOf } from '../time/zone-time.js';
import { calendarOf, onlyReaderOf, organizerOf } from './event-mails.js';
import { timesOf } from './event-times.js';
import { mailLayout, oneLine, type ReaderLink } from './mail-layout.js';

export type GuestNotice = 'requested' | 'booked' | 'changed' | 'moved' | 'reminder' | 'cancelled' | 'rejected' | 'lapsed';

export interface NoticeSubject {
  /** With the times that the notice is about. */
  booking: Booking;
  event: ScheduleEvent | null;
  page: BookingPage;
  organization: string;
  /** The address of the suite. */
  mailFrom: string;
  calendar: Calendar;
  /** Whether the booking is, or was until this change, confirmed. */
  isCertain: boolean;
  /** The guest's link to the booking; null if it is no longer known. */
  link: string | null;
  /** For the guest's calendar: the page on which they can answer. */
  answerUrl: string | null;
  /** Whom the guest's calendar shows. */
  attendees: readonly CalendarAttendee[];
  reason?: string | null;
}

const SUBJECTS: Readonly<Record<GuestNotice, string>> = {
  requested: 'Requested',
  booked: 'Booked',
  changed: 'Changed',
  moved: 'Moved',
  reminder: 'Reminder',
  cancelled: 'Canceled',
  rejected: 'Not confirmed',
  lapsed: 'Not confirmed',
};

const ENDS: readonly GuestNotice[] = ['cancelled', 'rejected', 'lapsed'];

/**
 * Tells the guest about their booking, in their time zone. It contains nothing that a visitor typed: anyone can enter anyone's address, so
 * the mail would deliver their words to a stranger.
 */
export function guestMail(notice: GuestNotice, subject: NoticeSubject): Mail {
  const { booking, event, page, organization, mailFrom, link, answerUrl, attendees, reason = null } = subject;
  const isOpen = booking.status === 'pending' && notice !== 'requested';
  const openings: Readonly<Record<GuestNotice, string>> = {
    requested: `${organization} has received your request for an appointment, and will confirm or decline it.`,
    booked: `Your appointment with ${organization} is booked.`,
    changed: `${organization} has changed your appointment.`,
    moved: `Your appointment with ${organization} has a new time.`,
    reminder: `${organization} reminds you of your appointment.`,
    cancelled: `Your appointment with ${organization} is canceled.`,
    rejected: `${organization} cannot confirm your appointment.`,
    lapsed: `${organization} has not confirmed your appointment in time, so it will not take place.`,
  };
  const hasEnded = ENDS.includes(notice);
  const heading = oneLine(event?.title ?? page.title);
  const method = methodOf(notice, subject.isCertain);
  const organizer = event && organizerOf(event, organization, mailFrom);
  const description = hasEnded ? '' : (event?.description?.trim() ?? '');
  return {
    to: booking.guest_email,
    subject: `${SUBJECTS[notice]}: ${heading}`,
    content: mailLayout({
      opening: openings[notice] + (isOpen && !hasEnded ? ' It is not confirmed yet: you will be notified whether it takes place.' : ''),
      heading,
      facts: factsOf(subject),
      texts: [...(reason === null ? [] : [{ title: 'Reason', text: reason }]), ...(description === '' ? [] : [{ text: description }])],
      link: link === null ? null : hasEnded ? endedLink(link) : guestLink(link),
      reason: `You receive this mail because somebody requested an appointment with ${organization} for your address.`,
    }),
    ...(organizer && { replyTo: organizer.email }),
    permission: 'schedule.booking.manage',
    confidential: true,
    onlyReader: onlyReaderOf(subject.calendar),
    ...(event && organizer && method && calendarOf(event, { method, organizer }, attendees, method === 'CANCEL' ? null : answerUrl)),
  };
}

/** Whether the guest's calendar is updated, so that the mail is an invitation. Only confirmed bookings are in it. */
export function isForCalendar(notice: GuestNotice, isCertain: boolean): boolean {
  return methodOf(notice, isCertain) !== null;
}

/** The iCalendar method for the guest. */
function methodOf(notice: GuestNotice, isCertain: boolean): 'REQUEST' | 'CANCEL' | null {
  if (!isCertain || notice === 'reminder' || notice === 'rejected' || notice === 'lapsed') return null;
  return notice === 'cancelled' ? 'CANCEL' : 'REQUEST';
}

/** The times in the guest's zone, and in the host's if it differs. */
function factsOf({ booking: { start_at, end_at, guest_timezone }, event, calendar }: NoticeSubject): [string, string][] {
  const where: [string, string][] = event?.location ? [['Where', oneLine(event.location)]] : [];
  if (event?.all_day) return [['When', timesOf(event, event.timezone).local], ...where];
  const hostZone = calendar.timezone;
  const isElsewhere =
    clockIn(guest_timezone, start_at) !== clockIn(hostZone, start_at) || dateOf(start_at, guest_timezone) !== dateOf(start_at, hostZone);
  return [
    ['When', `${spanText(guest_timezone, start_at, end_at)} (${guest_timezone})`],
    ...(isElsewhere ? [['For the host', `${spanText(hostZone, start_at, end_at)} (${hostZone})`] as [string, string]] : []),
    ['UTC', spanText('UTC', start_at, end_at)],
    ...where,
  ];
}

/** The address at which the guest sees, moves or cancels a booking; null if it is no longer known. */
export function guestUrlOf({ token_sealed }: Booking, settings: Settings): string | null {
  return token_sealed === null ? null : `${settings.baseUrl}/b/manage/${settings.decrypt(token_sealed)}`;
}

function guestLink(url: string): ReaderLink {
  return {
    url,
    button: 'See, move or cancel it',
    note: 'The link is for you only. If you did not request this appointment, cancel it there or ignore this mail.',
  };
}

function endedLink(url: string): ReaderLink {
  return {
    url,
    button: 'See it, or book a new time',
    note: 'The link is for you only. If you did not request this appointment, ignore this mail.',
  };
}
