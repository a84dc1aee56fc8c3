import type { DomainModuleOptions } from '../../../kit/index.js';
import { CalendarAccess } from './calendar-access.js';
import { CalendarViews } from './calendar-views.js';
import { CalendarsController } from './calendars.controller.js';
import { CalendarsService } from './calendars.service.js';
import { OrgCalendarsController } from './org-calendars.controller.js';

/** Calendars: which of them a caller may see, and their setup. */
export const CALENDARS = {
  controllers: [CalendarsController, OrgCalendarsController],
  providers: [CalendarAccess, CalendarViews, CalendarsService],
} satisfies Partial<DomainModuleOptions>;
