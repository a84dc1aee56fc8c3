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
import { ACCOUNT_ROLES, ACCOUNT_TYPES, type AccountRole, type AccountType, type LedgerAccount } from '../model/account.entity.js';
import { EXAMPLE } from '../model/example-ids.js';
import { TAX_CATEGORIES, type TaxCategory, type TaxRate } from '../model/tax.entity.js';

const PROJECT = { description: 'Project; the default project if omitted.', example: EXAMPLE.project, required: false };

/** The body that creates an account. */
export class CreateLedgerAccountDto {
  @Field.uuid(PROJECT)
  project_id?: string;

  @Field.string({
    summary: true,
    description: 'Code, unique in the project.',
    example: '4010',
    maxLength: 20,
    isIdentifier: true,
  })
  code: string;

  @Field.string({
    summary: true,
    description: 'Name.',
    example: 'Consulting revenue',
    maxLength: 100,
  })
  name: string;

  @Field.oneOf(ACCOUNT_TYPES, {
    summary: true,
    description: 'Type; fixed once the account is used.',
    example: 'income',
  })
  type: AccountType;

  @Field.oneOf(ACCOUNT_ROLES, {
    summary: true,
    description: 'Its use in postings by default; the account that has the role loses it.',
    example: 'revenue',
    required: false,
    nullable: true,
  })
  role?: AccountRole | null;

  @Field.boolean({
    summary: true,
    description: 'Whether new postings may use it.',
    example: true,
    required: false,
    default: true,
  })
  active?: boolean;
}

export class UpdateLedgerAccountDto extends partialOf(CreateLedgerAccountDto, { omit: ['project_id'] }) {}

/** An account of the books. */
export class LedgerAccountDto extends bothOf(
  ResourceDto,
  shownOf(CreateLedgerAccountDto, {
    project_id: 'Project.',
    code: true,
    name: true,
    type: 'Type.',
    role: 'Its use in postings that name no other account.',
    active: true,
  }),
) {
  @Field.constant('account')
  object: string;

  static from(this: void, account: LedgerAccount): LedgerAccountDto {
    return responseOf(LedgerAccountDto, account);
  }
}

/** The body that creates a tax. */
export class CreateTaxRateDto {
  @Field.uuid(PROJECT)
  project_id?: string;

  @Field.string({
    summary: true,
    description: 'Code, unique in the project; never changes.',
    example: 'VAT19',
    maxLength: 20,
    isIdentifier: true,
  })
  code: string;

  @Field.string({
    summary: true,
    description: 'Name.',
    example: 'VAT 19 %',
    maxLength: 100,
  })
  name: string;

  @Field.decimal({
    summary: true,
    description: 'Percent, up to 100; 0 unless the category is S. Never changes.',
    example: '19',
    digits: 3,
    places: 4,
  })
  rate: string;

  @Field.oneOf(TAX_CATEGORIES, {
    summary: true,
    description: 'Category of EN 16931; never changes.',
    example: 'S',
  })
  category: TaxCategory;

  @Field.string({
    description: 'Why no tax is due, for invoices; required for the categories E, AE, K, G and O.',
    example: 'Reverse charge',
    required: false,
    nullable: true,
  })
  exemption_reason?: string | null;

  @Field.uuid({
    description: 'Account that the tax is posted to; the account with the role tax if null.',
    example: EXAMPLE.account,
    required: false,
    nullable: true,
  })
  account_id?: string | null;

  @Field.boolean({
    summary: true,
    description: 'Whether new invoices may use it.',
    example: true,
    required: false,
    default: true,
  })
  active?: boolean;
}

/** The merge patch of a tax. Rate and category never change: create another tax, and make this one inactive. */
export class UpdateTaxRateDto extends partialOf(CreateTaxRateDto, { omit: ['project_id', 'code', 'rate', 'category'] }) {}

/** A tax of the project. */
export class TaxRateDto extends bothOf(
  ResourceDto,
  shownOf(CreateTaxRateDto, {
    project_id: 'Project.',
    code: 'Code, unique in the project.',
    name: true,
    rate: 'Percent.',
    category: 'Category of EN 16931: S standard, Z zero, E exempt, AE reverse charge, K intra-community, G export, O outside scope.',
    exemption_reason: 'Why no tax is due, for invoices.',
    account_id: 'Account that the tax is posted to; null for the account with the role tax.',
    active: true,
  }),
) {
  @Field.constant('tax')
  object: string;

  static from(this: void, tax: TaxRate): TaxRateDto {
    return { ...responseOf(TaxRateDto, tax), rate: plainDecimal(tax.rate) };
  }
}

/** The filters of list_accounts. */
@Listing({
  sort: ['code', 'created_at'],
  defaultSort: 'code',
})
export class AccountsQuery extends LookupQuery {
  @Filter.uuid({
    description: 'Of these projects.',
    example: [EXAMPLE.project],
  })
  project_id?: string[];

  @Filter.oneOf(ACCOUNT_TYPES, {
    description: 'Of these types.',
    example: ['asset'],
  })
  type?: AccountType[];

  @Filter.boolean({
    description: 'Whether new postings may use them.',
    example: true,
  })
  active?: boolean;
}

/** The filters of list_tax_rates. */
@Listing({
  sort: ['code', 'created_at'],
  defaultSort: 'code',
})
export class TaxRatesQuery extends LookupQuery {
  @Filter.uuid({
    description: 'Of these projects.',
    example: [EXAMPLE.project],
  })
  project_id?: string[];

  @Filter.boolean({
    description: 'Whether new invoices may use them.',
    example: true,
  })
  active?: boolean;
}
