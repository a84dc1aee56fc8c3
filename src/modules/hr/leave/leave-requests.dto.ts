import type { Type } from '@nestjs/common';
import { Field, Filter, Listing, ListQuery, pickOf, responseOf } from '../../../kit/index.js';
import type { LeaveRequest } from '../model/leave-request.entity.js';
import { LeaveRequestDto } from '../views/leave-request.dto.js';
import { EXAMPLE } from '../model/example-ids.js';
import { LEAVE_STATUSES, type LeaveStatus } from '../model/values.js';

/** The filters of keys and members. */
abstract class LeaveQuery extends ListQuery {
  @Filter.uuid({
    description: 'Only leave of these employees.',
    example: [EXAMPLE.employee],
  })
  employee_id?: string[];

  @Filter.oneOf(LEAVE_STATUSES, {
    description: 'Only leave in these statuses.',
    example: ['approved'],
  })
  status?: LeaveStatus[];

  @Filter.bound('date', {
    description: 'Only leave that ends on this day or later.',
    example: '2027-03-01',
  })
  from?: string;

  @Filter.bound('date', {
    description: 'Only leave that begins on this day or earlier.',
    example: '2027-03-31',
  })
  to?: string;
}

@Listing({
  sort: ['starts_on', 'created_at'],
  defaultSort: '-starts_on',
})
export class LeaveRequestsQuery extends LeaveQuery {
  /** The column never contains a hidden type, so filtering by one finds nothing, as for an unknown type. */
  @Filter.uuid({
    description: 'Only leave of these types.',
    example: [EXAMPLE.leaveType],
    column: 'shown_leave_type_id',
  })
  leave_type_id?: string[];
}

/** The filters of members with the permission, for whom no type is hidden. */
@Listing({
  sort: ['starts_on', 'created_at'],
  defaultSort: '-starts_on',
})
export class OrgLeaveRequestsQuery extends LeaveQuery {
  @Filter.uuid({
    description: 'Only leave of these types.',
    example: [EXAMPLE.leaveType],
  })
  leave_type_id?: string[];
}

/** The filters of members for their own leave. */
@Listing({
  sort: ['starts_on', 'created_at'],
  defaultSort: '-starts_on',
})
export class MyLeaveRequestsQuery extends ListQuery {
  @Filter.oneOf(LEAVE_STATUSES, {
    description: 'Only leave in these statuses.',
    example: ['approved'],
  })
  status?: LeaveStatus[];
}

/** Of the filters by time, only `updated_after`, with which copies are kept up to date; `AbsenceDto` says why not the others. */
@Listing({
  sort: ['ends_on'],
  defaultSort: 'ends_on',
})
export class AbsencesQuery extends pickOf(ListQuery as Type<ListQuery>, ['limit', 'cursor', 'include_total', 'updated_after']) {
  @Field.date({
    description: 'First day; required without updated_after.',
    example: '2027-03-01',
    required: false,
  })
  from?: string;

  @Field.date({
    description: 'Last day, at most 366 days after the first; required with from.',
    example: '2027-03-07',
    required: false,
  })
  to?: string;

  @Filter.custom({
    kind: 'uuid',
    description: 'Only people of these departments and of those below them.',
    example: [EXAMPLE.department],
    list: { maxItems: 50 },
  })
  department_id?: string[];
}

/** An absence, without its reason. It has no version and no times, which show whether somebody approved it: nobody approves sick leave. */
export class AbsenceDto extends pickOf(LeaveRequestDto, ['project_id', 'employee_id', 'starts_on', 'ends_on', 'half_day']) {
  @Field.constant('absence')
  object: string;

  @Field.uuid({
    summary: true,
    description: 'Leave request.',
    example: EXAMPLE.request,
  })
  id: string;

  @Field.string({
    summary: true,
    description: 'Their name.',
    example: 'Mei Tanaka',
    maxLength: 200,
  })
  employee_name: string;

  @Field.uuid({
    description: 'Their department.',
    example: EXAMPLE.department,
    nullable: true,
  })
  department_id: string | null;

  static from(this: void, request: LeaveRequest, person: { name: string; department_id: string | null }): AbsenceDto {
    return { ...responseOf(AbsenceDto, request), employee_name: person.name, department_id: person.department_id };
  }
}
