import type { EventTriggers, TriggerStep } from '../../kit/index.js';

const CREATE: readonly TriggerStep[] = [
  { call: 'list_calendars', query: { status: 'active' }, as: 'calendars' },
  {
    call: 'create_event',
    body: {
      calendar_id: '{calendars.data.0.id}',
      title: 'Triggered {unique}',
      start_at: '2030-01-07T09:00:00Z',
      end_at: '2030-01-07T10:00:00Z',
      // so that it conflicts with none of the last run
      show_as: 'free',
    },
    as: 'event',
  },
];
const params = { id: '{event.id}' };

/** How `work-suite trigger` causes the events of the schedule. Guests alone cause `booking.created`. */
export const SCHEDULE_TRIGGERS: EventTriggers = {
  'event.created': CREATE,
  'event.updated': [...CREATE, { call: 'update_event', params, body: { title: 'Changed {unique}' } }],
  'event.deleted': [...CREATE, { call: 'delete_event', params }],
  'event.invitees_added': [...CREATE, { call: 'add_event_invitees', params, body: { invitees: [{ email: 'ada-{unique}@example.com' }] } }],
};
