import {
  AvailabilitySetup,
  CalendarsService,
  EventEdits,
  EventsService,
  ResourcesService,
  seedSchedule,
} from '../modules/schedule/schedule.public.js';
import { PEOPLE } from './people.js';
import type { ModuleSeeder } from './tasks.js';

/** Seeds the schedule of the project OPS. Grace owns its calendar. */
export const seedScheduleDemo: ModuleSeeder = async (app, ctx, { projects, members }) => {
  const project = projects.find(({ key }) => key === 'OPS') ?? projects[0];
  const owner = members.find(({ email }) => email === PEOPLE.grace.email) ?? members[0];
  const services = {
    calendars: app.get(CalendarsService),
    resources: app.get(ResourcesService),
    availability: app.get(AvailabilitySetup),
    events: app.get(EventsService),
    edits: app.get(EventEdits),
  };
  await seedSchedule(services, ctx.as(owner, 'live'), project.id, owner.id, new Date());
  ctx.asSystem();
};
