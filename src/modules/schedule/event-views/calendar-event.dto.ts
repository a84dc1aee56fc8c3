import { bothOf, Field, ResourceDto, shownOf, type CustomFieldValues } from '../../../kit/index.js';
import { ScheduleMemberDto } from '../calendars/calendars.dto.js';
import { EXAMPLE } from '../model/core/example-ids.js';
import { EVENT_STATUSES, SHOW_AS, type EventStatus, type ShowAs } from '../model/records/event.entity.js';

/** How often an event takes place. */
export class RecurrenceDto {
  @Field.string({
    description:
      'Value of an iCalendar RRULE: FREQ (DAILY, WEEKLY, MONTHLY), COUNT or UNTIL, and INTERVAL, BYDAY, BYMONTHDAY, WKST. ' +
      'At most 366 instances within five years; the event must start on the first date of the rule.',
    example: 'FREQ=WEEKLY;BYDAY=MO;COUNT=10',
    maxLength: 500,
  })
  rrule: string;

  @Field.date({
    description: 'Local dates on which the rule has no instance.',
    example: ['2027-04-05'],
    list: { maxItems: 366 },
    required: false,
  })
  exdates?: string[];
}

/** The fields that callers set and responses show in the same form; times are in other forms. */
export class EventFieldsDto {
  @Field.string({
    summary: true,
    description: 'Title of the event.',
    example: 'Contract review',
  })
  title: string;

  @Field.string({
    description: 'Description of the event.',
    example: null,
    nullable: true,
    required: false,
    minLength: 0,
    maxLength: 20000,
  })
  description?: string | null;

  @Field.string({
    description: 'Where it takes place.',
    example: 'Room Ada',
    nullable: true,
    required: false,
    minLength: 0,
    maxLength: 500,
  })
  location?: string | null;

  @Field.string({
    description: 'IANA name of the time zone.',
    onCreate: "The calendar's if omitted.",
    example: 'Europe/Berlin',
    required: false,
  })
  timezone?: string;

  @Field.boolean({
    description: 'Whether it lasts whole days: send start_on and end_on.',
    example: false,
    default: false,
    required: false,
  })
  all_day?: boolean;

  @Field.object(() => RecurrenceDto, {
    description: 'Makes it a series.',
    example: undefined,
    nullable: true,
    required: false,
  })
  recurrence?: RecurrenceDto | null;

  @Field.oneOf(EVENT_STATUSES, {
    summary: true,
    description: 'A cancelled event occupies neither time nor resources.',
    example: 'confirmed',
    default: 'confirmed',
    required: false,
  })
  status?: EventStatus;

  @Field.oneOf(SHOW_AS, {
    description: "Whether it blocks the calendar's time. Resources are occupied in any case.",
    onCreate: 'busy if omitted; free for an all-day event.',
    example: 'busy',
    required: false,
  })
  show_as?: ShowAs;

  @Field.uuid({
    description: 'Resources that it uses, from list_calendar_resources.',
    example: [EXAMPLE.resource],
    list: { maxItems: 20 },
    required: false,
  })
  resource_ids?: string[];

  @Field.map({
    description: "Values of the metadata_schema of the calendar's template.",
    example: {},
    required: false,
  })
  metadata?: Record<string, unknown>;

  @Field.customFields('event')
  custom_fields?: CustomFieldValues;
}

/** An event, a series of events, or one instance of a series. */
export class CalendarEventDto extends bothOf(
  ResourceDto,
  shownOf(EventFieldsDto, {
    title: true,
    description: true,
    location: true,
    timezone: true,
    all_day: 'Whether it lasts whole days.',
    recurrence: 'How often a series takes place.',
    status: true,
    show_as: "Whether it blocks the calendar's time.",
    resource_ids: 'Resources that it uses.',
    metadata: "Values of the template's metadata_schema.",
    custom_fields: 'Custom fields by key.',
  }),
) {
  @Field.constant('event')
  object: string;

  @Field.uuid({
    description: 'Project of the event.',
    example: EXAMPLE.project,
  })
  project_id: string;

  @Field.uuid({
    description: 'Calendar of the event.',
    example: EXAMPLE.calendar,
  })
  calendar_id: string;

  @Field.string({
    description: 'Name of the calendar. In answers to GET, POST and PATCH.',
    example: 'Sales',
    required: false,
  })
  calendar_name?: string;

  @Field.string({
    description: 'Names of the resources, in the order of `resource_ids`. In answers to GET, POST and PATCH.',
    example: ['Room 1'],
    required: false,
    list: { maxItems: 100, repeats: true },
  })
  resource_names?: string[];

  @Field.uuid({
    description: 'Template that says which fields it has.',
    example: EXAMPLE.template,
  })
  template_id: string;

  @Field.uuid({
    description: 'For an instance, the id of its series; null otherwise.',
    example: null,
    nullable: true,
  })
  series_id: string | null;

  @Field.dateTime({
    description: 'For an instance, when the rule places it; null otherwise, and for all-day events.',
    example: null,
    nullable: true,
  })
  original_start_at: string | null;

  @Field.date({
    description: 'For an instance, the local date on which the rule places it.',
    example: null,
    nullable: true,
  })
  original_on: string | null;

  @Field.dateTime({
    description: 'Start, UTC; null for an all-day event.',
    example: '2027-03-29T07:00:00.000Z',
    nullable: true,
  })
  start_at: string | null;

  @Field.dateTime({
    description: 'End, UTC; null for an all-day event.',
    example: '2027-03-29T08:00:00.000Z',
    nullable: true,
  })
  end_at: string | null;

  @Field.string({
    summary: true,
    description: "The zone's offset from UTC at the start.",
    example: '+02:00',
    maxLength: 6,
  })
  utc_offset: string;

  @Field.string({
    summary: true,
    description: 'Start as the clocks of the zone show it.',
    example: '2027-03-29T09:00:00',
    maxLength: 19,
  })
  start_local: string;

  @Field.string({
    summary: true,
    description: 'End as the clocks of the zone show it; null for an all-day event, see end_on.',
    example: '2027-03-29T10:00:00',
    nullable: true,
    maxLength: 19,
  })
  end_local: string | null;

  @Field.date({
    description: 'First day of an all-day event.',
    example: null,
    nullable: true,
  })
  start_on: string | null;

  @Field.date({
    summary: true,
    description: 'The day after the last one of an all-day event.',
    example: null,
    nullable: true,
  })
  end_on: string | null;

  @Field.integer({
    description: 'Number of invitees, see list_event_invitees.',
    example: 2,
    minimum: 0,
  })
  invitee_count: number;

  @Field.string({
    description: 'UID in calendar programs.',
    example: `${EXAMPLE.event}@suite.example.com`,
    maxLength: 255,
  })
  ical_uid: string;

  @Field.integer({
    description: 'SEQUENCE in calendar programs.',
    example: 0,
    minimum: 0,
  })
  sequence: number;

  @Field.object(() => ScheduleMemberDto, {
    summary: 'if_short',
    description: 'The owner of the calendar when the event was created.',
    example: undefined,
    nullable: true,
  })
  organizer: ScheduleMemberDto | null;
}
