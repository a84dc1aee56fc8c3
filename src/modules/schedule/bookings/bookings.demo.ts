import { randomUUID } from 'node:crypto';
import { DAY_MS, plusDays, type Ctx, type DemoWorkspace } from '../../../kit/index.js';
import { BookingPages } from '../booking-pages/booking-pages.service.js';
import type { Booking, BookingStatus } from '../model/records/booking.entity.js';
import type { BookingPage } from '../model/setup/booking-page.entity.js';
import { dateOf, resolveLocal, weekdayOf } from '../time/zone-time.js';
import { BookingChanges } from './lifecycle/booking-changes.service.js';
import { BookingService } from './lifecycle/booking.service.js';
import { FreeTimes } from './free-times/free-times.service.js';
import { OpenPages, type OpenPage } from './free-times/open-pages.service.js';

/** The slug of the page that `npm start` prints. */
export const DEMO_BOOKING_PAGE = 'meet-grace';

export interface BookingSeeding {
  bookingPages: BookingPages;
  openPages: OpenPages;
  times: FreeTimes;
  bookings: BookingService;
  changes: BookingChanges;
}

export function bookingServices(demo: DemoWorkspace): BookingSeeding {
  return {
    bookingPages: demo.get(BookingPages),
    openPages: demo.get(OpenPages),
    times: demo.get(FreeTimes),
    bookings: demo.get(BookingService),
    changes: demo.get(BookingChanges),
  };
}

/** Who acts: the host, and guests by e-mail address. */
export interface BookingActors {
  host(): Ctx;
  guest(email: string): Ctx;
}

interface BookingSample {
  slug: string;
  name: string;
  email: string;
  zone: string;
  /** Days from now on; the booking takes the first free time. Bookings of one page and day get one time after the other. */
  inDays: number;
  status: BookingStatus;
  notes?: string;
  answers?: Record<string, string>;
}

const BERLIN = 'Europe/Berlin';
const CLASS = { slug: 'introductory-class', inDays: 7, status: 'confirmed', zone: BERLIN } as const;

const SAMPLES: readonly BookingSample[] = [
  {
    slug: DEMO_BOOKING_PAGE,
    name: 'Ingrid Halvorsen',
    email: 'ingrid@nordlys.example',
    zone: 'Europe/Oslo',
    inDays: 1,
    status: 'confirmed',
    notes: 'We have 12 stores.',
    answers: { topic: 'The autumn assortment' },
  },
  {
    slug: DEMO_BOOKING_PAGE,
    name: 'Tomás Ferreira',
    email: 'tomas@casaazul.example',
    zone: 'Europe/Lisbon',
    inDays: 2,
    status: 'cancelled',
    answers: { topic: 'Linen for the hotels' },
  },
  {
    slug: DEMO_BOOKING_PAGE,
    name: 'Samuel Adeyemi',
    email: 'samuel@brightside.example',
    zone: 'Europe/London',
    inDays: 1,
    status: 'no_show',
    answers: { topic: 'Delivery to islands' },
  },
  {
    slug: 'on-site-workshop',
    name: 'Clara Dupont',
    email: 'clara@maisondupont.example',
    zone: 'Europe/Paris',
    inDays: 5,
    status: 'pending',
    notes: 'We would be four.',
  },
  {
    slug: 'on-site-workshop',
    name: 'Milan Novák',
    email: 'milan@horizont.example',
    zone: 'Europe/Prague',
    inDays: 9,
    status: 'rejected',
  },
  { ...CLASS, name: 'Yuki Watanabe', email: 'yuki@hoshi.example', zone: 'Asia/Tokyo' },
  { ...CLASS, name: 'Priya Raman', email: 'priya@lotus.example' },
  { ...CLASS, name: 'Jonas Weber', email: 'jonas@alpenblick.example' },
];

