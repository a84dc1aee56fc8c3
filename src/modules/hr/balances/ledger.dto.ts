import {
  ActorDto,
  ActorField,
  bothOf,
  Field,
  Filter,
  Listing,
  ListQuery,
  plainDecimal,
  ResourceDto,
  responseOf,
  shownOf,
} from '../../../kit/index.js';
import { EXAMPLE } from '../model/example-ids.js';
import type { LedgerEntry } from '../model/ledger-entry.entity.js';
import { ENTRY_KINDS, type EntryKind } from '../model/values.js';

const KINDS = ['grant', 'carry_over', 'adjustment'] as const;
const DAYS = { example: '5', digits: 4, places: 2, sign: 'any' } as const;

@Listing({
  sort: ['created_at'],
  defaultSort: '-created_at',
  unindexed: {
    leave_type_id: 'A type has a large part of the entries.',
  },
})
export class LeaveEntriesQuery extends ListQuery {
  @Filter.uuid({
    description: 'Only entries of these employees.',
    example: [EXAMPLE.employee],
  })
  employee_id?: string[];

  @Filter.uuid({
    description: 'Only entries of these leave types.',
    example: [EXAMPLE.leaveType],
  })
  leave_type_id?: string[];

  @Filter.oneOf(ENTRY_KINDS, {
    description: 'Only entries of these kinds.',
    example: ['grant'],
  })
  kind?: EntryKind[];
}

export class CreateLeaveEntryDto {
  @Field.uuid({
    description: 'Employee.',
    example: EXAMPLE.employee,
  })
  employee_id: string;

  @Field.uuid({
    description: 'Leave type of the project of the employee.',
    example: EXAMPLE.leaveType,
  })
  leave_type_id: string;

  @Field.oneOf(KINDS, {
    description: 'Kind; only an adjustment can take days away.',
    example: 'adjustment',
  })
  kind: (typeof KINDS)[number];

  @Field.decimal({
    description: 'Days; negative if they are taken away.',
    ...DAYS,
  })
  days: string;

  @Field.date({
    description: 'When it takes effect; today if omitted.',
    example: '2027-01-01',
    required: false,
  })
  on?: string;

  @Field.date({
    description: 'Last day on which the days can be taken; null for no end.',
    example: '2027-03-31',
    nullable: true,
    required: false,
  })
  expires_on?: string | null;

  @Field.string({
    description: 'Note.',
    example: 'Ten years with us',
    maxLength: 1000,
    nullable: true,
    required: false,
  })
  note?: string | null;
}

/** A change of a balance. */
export class LeaveEntryDto extends bothOf(
  ResourceDto,
  shownOf(CreateLeaveEntryDto, {
    employee_id: true,
    leave_type_id: true,
    on: 'When it takes effect.',
    days: true,
    expires_on: {
      description: 'Last day on which the days can be taken; for an expiry, the last day of the days that expired.',
      example: null,
    },
    note: true,
  }),
) {
  @Field.constant('leave_entry')
  object: string;

  @Field.uuid({
    description: 'Project of the employee.',
    example: EXAMPLE.project,
  })
  project_id: string;

  @Field.oneOf(ENTRY_KINDS, {
    description: 'Kind.',
    example: 'grant',
  })
  kind: EntryKind;

  @Field.uuid({
    description: 'Leave request of a use.',
    example: null,
    nullable: true,
  })
  request_id: string | null;

  @Field.boolean({
    description: 'Posted by a rule.',
    example: false,
  })
  automatic: boolean;

  @ActorField('Who posted it.')
  created_by: ActorDto;

  static from(this: void, entry: LedgerEntry): LeaveEntryDto {
    return { ...responseOf(LeaveEntryDto, entry), days: plainDecimal(entry.days) };
  }
}
