import { defineEvents, event } from '../../../kit/index.js';
import { CalendarDto } from './calendars.dto.js';
import { NOT_PRIVATE } from './publish.js';

/** Each change of a calendar emits one event. */
export const CalendarEvents = defineEvents({
  calendarCreated: event({
    name: 'calendar.created',
    description: `A calendar was created. ${NOT_PRIVATE}`,
    permission: null,
    payload: CalendarDto,
  }),
  calendarUpdated: event({
    name: 'calendar.updated',
    description: `A calendar's settings were changed, but not its status. ${NOT_PRIVATE}`,
    permission: null,
    payload: CalendarDto,
  }),
  calendarStatusChanged: event({
    name: 'calendar.status_changed',
    description: `A calendar was activated or deactivated. ${NOT_PRIVATE}`,
    permission: null,
    payload: CalendarDto,
    context: { from: 'Previous status.', to: 'New status.' },
  }),
});