/** Creates three booking pages: a talk, a workshop that is confirmed by hand in a room, a class; with bookings in every status. */
export async function seedBookings(
  seeding: BookingSeeding,
  actors: BookingActors,
  { consulting, classes }: { consulting: string; classes: string },
  now: Date,
): Promise<void> {
  const pages = await createPages(seeding.bookingPages, actors.host(), { consulting, classes });
  for (const sample of SAMPLES) {
    const page = pages.find(({ slug }) => slug === sample.slug);
    if (!page) throw new Error(`The demo has no booking page ${sample.slug}.`);
    const booking = await book(seeding, actors.guest(sample.email), page, sample, now);
    await settle(seeding.changes, actors, booking, sample.status, now);
  }
}

async function createPages(
  bookingPages: BookingPages,
  host: Ctx,
  { consulting, classes }: { consulting: string; classes: string },
): Promise<BookingPage[]> {
  const talk = await bookingPages.create(host, {
    calendar_id: consulting,
    slug: DEMO_BOOKING_PAGE,
    title: 'Meet Grace',
    duration_minutes: [30, 60],
    change_notice_minutes: 120,
    text: 'Talk to Grace about your project, by video or phone.\n\nGrace sends the link of the call before it begins.',
    questions: [{ key: 'topic', label: 'What would you like to talk about?', kind: 'text', required: true }],
  });
  const workshop = await bookingPages.create(host, {
    calendar_id: consulting,
    slug: 'on-site-workshop',
    title: 'Workshop at our office',
    duration_minutes: [120],
    resource_mode: 'visitor_chooses',
    requires_confirmation: true,
    text: 'Two hours with our team. Choose a room; we confirm within two days.',
  });
  const lesson = await bookingPages.create(host, {
    calendar_id: classes,
    slug: CLASS.slug,
    title: 'Introductory class',
    duration_minutes: [60],
    resource_mode: 'least_busy',
    text: 'An hour for up to eight people who are new to the suite.',
  });
  return [talk, workshop, lesson];
}

async function book(
  { openPages, times, bookings }: BookingSeeding,
  ctx: Ctx,
  page: BookingPage,
  { name, email, zone, inDays, notes, answers = {} }: BookingSample,
  now: Date,
): Promise<Booking> {
  const open: OpenPage = await openPages.of(ctx, '', page);
  const wanted = { minutes: page.duration_minutes[0], resourceId: open.choices.at(0)?.id ?? null };
  const from = new Date(now.getTime() + inDays * DAY_MS);
  const { slots } = await times.within(open, wanted, from, new Date(from.getTime() + 7 * DAY_MS), now);
  const outcome = await bookings.book(open, {
    ...wanted,
    start: new Date(slots[0].start),
    zone,
    guest: { name, email, phone: null, notes: notes ?? null, answers },
    formToken: randomUUID(),
    address: null,
    code: '',
  });
  if (outcome.kind !== 'booked') throw new Error(`The demo could not book ${page.slug}: ${outcome.kind}.`);
  return outcome.booking;
}

async function settle(changes: BookingChanges, actors: BookingActors, { id, guest_email }: Booking, status: BookingStatus, now: Date) {
  if (status === 'cancelled') await changes.cancel(actors.guest(guest_email), id, null, 'guest');
  if (status === 'rejected') await changes.reject(actors.host(), id, 'Both rooms are being painted that week.');
  if (status === 'no_show') {
    // nobody can book a time that is over, but hosts can move a booking there
    await changes.reschedule(actors.host(), id, lastTuesday(now), 'host', (_, booking) => Promise.resolve(booking.resource_id));
    await changes.noShow(actors.host(), id);
  }
}

/** Ten o'clock on the latest Tuesday before today. */
function lastTuesday(now: Date): Date {
  const yesterday = plusDays(dateOf(now, BERLIN), -1);
  return resolveLocal(`${plusDays(yesterday, -((weekdayOf(yesterday) + 5) % 7))}T10:00`, BERLIN);
}
