import type { Mail } from '../../../../kit/index.js';
import { writeCalendarObject } from '../../icalendar/calendar-object.js';
import type { Booking } from '../../model/records/booking.entity.js';
import type { ScheduleEvent } from '../../model/records/event.entity.js';
import type { BookingPage } from '../../model/setup/booking-page.entity.js';
import { clockIn, spanText, zoneName } from '../html/moments.js';
import { dateOf } from '../../time/zone-time.js';

export type GuestNotice = 'requested' | 'booked' | 'moved' | 'cancelled' | 'rejected' | 'lapsed';

export interface NoticeSubject {
  booking: Booking;
  event: ScheduleEvent | null;
  page: BookingPage;
  organization: string;
  hostZone: string;
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
 * Tells the guest how their booking stands. Nothing that a visitor typed stands in it: anyone can enter anyone's address, so the
 * mail would carry their words to a stranger.
 */
export function guestMail(notice: GuestNotice, subject: NoticeSubject): Mail {
  const { booking, page, organization, link, reason = null } = subject;
  const texts: Readonly<Record<GuestNotice, string>> = {
    requested: `${organization} has received your request for an appointment, and will confirm it or tell you that it does not suit.`,
    booked: `your appointment with ${organization} is booked.`,
    moved: `your appointment with ${organization} has a new time.`,
    cancelled: `your appointment with ${organization} is canceled.`,
    rejected: `${organization} cannot confirm your appointment.`,
    lapsed: `${organization} has not confirmed your appointment in time, so it does not take place.`,
  };
  const isLive = booking.status === 'pending' || booking.status === 'confirmed';
  const paragraphs = [
    'Hello,',
    texts[notice],
    `${page.title}\n${whenLines(subject)}`,
    ...(reason === null ? [] : [`Reason:\n${reason}`]),
    ...(link !== null && isLive ? [`See, move or cancel it:\n${link}`] : []),
    ...(isLive ? ['The link is for you only. If you did not ask for this appointment, cancel it there or ignore this mail.'] : []),
  ];
  const calendar = calendarOf(notice, subject);
  return {
    to: booking.guest_email,
    subject: `${SUBJECTS[notice]}: ${page.title}`,
    text: paragraphs.join('\n\n'),
    permission: 'schedule.booking.manage',
    confidential: true,
    ...(calendar && { calendar }),
  };
}

function whenLines({ booking: { start_at, end_at, guest_timezone }, hostZone }: NoticeSubject): string {
  const lines = [`${spanText(guest_timezone, start_at, end_at)} (${zoneName(guest_timezone)})`];
  if (clockIn(guest_timezone, start_at) !== clockIn(hostZone, start_at) || dateOf(start_at, guest_timezone) !== dateOf(start_at, hostZone))
    lines.push(`For the host: ${spanText(hostZone, start_at, end_at)} (${zoneName(hostZone)})`);
  return [...lines, `UTC: ${start_at.toISOString().slice(0, 16).replace('T', ' ')}`].join('\n');
}

/** The guest's calendar learns of what is certain only: a request that was not confirmed never stood in it. */
function calendarOf(notice: GuestNotice, { booking, event, page }: NoticeSubject): Mail['calendar'] | null {
  if (!event || !(notice === 'booked' || notice === 'moved' || notice === 'cancelled')) return null;
  if (notice === 'moved' && booking.status === 'pending') return null;
  const method = notice === 'cancelled' ? 'CANCEL' : 'REQUEST';
  const content = writeCalendarObject({
    method,
    stampAt: event.updated_at,
    events: [
      {
        uid: event.ical_uid,
        sequence: event.sequence,
        time: { startAt: event.start_at, endAt: event.end_at },
        zone: event.timezone,
        title: page.title,
        location: event.location,
        status: notice === 'cancelled' ? 'cancelled' : 'confirmed',
        showAs: 'busy',
        ...(event.organizer && { organizer: { email: event.organizer.email, name: event.organizer.name } }),
        attendees: [{ email: booking.guest_email, role: 'required', response: 'accepted' }],
      },
    ],
  });
  return { method, content };
}

const HOST_OPENINGS = {
  requested: 'Somebody asks for an appointment. Please confirm or reject it.',
  booked: 'Somebody has booked an appointment.',
  moved: 'A guest has moved an appointment.',
  cancelled: 'A guest has canceled an appointment.',
} as const;

export type HostNotice = keyof typeof HOST_OPENINGS;

/** What the host is told: subject without, opening with what the visitor typed. */
export function hostNotice(notice: HostNotice, booking: Booking, page: BookingPage): { subject: string; opening: string } {
  const facts = [
    `Guest: ${unlinked(booking.guest_name)}`,
    `E-mail: ${booking.guest_email}`,
    ...(booking.guest_phone === null ? [] : [`Phone: ${booking.guest_phone}`]),
    ...page.questions.flatMap(({ key, label }) => {
      const answer = booking.answers[key];
      return answer === undefined ? [] : [`${label}: ${typeof answer === 'boolean' ? (answer ? 'yes' : 'no') : unlinked(String(answer))}`];
    }),
    ...(booking.guest_notes === null ? [] : [`Note: ${unlinked(booking.guest_notes)}`]),
  ];
  return { subject: `${SUBJECTS[notice]}: ${page.title}`, opening: [HOST_OPENINGS[notice], facts.join('\n')].join('\n\n') };
}

/** Mail programs make links of addresses in plain text; an invisible space after each dot and colon keeps them from it. */
export function unlinked(text: string): string {
  return text.replace(/[.:@](?=\S)/g, '$&\u200b');
}
