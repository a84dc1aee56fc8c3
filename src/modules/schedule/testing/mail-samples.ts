import { BASE, ORGANIZATIONS, TOKEN, samples, type SampleMail } from '../../../../test/contract/sample-mail.js';
import type { Mail } from '../../../kit/index.js';
import { bookingCodeMail } from '../bookings/lifecycle/booking-code-mail.js';
import { hostNotice } from '../bookings/lifecycle/booking-mails.js';
import { eventMail } from '../invitations/event-mails.js';
import { guestMail, type GuestNotice } from '../invitations/guest-mails.js';
import type { Booking } from '../model/records/booking.entity.js';
import type { ScheduleEvent } from '../model/records/event.entity.js';
import type { BookingPage } from '../model/setup/booking-page.entity.js';
import type { Calendar } from '../model/setup/calendar.entity.js';

/** Every mail of the module. */
export function mailSamples(): SampleMail[] {
  const organization = ORGANIZATIONS.en;
  const calendar = { id: 'calendar', timezone: 'Europe/Berlin', visibility: 'organization', owner_member_id: null } as unknown as Calendar;
  const event = {
    id: '0192f0c1-7a52-7cc1-9b1d-3f0c6a0f8a12',
    title: 'Jahreshauptversammlungsvorbereitungsbesprechung',
    description: 'Agenda:\n1. Budget\n2. Anything else',
    location: 'Room 4, https://meet.example.com/a-very-long-meeting-address-without-any-break-0123456789',
    start_at: new Date('2026-12-01T09:00:00Z'),
    end_at: new Date('2026-12-01T10:00:00Z'),
    start_local: '2026-12-01T10:00:00',
    timezone: 'Europe/Berlin',
    all_day: false,
    rrule: null,
    exdates: [],
    status: 'confirmed',
    show_as: 'busy',
    sequence: 1,
    ical_uid: 'event@suite.example.com',
    organizer: { name: 'Ada Lovelace', email: 'ada@acme.example' },
  } as unknown as ScheduleEvent;
  const subject = { event, instance: null, instances: [], organization, onlyReader: null };
  const link = { url: `${BASE}/r/${TOKEN}`, button: 'Accept, decline, or say maybe', note: 'The link is for you only.' };
  const invited = { to: 'grace@example.com', replyTo: 'ada@acme.example', link };
  const page = {
    title: 'Consulting',
    questions: [{ key: 'topic', label: 'What is it about?' }],
  } as unknown as BookingPage;
  const booking = {
    guest_email: 'guest@example.com',
    guest_name: 'Grace Hopper',
    guest_phone: '+49 30 123456',
    guest_notes: 'See https://guest.example',
    guest_timezone: 'America/New_York',
    answers: { topic: 'Compilers' },
    status: 'confirmed',
    start_at: event.start_at,
    end_at: event.end_at,
  } as unknown as Booking;
  const guest = (notice: GuestNotice): [string, Mail] => [
    `guestMail ${notice}`,
    guestMail(notice, {
      booking,
      event: notice === 'requested' ? null : event,
      page,
      organization,
      mailFrom: 'suite@example.com',
      calendar,
      isCertain: true,
      link: `${BASE}/b/manage/${TOKEN}`,
      answerUrl: null,
      attendees: [],
      reason: notice === 'rejected' ? 'We are closed on that day.' : null,
    }),
  ];
  return samples([
    ['eventMail invited', eventMail(subject, { ...invited, subject: `Invitation: ${event.title}`, opening: 'Ada Lovelace invites you.' })],
    ['eventMail canceled', eventMail(subject, { ...invited, link: null, subject: `Canceled: ${event.title}`, opening: 'Canceled.' })],
    ...(['requested', 'booked'] as const).map((notice): [string, Mail] => [
      `eventMail host ${notice}`,
      eventMail(subject, { to: 'ada@acme.example', as: 'host', ...hostNotice(notice, booking, page), replyTo: booking.guest_email }),
    ]),
    ...(['requested', 'booked', 'changed', 'moved', 'reminder', 'cancelled', 'rejected', 'lapsed'] as const).map(guest),
    ['bookingCodeMail', bookingCodeMail('guest@example.com', { page, calendar, organization }, '042137', 15)],
  ]);
}
