import { plusDays, type DemoWorkspace, type ModuleDemo } from '../../kit/index.js';
import { AvailabilitySetup } from './availability/availability-setup.service.js';
import { bookingServices, DEMO_BOOKING_PAGE, seedBookings, type BookingActors, type BookingSeeding } from './bookings/bookings.demo.js';
import { CalendarsQuery } from './calendars/calendars.dto.js';
import { CalendarsService } from './calendars/calendars.service.js';
import { EventEdits } from './events/event-edits.service.js';
import { CalendarEventsQuery } from './events/events.dto.js';
import { EventsService } from './events/events.service.js';
import { ResourcesService } from './resources/resources.service.js';
import { weekdayOf } from './time/zone-time.js';

const ZONE = 'Europe/Berlin';
const CONSULTING = 'Consulting';

/** The services that create the demo data. */
interface ScheduleSeeding extends BookingSeeding {
  calendars: CalendarsService;
  resources: ResourcesService;
  availability: AvailabilitySetup;
  events: EventsService;
  edits: EventEdits;
}

/**
 * Creates a calendar with two rooms and a weekly series across the next change to summer time, one with a class of eight, and
 * booking pages with bookings.
 */
export async function seedSchedule(
  services: ScheduleSeeding,
  actors: BookingActors,
  projectId: string,
  ownerId: string,
  now: Date,
): Promise<void> {
  const { calendars, resources, availability, events, edits } = services;
  const ctx = actors.host();
  const setup = { project_id: projectId, timezone: ZONE, owner_id: ownerId };
  const calendar = await calendars.create(ctx, { ...setup, name: CONSULTING, color: '#2f6fed' });
  const classes = await calendars.create(ctx, { ...setup, name: 'Classes', color: '#1f8a70' });
  const ada = await resources.create(ctx, calendar.id, { name: 'Room Ada', kind: 'room', seats: 8, buffer_after_minutes: 15 });
  await resources.create(ctx, calendar.id, { name: 'Room Grace', kind: 'room', seats: 4 });
  await resources.create(ctx, classes.id, { name: 'Introductory class', kind: 'other', capacity: 8 });
  const monday = plusDays(summerTime(now), -13);
  await availability.setOverride(ctx, { calendarId: calendar.id }, plusDays(monday, 1), []);
  const series = await events.create(ctx, {
    calendar_id: calendar.id,
    title: 'Weekly review',
    location: 'Room Ada',
    resource_ids: [ada.id],
    start_at: `${monday}T09:00`,
    end_at: `${monday}T10:00`,
    recurrence: { rrule: 'FREQ=WEEKLY;COUNT=8' },
  });
  const window = { from: `${monday}T00:00:00Z`, to: `${plusDays(monday, 60)}T00:00:00Z` };
  const page = await events.page(ctx, calendar.id, Object.assign(new CalendarEventsQuery(), window));
  const third = page.data.filter(({ series_id }) => series_id === series.id)[2];
  await edits.update(ctx, third.id, { start_at: `${plusDays(third.original_on as string, 1)}T14:00`, title: 'Quarterly review' });
  await seedBookings(services, actors, { consulting: calendar.id, classes: classes.id }, now);
}

/** The last Sunday of the next March. */
function summerTime(now: Date): string {
  const year = now.getUTCMonth() < 2 ? now.getUTCFullYear() : now.getUTCFullYear() + 1;
  const last = `${year}-03-31`;
  return plusDays(last, -(weekdayOf(last) % 7));
}

async function seedLive(demo: DemoWorkspace): Promise<void> {
  const services = {
    calendars: demo.get(CalendarsService),
    resources: demo.get(ResourcesService),
    availability: demo.get(AvailabilitySetup),
    events: demo.get(EventsService),
    edits: demo.get(EventEdits),
    ...bookingServices(demo),
  };
  const actors = { host: () => demo.as('grace', 'live'), guest: (email: string) => demo.asGuest(email) };
  await seedSchedule(services, actors, demo.project('OPS').id, demo.member('grace').id, new Date());
}

/** An event of test mode with a guest. */
async function seedTest(demo: DemoWorkspace): Promise<void> {
  const ctx = demo.as('grace', 'test');
  const { data } = await demo.get(CalendarsService).page(ctx, new CalendarsQuery());
  const calendar = data.find(({ name }) => name === CONSULTING);
  if (!calendar) return;
  const day = plusDays(new Date().toISOString().slice(0, 10), 2);
  await demo.get(EventsService).create(ctx, {
    calendar_id: calendar.id,
    title: 'Sample: a call',
    start_at: `${day}T09:00`,
    end_at: `${day}T09:30`,
    invitees: [{ email: 'ada.park@example.com', name: 'Ada Park' }],
  });
}

/** The schedule of the project OPS. Grace owns its calendars and is the host of its bookings. */
export const SCHEDULE_DEMO: ModuleDemo = {
  async seed(demo) {
    if (demo.isNew) await seedLive(demo);
    await seedTest(demo);
  },
  addresses: [{ name: 'booking', label: 'Booking', path: `/b/${DEMO_BOOKING_PAGE}` }],
};
