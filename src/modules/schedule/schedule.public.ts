// What other modules may import from this one.
export { AvailabilitySetup } from './availability/availability-setup.service.js';
export { CalendarsService } from './calendars/calendars.service.js';
export { EventEdits } from './events/event-edits.service.js';
export { EventsService } from './events/events.service.js';
export { ResourcesService } from './resources/resources.service.js';
export { seedSchedule } from './schedule.demo.js';
export { ScheduleModule } from './schedule.module.js';
