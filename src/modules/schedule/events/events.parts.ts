import type { DomainModuleOptions } from '../../../kit/index.js';
import { EventAccess } from '../event-views/event-access.js';
import { ScheduleNames } from '../event-views/schedule-names.service.js';
import { EventChanges } from './event-changes.js';
import { EventDeletions } from './event-deletions.service.js';
import { EventEdits } from './event-edits.service.js';
import { EventInstances } from './event-instances.js';
import { EventWriter } from './event-writer.js';
import { EventsController } from './events.controller.js';
import { EventsService } from './events.service.js';

/** Events and series: writing them without conflicts, listing, and changing one instance, the following or all. */
export const EVENTS = {
  controllers: [EventsController],
  providers: [EventAccess, ScheduleNames, EventInstances, EventWriter, EventChanges, EventEdits, EventDeletions, EventsService],
} satisfies Partial<DomainModuleOptions>;
