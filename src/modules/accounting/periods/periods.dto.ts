import { bothOf, Field, Filter, Listing, LookupQuery, ResourceDto, responseOf, shownOf } from '../../../kit/index.js';
import { EXAMPLE } from '../model/example-ids.js';
import { PERIOD_STATUSES, type AccountingPeriod, type PeriodStatus } from '../model/period.entity.js';

/** The body that creates a month, which otherwise exists from its first entry on. */
export class CreatePeriodDto {
  @Field.uuid({
    description: 'Project; the default project if omitted.',
    example: EXAMPLE.project,
    required: false,
  })
  project_id?: string;

  @Field.date({
    summary: true,
    description: 'Any day of the month.',
    example: '2026-12-01',
  })
  month: string;
}

/** A month of the books. */
export class AccountingPeriodDto extends bothOf(
  ResourceDto,
  shownOf(CreatePeriodDto, { project_id: 'Project.', month: 'The first day of the month.' }),
) {
  @Field.constant('accounting_period')
  object: string;

  @Field.oneOf(PERIOD_STATUSES, {
    summary: true,
    description: 'Nothing can be posted in a closed month.',
    example: 'open',
  })
  status: PeriodStatus;

  @Field.dateTime({
    description: 'When it was closed, UTC.',
    example: null,
    nullable: true,
  })
  closed_at: string | null;

  static from(this: void, period: AccountingPeriod): AccountingPeriodDto {
    return responseOf(AccountingPeriodDto, period);
  }
}

/** The filters of list_accounting_periods. */
@Listing({
  sort: ['month', 'created_at'],
  defaultSort: '-month',
})
export class PeriodsQuery extends LookupQuery {
  @Filter.uuid({
    description: 'Of these projects.',
    example: [EXAMPLE.project],
  })
  project_id?: string[];

  @Filter.oneOf(PERIOD_STATUSES, {
    description: 'With these statuses.',
    example: ['open'],
  })
  status?: PeriodStatus[];
}
