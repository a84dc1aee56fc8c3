import { bothOf, Field, pickOf, shownOf } from '../../../kit/index.js';
import { LedgerAccountDto } from '../lookups/lookups.dto.js';
import { ACCOUNT_TYPES, type AccountType } from '../model/account.entity.js';
import { EXAMPLE } from '../model/example-ids.js';

const PROJECT = { description: "Project; the key's or the default project if omitted.", example: EXAMPLE.project, required: false };
const MOST_ACCOUNTS = 1_000;
export const MOST_CUSTOMERS = 500;
const amount = (description: string) =>
  Field.integer({
    description: `${description}, in minor units.`,
    example: 125000,
    minimum: Number.MIN_SAFE_INTEGER,
    maximum: Number.MAX_SAFE_INTEGER,
  });
const list = (maxItems: number) => ({ example: [], list: { maxItems, repeats: true } });

/** The day of a report. */
export class AsOfQuery {
  @Field.uuid(PROJECT)
  project_id?: string;

  @Field.date({
    description: 'Day, inclusive; today if omitted.',
    example: '2026-11-30',
    required: false,
  })
  as_of?: string;
}

/** The days of a report. */
export class FromToQuery {
  @Field.uuid(PROJECT)
  project_id?: string;

  @Field.date({
    description: "First day; the first one of the last day's year if omitted.",
    example: '2026-01-01',
    required: false,
  })
  from?: string;

  @Field.date({
    description: 'Last day, inclusive; today if omitted.',
    example: '2026-11-30',
    required: false,
  })
  to?: string;
}

/** The fields that all reports share. */
abstract class ReportDto {
  @Field.uuid({
    description: 'Project.',
    example: EXAMPLE.project,
  })
  project_id: string;

  @Field.string({
    description: 'The base currency, ISO 4217; all amounts are in it.',
    example: 'EUR',
  })
  currency: string;
}

/** The fields that name an account. */
class NamedAccountDto extends pickOf(LedgerAccountDto, ['code', 'name']) {
  @Field.uuid({
    description: 'Account.',
    example: EXAMPLE.account,
  })
  account_id: string;
}

/** An account with its amount. */
export class ReportAccountDto extends NamedAccountDto {
  @amount('Balance on the side that is usual for the type: debit for assets and expenses, credit for the others')
  amount: number;
}

/** An account with its balance, in one of the two columns. */
export class TrialBalanceAccountDto extends NamedAccountDto {
  @Field.oneOf(ACCOUNT_TYPES, {
    description: 'Type.',
    example: 'income',
  })
  type: AccountType;

  @amount('Debit balance; 0 if it is a credit balance')
  debit_amount: number;

  @amount('Credit balance; 0 if it is a debit balance')
  credit_amount: number;
}

export class TrialBalanceDto extends bothOf(ReportDto, shownOf(AsOfQuery, { as_of: 'Day, inclusive.' })) {
  @Field.constant('trial_balance')
  object: string;

  @Field.object(() => TrialBalanceAccountDto, {
    description: 'Accounts that were posted to, by code. Income and expenses are those of the calendar year.',
    ...list(MOST_ACCOUNTS),
  })
  accounts: TrialBalanceAccountDto[];

  @amount('Profit of earlier years, computed; negative for a loss. Part of the credits, or of the debits if it is a loss')
  earlier_profit_amount: number;

  @amount('Sum of the debits')
  total_debit_amount: number;

  @amount('Sum of the credits; the same')
  total_credit_amount: number;
}

export class BalanceSheetDto extends bothOf(ReportDto, shownOf(AsOfQuery, { as_of: 'Day, inclusive.' })) {
  @Field.constant('balance_sheet')
  object: string;

  @Field.object(() => ReportAccountDto, {
    description: 'Assets.',
    ...list(MOST_ACCOUNTS),
  })
  assets: ReportAccountDto[];

  @Field.object(() => ReportAccountDto, {
    description: 'Liabilities.',
    ...list(MOST_ACCOUNTS),
  })
  liabilities: ReportAccountDto[];

  @Field.object(() => ReportAccountDto, {
    description: 'Equity.',
    ...list(MOST_ACCOUNTS),
  })
  equity: ReportAccountDto[];

  @amount('Profit of earlier years, computed')
  earlier_profit_amount: number;

  @amount('Profit of the calendar year so far')
  current_profit_amount: number;

  @amount('Assets')
  total_assets_amount: number;

  @amount('Liabilities')
  total_liabilities_amount: number;

  @amount('Equity with both profits; with the liabilities, it equals the assets')
  total_equity_amount: number;
}

export class ProfitAndLossDto extends bothOf(ReportDto, shownOf(FromToQuery, { from: 'First day.', to: 'Last day, inclusive.' })) {
  @Field.constant('profit_and_loss')
  object: string;

  @Field.object(() => ReportAccountDto, {
    description: 'Income.',
    ...list(MOST_ACCOUNTS),
  })
  income: ReportAccountDto[];

  @Field.object(() => ReportAccountDto, {
    description: 'Expenses.',
    ...list(MOST_ACCOUNTS),
  })
  expenses: ReportAccountDto[];

  @amount('Income')
  total_income_amount: number;

  @amount('Expenses')
  total_expenses_amount: number;

  @amount('Income less expenses; negative for a loss')
  profit_amount: number;
}

/** Open amounts of one currency by days overdue. */
export class AgedAmountsDto {
  @Field.string({
    description: 'ISO 4217; of these amounts.',
    example: 'EUR',
  })
  currency: string;

  @amount('Not overdue')
  current_amount: number;

  @amount('1 to 30 days overdue')
  days_1_30_amount: number;

  @amount('31 to 60 days overdue')
  days_31_60_amount: number;

  @amount('61 to 90 days overdue')
  days_61_90_amount: number;

  @amount('More than 90 days overdue')
  days_over_90_amount: number;

  @amount('All of these')
  total_amount: number;

  @amount('Credits that settle no invoice on that day: of credit notes, excess payments and payments ahead of their invoice')
  credit_amount: number;
}

export class AgedCustomerDto extends AgedAmountsDto {
  @Field.uuid({
    description: 'Customer.',
    example: EXAMPLE.customer,
  })
  customer_id: string;

  @Field.string({
    description: 'Name of the customer.',
    example: 'Nordlys Outdoor AS',
  })
  customer_name: string;
}

export class AgedReceivablesDto extends shownOf(AsOfQuery, { project_id: 'Project.', as_of: 'Day, inclusive.' }) {
  @Field.constant('aged_receivables')
  object: string;

  @Field.object(() => AgedAmountsDto, {
    description: 'All customers, by currency.',
    ...list(200),
  })
  totals: AgedAmountsDto[];

  @Field.string({
    description: 'The base currency, ISO 4217; of the two amounts below.',
    example: 'EUR',
  })
  base_currency: string;

  @amount('Open invoices less credit notes, at their exchange rates: the balance of the account with the role receivable')
  receivable_amount: number;

  @amount('Excess payments: the credit balance of the account with the role customer_credit')
  customer_credit_amount: number;

  @Field.object(() => AgedCustomerDto, {
    description: `The ${MOST_CUSTOMERS} largest, one item for each customer and currency.`,
    ...list(MOST_CUSTOMERS),
  })
  customers: AgedCustomerDto[];

  @Field.boolean({
    description: 'Whether there are more customers.',
    example: false,
  })
  has_more: boolean;
}
