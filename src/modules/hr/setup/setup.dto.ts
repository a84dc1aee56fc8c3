import {
  bothOf,
  Field,
  Filter,
  Listing,
  LookupQuery,
  partialOf,
  plainDecimal,
  ResourceDto,
  responseOf,
  shownOf,
} from '../../../kit/index.js';
import { EXAMPLE } from '../model/example-ids.js';
import type { Holiday, HolidayCalendar } from '../model/holiday-calendar.entity.js';
import type { LeaveType } from '../model/leave-type.entity.js';

const PROJECT = { example: EXAMPLE.project, required: false };
const DAYS = { digits: 3, places: 2 } as const;
const MONTH_AND_DAY = '^(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$';

@Listing({
  sort: ['name'],
  defaultSort: 'name',
})
export class LeaveTypesQuery extends LookupQuery {
  @Filter.boolean({
    description: 'Only types that can be requested, or only others.',
    example: true,
  })
  active?: boolean;
}

export class CreateLeaveTypeDto {
  @Field.uuid({
    description: 'Project of the leave type; the default project if omitted.',
    ...PROJECT,
  })
  project_id?: string;

  @Field.string({
    summary: true,
    description: 'Name, unique in the project.',
    example: 'Study leave',
    maxLength: 100,
    isIdentifier: true,
  })
  name: string;

  @Field.boolean({
    summary: true,
    description: 'Whether it is paid.',
    example: true,
    default: true,
    required: false,
  })
  paid?: boolean;

  @Field.decimal({
    summary: true,
    description: 'Days granted each year; null for none. A change applies from the next year on.',
    example: '5',
    ...DAYS,
    nullable: true,
    required: false,
  })
  days_per_year?: string | null;

  @Field.boolean({
    description: 'Whether somebody must approve it.',
    example: true,
    default: true,
    required: false,
  })
  requires_approval?: boolean;

  @Field.boolean({
    description: 'Whether it can be taken without a balance.',
    example: false,
    default: false,
    required: false,
  })
  allow_negative?: boolean;

  @Field.decimal({
    description: 'Most days carried over to the next year; null for all.',
    example: '5',
    default: '0',
    ...DAYS,
    nullable: true,
    required: false,
  })
  carry_over_days?: string | null;

  @Field.string({
    description: 'Last day on which they can be taken, MM-DD; null for the end of the year.',
    example: '03-31',
    pattern: MONTH_AND_DAY,
    patternInWords: 'a day such as 03-31',
    maxLength: 5,
    nullable: true,
    required: false,
  })
  carry_over_expires?: string | null;

  @Field.boolean({
    description: 'Whether API keys and webhooks show only that somebody is away, as for sick leave.',
    example: false,
    default: false,
    required: false,
  })
  hidden?: boolean;

  @Field.boolean({
    summary: true,
    description: 'Whether it can be requested.',
    example: true,
    default: true,
    required: false,
  })
  active?: boolean;
}

export class UpdateLeaveTypeDto extends partialOf(CreateLeaveTypeDto, { omit: ['project_id'] }) {}

/** A kind of leave. */
export class LeaveTypeDto extends bothOf(
  ResourceDto,
  shownOf(CreateLeaveTypeDto, {
    project_id: 'Project of the leave type.',
    name: true,
    paid: true,
    days_per_year: true,
    requires_approval: true,
    allow_negative: true,
    carry_over_days: true,
    carry_over_expires: true,
    hidden: true,
    active: true,
  }),
) {
  @Field.constant('leave_type')
  object: string;

  static from(this: void, type: LeaveType): LeaveTypeDto {
    const { days_per_year, carry_over_days } = type;
    return {
      ...responseOf(LeaveTypeDto, type),
      days_per_year: days_per_year === null ? null : plainDecimal(days_per_year),
      carry_over_days: carry_over_days === null ? null : plainDecimal(carry_over_days),
    };
  }
}

@Listing({
  sort: ['name'],
  defaultSort: 'name',
})
export class HolidayCalendarsQuery extends LookupQuery {}

export class CreateHolidayCalendarDto {
  @Field.uuid({
    description: 'Project of the calendar; the default project if omitted.',
    ...PROJECT,
  })
  project_id?: string;

  @Field.string({
    description: 'Name, unique in the project.',
    example: 'Berlin',
    maxLength: 100,
    isIdentifier: true,
  })
  name: string;
}

export class UpdateHolidayCalendarDto extends partialOf(CreateHolidayCalendarDto, { omit: ['project_id'] }) {}

/** The holidays of a location. */
export class HolidayCalendarDto extends bothOf(
  ResourceDto,
  shownOf(CreateHolidayCalendarDto, { project_id: 'Project of the calendar.', name: true }),
) {
  @Field.constant('holiday_calendar')
  object: string;

  static from(this: void, calendar: HolidayCalendar): HolidayCalendarDto {
    return responseOf(HolidayCalendarDto, calendar);
  }
}

@Listing({
  sort: ['on'],
  defaultSort: 'on',
})
export class HolidaysQuery extends LookupQuery {
  @Filter.custom({
    kind: 'uuid',
    description: 'Only holidays of this employee.',
    example: EXAMPLE.employee,
  })
  employee_id?: string;

  @Filter.bound('date', {
    description: 'Only holidays on this day or later.',
    example: '2027-01-01',
  })
  from?: string;

  @Filter.bound('date', {
    description: 'Only holidays on this day or earlier.',
    example: '2027-12-31',
  })
  to?: string;
}

export class CreateHolidayDto {
  @Field.uuid({
    description: 'Holiday calendar; people with it are free.',
    example: EXAMPLE.calendar,
  })
  calendar_id: string;

  @Field.date({
    summary: true,
    description: 'The day.',
    example: '2027-10-03',
  })
  on: string;

  @Field.string({
    summary: true,
    description: 'Name.',
    example: 'German Unity Day',
    maxLength: 100,
  })
  name: string;

  @Field.boolean({
    summary: true,
    description: 'Whether only the afternoon is free.',
    example: false,
    default: false,
    required: false,
  })
  half_day?: boolean;
}

export class UpdateHolidayDto extends partialOf(CreateHolidayDto, { omit: ['calendar_id'] }) {}

/** A free day. */
export class HolidayDto extends bothOf(
  ResourceDto,
  shownOf(CreateHolidayDto, { calendar_id: true, on: true, name: true, half_day: true }),
) {
  @Field.constant('holiday')
  object: string;

  @Field.uuid({
    description: 'Project of the calendar.',
    example: EXAMPLE.project,
  })
  project_id: string;

  static from(this: void, holiday: Holiday): HolidayDto {
    return responseOf(HolidayDto, holiday);
  }
}
