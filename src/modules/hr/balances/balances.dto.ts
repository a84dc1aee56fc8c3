import { Field, Filter, Listing, ListQuery, ResourceDto, responseOf, type Ctx } from '../../../kit/index.js';
import type { LeaveAccount } from '../model/leave-account.entity.js';
import { EXAMPLE } from '../model/example-ids.js';
import { NAME_OF_EMPLOYEE, namesFor } from '../views/names.js';

/** Of members about themselves. */
@Listing({
  sort: ['created_at'],
  defaultSort: 'created_at',
})
export class MyLeaveBalancesQuery extends ListQuery {
  @Filter.custom({
    kind: 'date',
    description: 'The day to look at; today by default.',
    example: '2027-06-30',
  })
  as_of?: string;
}

/** The filters that keys and members with the permission have in common. */
abstract class BalanceQuery extends MyLeaveBalancesQuery {
  @Filter.uuid({
    description: 'Only balances of these employees.',
    example: [EXAMPLE.employee],
  })
  employee_id?: string[];
}

@Listing({
  sort: ['created_at'],
  defaultSort: 'created_at',
})
export class LeaveBalancesQuery extends BalanceQuery {
  /** A hidden type is in no row of this column, so that filtering by it is like filtering by an unknown one. */
  @Filter.uuid({
    description: 'Only balances of these leave types.',
    example: [EXAMPLE.leaveType],
    column: 'shown_leave_type_id',
  })
  leave_type_id?: string[];
}

/** Of members with the permission, for whom no type is hidden. */
@Listing({
  sort: ['created_at'],
  defaultSort: 'created_at',
})
export class OrgLeaveBalancesQuery extends BalanceQuery {
  @Filter.uuid({
    description: 'Only balances of these leave types.',
    example: [EXAMPLE.leaveType],
  })
  leave_type_id?: string[];
}

/** Sums of the ledger, in days. */
export interface BalanceFigures {
  as_of: string;
  granted: string;
  carried_over: string;
  expired: string;
  taken: string;
  planned: string;
  pending: string;
  available: string;
}

const days = (description: string, example: string, { summary = false } = {}) =>
  Field.decimal({ description, example, places: 2, sign: 'any', summary });

/** An employee's balance of one leave type in the year of `as_of`. */
export class LeaveBalanceDto extends ResourceDto {
  @Field.constant('leave_balance')
  object: string;

  @Field.uuid({
    description: 'Project of the employee.',
    example: EXAMPLE.project,
  })
  project_id: string;

  @Field.uuid({
    summary: 'if_short',
    description: 'Employee.',
    example: EXAMPLE.employee,
  })
  employee_id: string;

  @Field.string({
    summary: true,
    description: NAME_OF_EMPLOYEE,
    example: 'Mei Tanaka',
    required: false,
  })
  employee_name?: string;

  @Field.uuid({
    description: 'Leave type.',
    example: EXAMPLE.leaveType,
  })
  leave_type_id: string;

  @Field.string({
    summary: true,
    description: 'Name of the leave type.',
    example: 'Vacation',
    required: false,
  })
  leave_type_name?: string;

  @Field.date({
    description: 'The day of the balance.',
    example: '2027-06-30',
  })
  as_of: string;

  @days('Days granted this year, adjustments included.', '25')
  granted: string;

  @days('Days from the year before.', '5')
  carried_over: string;

  @days('Days that expired this year.', '2')
  expired: string;

  @days('Days of approved leave up to as_of.', '10', { summary: true })
  taken: string;

  @days('Days of approved leave later this year.', '3', { summary: true })
  planned: string;

  @days('Days of undecided leave that begins this year.', '0')
  pending: string;

  @days('Days that are left: granted + carried_over - expired - taken - planned - pending.', '15', { summary: true })
  available: string;

  static from(this: void, account: LeaveAccount, figures: BalanceFigures, reader: Ctx): LeaveBalanceDto {
    return { ...responseOf(LeaveBalanceDto, account), ...namesFor(reader, account.names), ...figures };
  }
}
