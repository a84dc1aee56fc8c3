import { DomainModule, projectLookup, type DomainModuleOptions } from '../../kit/index.js';
import { ANSWERS } from './answers/answers.parts.js';
import { AVAILABILITY } from './availability/availability.parts.js';
import { CalendarEvents } from './calendars/calendars.events.js';
import { BOOKING_PAGES } from './booking-pages/booking-pages.parts.js';
import { BOOKINGS } from './bookings/bookings.parts.js';
import { BookingEvents } from './bookings/dto/bookings.events.js';
import { CALENDARS } from './calendars/calendars.parts.js';
import { FEEDS } from './feeds/feeds.parts.js';
import { CalendarEventEvents } from './event-views/calendar-events.events.js';
import { EVENTS } from './events/events.parts.js';
import { INVITATIONS } from './invitations/invitations.parts.js';
import { INVITEES } from './invitees/invitees.parts.js';
import { ScheduleErrors } from './model/core/schedule.errors.js';
import { Booking } from './model/records/booking.entity.js';
import { EventDeletions } from './events/event-deletions.service.js';
import { ScheduleEvent } from './model/records/event.entity.js';
import { Instance } from './model/records/instance.entity.js';
import { Invitee } from './model/records/invitee.entity.js';
import { Occupancy } from './model/records/occupancy.entity.js';
import { Reminder } from './model/records/reminder.entity.js';
import { AvailabilityOverride } from './model/setup/availability-override.entity.js';
import { Availability } from './model/setup/availability.entity.js';
import { BookingPage } from './model/setup/booking-page.entity.js';
import { Calendar } from './model/setup/calendar.entity.js';
import { EventTemplate } from './model/setup/event-template.entity.js';
import { Feed } from './model/setup/feed.entity.js';
import { Resource } from './model/setup/resource.entity.js';
import { RESOURCES } from './resources/resources.parts.js';
import { REMINDERS } from './reminders/reminders.parts.js';
import { SCHEDULE_GUIDE } from './schedule.guide.js';
import { ZONE_CHANGES } from './zone-changes/zone-changes.parts.js';
import { ScheduleProjectSetup } from './templates/schedule-project-setup.js';
import { TEMPLATES } from './templates/templates.parts.js';
import { SCHEDULE_DEMO } from './schedule.demo.js';
import { SCHEDULE_TRIGGERS } from './schedule.triggers.js';
import { SCHEDULE_PERSONAL_DATA } from './bookings/schedule.personal-data.js';

/**
 * The folder that everything else builds on. A folder imports only folders below it; lint holds that.
 * - `model/core/`: errors and values. `setup/`: what members set up. `records/`: events and what belongs to them.
 */
const FOUNDATION = {
  entities: [
    EventTemplate,
    Calendar,
    Resource,
    Availability,
    AvailabilityOverride,
    BookingPage,
    Feed,
    ScheduleEvent,
    Instance,
    Occupancy,
    Invitee,
    Reminder,
    Booking,
  ],
} satisfies Partial<DomainModuleOptions>;

/** The providers of each folder. Its `.parts.ts` says what the folder is for. */
const PARTS: readonly Partial<DomainModuleOptions>[] = [
  FOUNDATION,
  CALENDARS,
  TEMPLATES,
  RESOURCES,
  AVAILABILITY,
  BOOKING_PAGES,
  INVITATIONS,
  REMINDERS,
  FEEDS,
  ZONE_CHANGES,
  EVENTS,
  INVITEES,
  BOOKINGS,
  ANSWERS,
];

@DomainModule({
  name: 'schedule',
  title: 'Schedule',
  guide: SCHEDULE_GUIDE,
  agentWords: {
    search: {
      event: 'meeting meet appointment workshop training webinar conference interview call recurring repeat repeating weekly series',
      create_event: 'book arrange plan schedule invite every block reserve calendar away put diary mark',
      update_event: 'move reschedule postpone shift',
      calendar_event: 'agenda diary today tomorrow this_week next_week',
      booking: 'meeting meet appointment reservation online visitor turn_up show_up no_show',
      invitee: 'invite invitation attendee participant guest guest_list who coming attend accept decline rsvp',
      add_event_invitee: 'invite ask join',
      remove_event_invitee: 'uninvite take_off',
      resource: 'room equipment projector vehicle',
      availability: 'slot free busy time available open room when find_a_time',
      event_template: 'meeting_type booking_page kind type',
    },
  },
  scopes: {
    'schedule:calendar:read': 'Read calendars and projects',
    'schedule:config:read': 'Read event templates, resources and availability',
    'schedule:event:read': 'Read events and their invitees',
    'schedule:event:write': 'Create and change events, invite people and send them invitations',
    'schedule:event:delete': 'Delete events',
    'schedule:booking:read': 'Read bookings from public booking pages',
  },
  permissions: {
    'schedule.setup.manage': {
      title: 'Set up calendars, event templates, resources, availability, booking pages and feeds',
      roles: ['admin'],
    },
    'schedule.event.view': { title: 'See events and their invitees', roles: ['admin', 'member'] },
    'schedule.event.manage': { title: 'Create, change and delete events, and invite people', roles: ['admin', 'member'] },
    'schedule.booking.manage': { title: 'See bookings, confirm, reject, cancel and reschedule them', roles: ['admin', 'member'] },
  },
  apiOnly: [
    {
      names: [
        ['Calendars', 'create_org_calendar'],
        ['templates', 'create_org_event_template'],
      ],
      text: 'who is available when, with rooms and equipment',
    },
    { names: [['Booking pages', 'create_org_booking_page']], text: 'the public pages on which guests book a time' },
  ],
  customFields: 'schedule:config:read',
  settings: PARTS.flatMap(({ settings = [] }) => settings),
  entities: PARTS.flatMap(({ entities = [] }) => entities),
  personalData: SCHEDULE_PERSONAL_DATA,
  controllers: [
    projectLookup('/api/v1/ext/schedule/projects', 'list_schedule_projects', { scope: 'schedule:calendar:read' }),
    projectLookup('/api/v1/org/schedule/projects', 'list_org_schedule_projects', {
      permission: ['schedule.setup.manage', 'schedule.event.view', 'schedule.booking.manage'],
    }),
    ...PARTS.flatMap(({ controllers = [] }) => controllers),
  ],
  providers: PARTS.flatMap(({ providers = [] }) => providers),
  jobs: PARTS.flatMap(({ jobs = [] }) => jobs),
  scheduledJobs: PARTS.flatMap(({ scheduledJobs = [] }) => scheduledJobs),
  retention: PARTS.flatMap(({ retention = [] }) => retention),
  errors: ScheduleErrors,
  constraints: { schedule_occupancies_span_excl: ScheduleErrors.resourceConflict },
  events: { ...CalendarEvents, ...CalendarEventEvents, ...BookingEvents },
  triggers: SCHEDULE_TRIGGERS,
  undoneBy: { remove_event_invitee: { operation: 'add_event_invitees' } },
  restorable: [
    {
      entity: ScheduleEvent,
      deletedBy: 'delete_event',
      shownBy: 'get_event',
      handler: EventDeletions,
      emits: [CalendarEventEvents.created],
    },
  ],
  projectSetup: ScheduleProjectSetup,
  demo: SCHEDULE_DEMO,
})
export class ScheduleModule {}
