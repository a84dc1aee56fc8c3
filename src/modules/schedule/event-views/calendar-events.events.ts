import { defineEvents, event } from '../../../kit/index.js';
import { NOT_PRIVATE } from '../calendars/publish.js';
import { CalendarEventDto } from './calendar-event.dto.js';

const permission = 'schedule.event.view';

/** One event per change of an event or series, however many instances it has. Bookings by visitors emit `booking.created` only. */
export const CalendarEventEvents = defineEvents({
  created: event({
    name: 'event.created',
    description: `An event or a series was created. ${NOT_PRIVATE}`,
    permission,
    payload: CalendarEventDto,
    context: { split_from: 'Id of the series that it continues after a change of this and following instances; null otherwise.' },
  }),
  updated: event({
    name: 'event.updated',
    description: `An event, a series or instances of it were changed. ${NOT_PRIVATE}`,
    permission,
    payload: CalendarEventDto,
    context: {
      apply_to: 'this, following or all.',
      instance_ids: 'Ids of the changed instances; empty if the whole event or series was changed.',
    },
  }),
  deleted: event({
    name: 'event.deleted',
    description: `An event, a series or instances of it were deleted; the object is what was deleted, as it was before. ${NOT_PRIVATE}`,
    permission,
    payload: CalendarEventDto,
    context: { apply_to: 'this, following or all.', original_start_at: 'When the rule placed the first deleted instance; null for all.' },
  }),
  inviteesAdded: event({
    name: 'event.invitees_added',
    description: `People were invited to an event. ${NOT_PRIVATE}`,
    permission,
    payload: CalendarEventDto,
    context: { invitees: 'The new invitees, as returned by list_event_invitees.' },
  }),
});
