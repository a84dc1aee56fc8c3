import { Field, Filter, Listing, plainDecimal, ProjectListQuery, ResourceDto, responseOf } from '../../../kit/index.js';
import { DIFFERENCE_SUBJECTS, type AccountingDifference, type DifferenceSubject } from '../model/difference.entity.js';
import { EXAMPLE } from '../model/example-ids.js';

/** A stored figure that differs from what the entries and allocations add up to. */
export class AccountingDifferenceDto extends ResourceDto {
  @Field.constant('accounting_difference')
  object: string;

  @Field.uuid({
    description: 'Project.',
    example: EXAMPLE.project,
  })
  project_id: string;

  @Field.oneOf(DIFFERENCE_SUBJECTS, {
    description: 'Which figure differs.',
    example: 'account_balance',
  })
  subject: DifferenceSubject;

  @Field.uuid({
    description: 'The account, invoice, payment or entry.',
    example: EXAMPLE.account,
  })
  subject_id: string;

  @Field.decimal({
    description: 'What is stored, in minor units.',
    example: '12500',
    sign: 'any',
    digits: 38,
  })
  stored: string;

  @Field.decimal({
    description: 'What it should be.',
    example: '12400',
    sign: 'any',
    digits: 38,
  })
  computed: string;

  @Field.dateTime({
    description: 'When a later recount no longer found it.',
    example: null,
    nullable: true,
  })
  resolved_at: string | null;

  static from(this: void, difference: AccountingDifference): AccountingDifferenceDto {
    const { stored, computed } = difference;
    return { ...responseOf(AccountingDifferenceDto, difference), stored: plainDecimal(stored), computed: plainDecimal(computed) };
  }
}

/** The filters of the list of differences. */
@Listing({
  sort: ['created_at'],
  defaultSort: '-created_at',
})
export class AccountingDifferencesQuery extends ProjectListQuery {
  @Filter.custom({
    kind: 'boolean',
    description: 'Only those that are gone, or only others.',
    example: false,
  })
  resolved?: boolean;
}
