import {
  AvailabilitySetup,
  BookingChanges,
  BookingPages,
  BookingService,
  CalendarsService,
  EventEdits,
  EventsService,
  FreeTimes,
  OpenPages,
  ResourcesService,
  seedSchedule,
} from '../modules/schedule/schedule.public.js';
import { PEOPLE } from './people.js';
import type { ModuleSeeder } from './tasks.js';

/** Seeds the schedule of the project OPS. Grace owns its calendars and is the host of its bookings. */
export const seedScheduleDemo: ModuleSeeder = async (app, ctx, { projects, members }) => {
  const project = projects.find(({ key }) => key === 'OPS') ?? projects[0];
  const owner = members.find(({ email }) => email === PEOPLE.grace.email) ?? members[0];
  const services = {
    calendars: app.get(CalendarsService),
    resources: app.get(ResourcesService),
    availability: app.get(AvailabilitySetup),
    events: app.get(EventsService),
    edits: app.get(EventEdits),
    bookingPages: app.get(BookingPages),
    openPages: app.get(OpenPages),
    times: app.get(FreeTimes),
    bookings: app.get(BookingService),
    changes: app.get(BookingChanges),
  };
  const actors = { host: () => ctx.as(owner, 'live'), guest: (email: string) => ctx.asGuest(email) };
  await seedSchedule(services, actors, project.id, owner.id, new Date());
  ctx.asSystem();
};
