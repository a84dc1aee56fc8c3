import type { Mail } from '../../../../kit/index.js';
import type { CalendarAttendee } from '../../icalendar/calendar-object.js';
import { calendarOf, onlyReaderOf, organizerOf } from '../../invitations/event-mails.js';
import { guestLink } from '../../invitations/guest-link.js';
import { mailLayout, oneLine } from '../../invitations/mail-layout.js';
import type { Booking } from '../../model/records/booking.entity.js';
import type { ScheduleEvent } from '../../model/records/event.entity.js';
import type { Calendar } from '../../model/setup/calendar.entity.js';
import type { BookingPage } from '../../model/setup/booking-page.entity.js';
import { clockIn, spanText } from '../html/moments.js';
import { dateOf } from '../../time/zone-time.js';

export type GuestNotice = 'requested' | 'booked' | 'moved' | 'cancelled' | 'rejected' | 'lapsed';

export interface NoticeSubject {
  booking: Booking;
  event: ScheduleEvent | null;
  page: BookingPage;
  organization: string;
  /** The address of the suite. */
  mailFrom: string;
  calendar: Calendar;
  /** Whether the booking is, or was until this change, confirmed. */
  isCertain: boolean;
  /** The guest's link to the booking; null if it is not known any more. */
  link: string | null;
  reason?: string | null;
}

const SUBJECTS: Readonly<Record<GuestNotice, string>> = {
  requested: 'Requested',
  booked: 'Booked',
  moved: 'Moved',
  cancelled: 'Canceled',
  rejected: 'Not confirmed',
  lapsed: 'Not confirmed',
};

/**
 * Tells the guest the state of their booking. It contains nothing that a visitor typed: anyone can enter anyone's address, so the mail
 * would deliver their words to a stranger.
 */
export function guestMail(notice: GuestNotice, subject: NoticeSubject): Mail {
  const { booking, event, page, organization, mailFrom, link, reason = null } = subject;
  const openings: Readonly<Record<GuestNotice, string>> = {
    requested: `${organization} has received your request for an appointment, and will confirm or decline it.`,
    booked: `Your appointment with ${organization} is booked.`,
    moved: `Your appointment with ${organization} has a new time.`,
    cancelled: `Your appointment with ${organization} is canceled.`,
    rejected: `${organization} cannot confirm your appointment.`,
    lapsed: `${organization} has not confirmed your appointment in time, so it will not take place.`,
  };
  const isLive = booking.status === 'pending' || booking.status === 'confirmed';
  const heading = oneLine(event?.title ?? page.title);
  const method = methodOf(notice, subject.isCertain);
  const organizer = event && organizerOf(event, organization, mailFrom);
  return {
    to: booking.guest_email,
    subject: `${SUBJECTS[notice]}: ${heading}`,
    ...mailLayout({
      opening: openings[notice],
      heading,
      facts: factsOf(subject),
      texts: reason === null ? [] : [{ title: 'Reason', text: reason }],
      link: link !== null && isLive ? guestLink(link) : null,
      organization,
    }),
    ...(organizer && { replyTo: organizer.email }),
    permission: 'schedule.booking.manage',
    confidential: true,
    onlyReader: onlyReaderOf(subject.calendar),
    ...(event && organizer && method && calendarOf(event, { method, organizer }, [attendeeOf(booking)])),
  };
}

/** The times in the guest's zone, and in the host's if it differs. */
function factsOf({ booking: { start_at, end_at, guest_timezone }, event, calendar }: NoticeSubject): [string, string][] {
  const hostZone = calendar.timezone;
  const isElsewhere =
    clockIn(guest_timezone, start_at) !== clockIn(hostZone, start_at) || dateOf(start_at, guest_timezone) !== dateOf(start_at, hostZone);
  return [
    ['When', `${spanText(guest_timezone, start_at, end_at)} (${guest_timezone})`],
    ...(isElsewhere ? [['For the host', `${spanText(hostZone, start_at, end_at)} (${hostZone})`] as [string, string]] : []),
    ['UTC', spanText('UTC', start_at, end_at)],
    ...(event?.location ? [['Where', oneLine(event.location)] as [string, string]] : []),
  ];
}

/**
 * The iCalendar method for the guest. Only confirmed bookings are sent to the guest's calendar, so there is none for a request that was
 * never confirmed.
 */
function methodOf(notice: GuestNotice, isCertain: boolean): 'REQUEST' | 'CANCEL' | null {
  if (!isCertain || notice === 'rejected' || notice === 'lapsed') return null;
  return notice === 'cancelled' ? 'CANCEL' : 'REQUEST';
}

/** The guest as attendee, without the name, which the visitor typed. */
function attendeeOf({ guest_email }: Booking): CalendarAttendee {
  return { email: guest_email, role: 'required', response: 'accepted' };
}

const HOST_OPENINGS = {
  requested: 'Somebody asks for an appointment. Please confirm or reject it.',
  booked: 'Somebody has booked an appointment.',
  moved: 'A guest has moved an appointment.',
  cancelled: 'A guest has canceled an appointment.',
} as const;

export type HostNotice = keyof typeof HOST_OPENINGS;

/** The mail to the host. Only its opening contains what the visitor typed, never its subject. */
export function hostNotice(notice: HostNotice, booking: Booking, page: BookingPage): { subject: string; opening: string } {
  const facts = [
    `Guest: ${unlinked(booking.guest_name)}`,
    `E-mail: ${booking.guest_email}`,
    ...(booking.guest_phone === null ? [] : [`Phone: ${booking.guest_phone}`]),
    ...page.questions.flatMap(({ key, label }) => {
      const answer = booking.answers[key];
      const asked = /[.:?!]$/.test(label) ? label : `${label}:`;
      return answer === undefined ? [] : [`${asked} ${typeof answer === 'boolean' ? (answer ? 'yes' : 'no') : unlinked(String(answer))}`];
    }),
    ...(booking.guest_notes === null ? [] : [`Note: ${unlinked(booking.guest_notes)}`]),
  ];
  return { subject: `${SUBJECTS[notice]}: ${page.title}`, opening: [HOST_OPENINGS[notice], facts.join('\n')].join('\n\n') };
}

/** Mail programs turn addresses in plain text into links; an invisible space after each dot and colon prevents that. */
function unlinked(text: string): string {
  return text.replace(/[.:@](?=\S)/g, '$&\u200b');
}
