import type { DomainModuleOptions } from '../../../kit/index.js';
import { AvailabilitySetup } from './availability-setup.service.js';
import { AvailabilityController } from './availability.controller.js';
import { CalendarAvailability } from './calendar-availability.service.js';
import { OrgCalendarAvailabilityController, OrgResourceAvailabilityController } from './org-availability.controller.js';
import { SlotFinder } from './slot-finder.service.js';

/** When calendars and resources can be booked, and the slots that follow from that. */
export const AVAILABILITY = {
  controllers: [AvailabilityController, OrgCalendarAvailabilityController, OrgResourceAvailabilityController],
  providers: [CalendarAvailability, AvailabilitySetup, SlotFinder],
} satisfies Partial<DomainModuleOptions>;
