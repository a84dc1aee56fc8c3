import type { DomainModuleOptions } from '../../../kit/index.js';
import { SlotFinder } from './slot-finder.service.js';

/** Availability: when calendars and their resources can be booked, and their free slots. */
export const AVAILABILITY = {
  providers: [SlotFinder],
} satisfies Partial<DomainModuleOptions>;
