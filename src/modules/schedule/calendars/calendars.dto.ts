import { bothOf, Field, Filter, Listing, LookupQuery, partialOf, ResourceDto, shownOf } from '../../../kit/index.js';
import { EXAMPLE } from '../model/core/example-ids.js';
import {
  CALENDAR_STATUSES,
  CONFLICT_POLICIES,
  VISIBILITIES,
  type CalendarStatus,
  type ConflictPolicy,
  type Visibility,
} from '../model/setup/calendar.entity.js';

/** A member as the owner of a calendar or the organizer of an event. */
export class ScheduleMemberDto {
  @Field.uuid({
    description: 'Id of the member.',
    example: EXAMPLE.member,
  })
  id: string;

  @Field.string({
    summary: true,
    description: 'Name.',
    example: 'Grace Hopper',
  })
  name: string;

  @Field.email({
    description: 'E-mail address.',
    example: 'grace@example.com',
  })
  email: string;
}

/** The page on which visitors book times in a calendar. */
export class CalendarBookingPageDto {
  @Field.string({
    description: 'The last part of the address.',
    example: 'meet-grace',
  })
  slug: string;

  @Field.boolean({
    description: 'Whether visitors can book.',
    example: true,
  })
  enabled: boolean;

  @Field.string({
    description: 'The address.',
    example: 'https://suite.example.com/b/meet-grace',
    maxLength: 2048,
  })
  url: string;
}

@Listing({
  sort: ['name', 'created_at'],
  defaultSort: 'name',
  search: 'search',
  searched: 'the name',
})
export class CalendarsQuery extends LookupQuery {
  @Filter.uuid({
    description: 'Only calendars of these projects.',
    example: [EXAMPLE.project],
  })
  project_id?: string[];

  @Filter.oneOf(CALENDAR_STATUSES, {
    description: 'Only calendars of this status.',
    example: ['active'],
  })
  status?: CalendarStatus[];

  @Filter.uuid({
    description: 'Only calendars of these owners.',
    example: [EXAMPLE.member],
    column: 'owner_member_id',
  })
  owner_id?: string[];
}

export class CreateCalendarDto {
  @Field.uuid({
    description: 'Project of the calendar; the default project if omitted.',
    example: EXAMPLE.project,
    required: false,
  })
  project_id?: string;

  @Field.string({
    summary: true,
    description: 'Name, unique in the project.',
    example: 'Consulting',
    maxLength: 100,
    isIdentifier: true,
  })
  name: string;

  @Field.string({
    summary: true,
    description: 'IANA name of the time zone.',
    onCreate: "The project's if omitted.",
    example: 'Europe/Berlin',
    required: false,
  })
  timezone?: string;

  @Field.string({
    description: 'Color as #rrggbb in lower case.',
    example: '#2f6fed',
    pattern: '^#[0-9a-f]{6}$',
    maxLength: 7,
    required: false,
    nullable: true,
  })
  color?: string | null;

  @Field.uuid({
    description: 'The member who organizes its events; required for a private calendar.',
    example: EXAMPLE.member,
    required: false,
    nullable: true,
  })
  owner_id?: string | null;

  @Field.uuid({
    description: 'Template of its events.',
    onCreate: "The project's default template if omitted.",
    example: EXAMPLE.template,
    required: false,
  })
  template_id?: string;

  @Field.oneOf(CONFLICT_POLICIES, {
    description: 'reject: busy events of the calendar must not overlap.',
    example: 'allow',
    default: 'allow',
    required: false,
  })
  conflict_policy?: ConflictPolicy;

  @Field.oneOf(VISIBILITIES, {
    description: 'private: only the owner can see it, or, once the owner was deactivated, whoever sets up calendars.',
    example: 'project',
    default: 'project',
    required: false,
  })
  visibility?: Visibility;

  @Field.boolean({
    description: 'Whether invitations name the other invitees.',
    example: false,
    default: false,
    required: false,
  })
  share_guest_list?: boolean;
}

export class UpdateCalendarDto extends partialOf(CreateCalendarDto, { omit: ['project_id'] }) {}

/** A calendar. */
export class CalendarDto extends bothOf(
  ResourceDto,
  shownOf(CreateCalendarDto, {
    project_id: 'Project of the calendar and its events.',
    name: 'Name, unique in the project except for personal calendars.',
    timezone: 'Time zone of availability, and of events that name none; IANA name.',
    color: true,
    template_id: true,
    conflict_policy:
      'reject: busy events of the calendar must not overlap. Resources never have more simultaneous uses than their capacity.',
    visibility:
      'private: only the owner, and keys bound to them, can see it; others see its events as busy time only, and it emits no ' +
      'webhook events. Once the owner was deactivated, members with the permission schedule.setup.manage can see it, too.',
    share_guest_list: true,
  }),
) {
  @Field.constant('calendar')
  object: string;

  @Field.oneOf(CALENDAR_STATUSES, {
    summary: true,
    description: 'In an inactive calendar, events can be read and deleted, but not created or changed.',
    example: 'active',
  })
  status: CalendarStatus;

  @Field.object(() => ScheduleMemberDto, {
    summary: true,
    description: 'The organizer of its events.',
    example: undefined,
    nullable: true,
  })
  owner: ScheduleMemberDto | null;

  @Field.boolean({
    summary: true,
    description: "Whether it is a member's own calendar, whose events keep them busy everywhere.",
    example: false,
  })
  personal: boolean;

  @Field.object(() => CalendarBookingPageDto, {
    description: 'Its booking page, the first enabled one if it has several.',
    example: undefined,
    nullable: true,
  })
  booking_page: CalendarBookingPageDto | null;
}

export class MyCalendarDto {
  @Field.uuid({
    description: 'Project of the calendar; the default project if omitted.',
    example: EXAMPLE.project,
    required: false,
  })
  project_id?: string;

  @Field.string({
    description: "IANA name of the time zone; the project's if omitted.",
    example: 'Europe/Berlin',
    required: false,
  })
  timezone?: string;
}
