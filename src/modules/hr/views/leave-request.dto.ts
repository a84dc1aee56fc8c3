import { ActorDto, bothOf, Field, plainDecimal, ResourceDto, responseOf, shownOf, type Ctx } from '../../../kit/index.js';
import { EXAMPLE } from '../model/example-ids.js';
import type { LeaveRequest } from '../model/leave-request.entity.js';
import { HALF_DAYS, LEAVE_STATUSES, type HalfDay, type LeaveStatus } from '../model/values.js';
import { authorOf } from './author.js';
import { NAME_OF_EMPLOYEE, namesFor, withoutType } from './names.js';

const ACTOR = { type: 'user', id: EXAMPLE.member, email: 'grace@example.com' };

/** The body with which members request leave for themselves. */
export class CreateMyLeaveRequestDto {
  @Field.uuid({
    description: 'An active leave type of the project of the employee.',
    example: EXAMPLE.leaveType,
  })
  leave_type_id: string;

  @Field.date({
    summary: true,
    description: 'First day.',
    example: '2027-03-01',
  })
  starts_on: string;

  @Field.date({
    summary: true,
    description: 'Last day, at most 366 days after the first.',
    example: '2027-03-05',
  })
  ends_on: string;

  @Field.oneOf(HALF_DAYS, {
    description: '`start`: from noon of the first day; `end`: until noon of the last day.',
    example: 'end',
    nullable: true,
    required: false,
  })
  half_day?: HalfDay | null;

  @Field.string({
    description: 'Why; no API key ever sees it.',
    example: 'Family visit',
    maxLength: 1000,
    nullable: true,
    required: false,
  })
  reason?: string | null;
}

/** The body that enters leave for an employee. */
export class CreateLeaveRequestDto extends CreateMyLeaveRequestDto {
  @Field.uuid({
    summary: true,
    description: 'Employee who is away.',
    example: EXAMPLE.employee,
  })
  employee_id: string;
}

export class LeaveDecisionDto {
  @Field.string({
    description: 'A note for the employee.',
    example: 'Enjoy',
    maxLength: 1000,
    nullable: true,
    required: false,
  })
  note?: string | null;
}

/** A leave request, as API keys and webhooks see it: without reason, notes and hidden types. */
export class LeaveRequestDto extends bothOf(
  ResourceDto,
  shownOf(CreateLeaveRequestDto, { employee_id: { summary: false }, starts_on: true, ends_on: 'Last day.', half_day: true }),
) {
  @Field.constant('leave_request')
  object: string;

  @Field.string({
    summary: true,
    description: NAME_OF_EMPLOYEE,
    example: 'Mei Tanaka',
    required: false,
  })
  employee_name?: string;

  @Field.uuid({
    description: 'Project of the employee.',
    example: EXAMPLE.project,
  })
  project_id: string;

  @Field.uuid({
    description: 'Leave type; null if it is hidden.',
    example: EXAMPLE.leaveType,
    nullable: true,
  })
  leave_type_id: string | null;

  @Field.string({
    summary: true,
    description: 'Name of the leave type; null if it is hidden. In answers to GET.',
    example: 'Vacation',
    nullable: true,
    required: false,
  })
  leave_type_name?: string | null;

  @Field.boolean({
    description: 'Whether the leave type is hidden.',
    example: false,
  })
  leave_type_hidden: boolean;

  @Field.decimal({
    summary: true,
    description: 'Working days that it takes.',
    example: '4.5',
    places: 2,
  })
  days: string;

  @Field.oneOf(LEAVE_STATUSES, {
    summary: true,
    description: 'Status.',
    example: 'approved',
  })
  status: LeaveStatus;

  @Field.dateTime({
    description: 'When it was approved or rejected.',
    example: '2027-01-12T09:30:00.000Z',
    nullable: true,
  })
  decided_at: string | null;

  @Field.object(() => ActorDto, {
    description: 'Who requested it; without id and email in test mode.',
    example: ACTOR,
  })
  created_by: ActorDto;

  /** With the names only for a reader: events have none, since endpoints get them whatever their keys may read. */
  static from(this: void, request: LeaveRequest, reader?: Ctx): LeaveRequestDto {
    const isHidden = request.shown_leave_type_id === null;
    return {
      ...responseOf(LeaveRequestDto, request),
      ...(reader && namesFor(reader, isHidden ? withoutType(request.names) : request.names)),
      leave_type_id: request.shown_leave_type_id,
      leave_type_hidden: isHidden,
      days: plainDecimal(request.days),
      created_by: authorOf(request),
    };
  }
}

/** Members that the stored response of an Idempotency-Key does not contain. */
export const LEAVE_SECRETS: readonly (keyof OrgLeaveRequestDto)[] = ['reason', 'note'];

/** A leave request, as its employee and members who decide on all leave see it. */
export class OrgLeaveRequestDto extends bothOf(
  LeaveRequestDto,
  shownOf(CreateMyLeaveRequestDto, { reason: 'The reason, as given in the request.' }),
) {
  @Field.string({
    description: 'Note of the member who decided.',
    example: 'Enjoy',
    maxLength: 1000,
    nullable: true,
  })
  note: string | null;

  @Field.object(() => ActorDto, {
    description: 'Who decided.',
    example: ACTOR,
    nullable: true,
  })
  decided_by: ActorDto | null;
}
