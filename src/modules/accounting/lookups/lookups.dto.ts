import { Field, Filter, Listing, LookupQuery, plainDecimal, ResourceDto } from '../../../kit/index.js';
import { ACCOUNT_ROLES, ACCOUNT_TYPES, type AccountRole, type AccountType, type LedgerAccount } from '../model/account.entity.js';
import { EXAMPLE } from '../model/example-ids.js';
import { TAX_CATEGORIES, type TaxCategory, type TaxRate } from '../model/tax.entity.js';

/** An account of the books. */
export class LedgerAccountDto extends ResourceDto {
  @Field.constant('account')
  object: string;

  @Field.uuid({
    description: 'Project.',
    example: EXAMPLE.project,
  })
  project_id: string;

  @Field.string({
    description: 'Code, unique in the project.',
    example: '4000',
    maxLength: 20,
    isIdentifier: true,
  })
  code: string;

  @Field.string({
    description: 'Name.',
    example: 'Revenue',
    maxLength: 100,
  })
  name: string;

  @Field.oneOf(ACCOUNT_TYPES, {
    description: 'Type.',
    example: 'income',
  })
  type: AccountType;

  @Field.oneOf(ACCOUNT_ROLES, {
    description: 'Its use in postings that name no other account.',
    example: 'revenue',
    nullable: true,
  })
  role: AccountRole | null;

  @Field.boolean({
    description: 'Whether new postings may use it.',
    example: true,
  })
  active: boolean;

  static from(this: void, account: LedgerAccount): LedgerAccountDto {
    const { id, project_id, code, name, type, role, active, version } = account;
    return {
      object: 'account',
      id,
      project_id,
      code,
      name,
      type,
      role,
      active,
      version,
      created_at: account.created_at.toISOString(),
      updated_at: account.updated_at.toISOString(),
    };
  }
}

/** A tax of the project. */
export class TaxRateDto extends ResourceDto {
  @Field.constant('tax')
  object: string;

  @Field.uuid({
    description: 'Project.',
    example: EXAMPLE.project,
  })
  project_id: string;

  @Field.string({
    description: 'Code, unique in the project.',
    example: 'VAT19',
    maxLength: 20,
    isIdentifier: true,
  })
  code: string;

  @Field.string({
    description: 'Name.',
    example: 'VAT 19 %',
    maxLength: 100,
  })
  name: string;

  @Field.decimal({
    description: 'Percent.',
    example: '19',
    digits: 3,
    places: 4,
  })
  rate: string;

  @Field.oneOf(TAX_CATEGORIES, {
    description: 'Category of EN 16931: S standard, Z zero, E exempt, AE reverse charge, K intra-community, G export, O outside scope.',
    example: 'S',
  })
  category: TaxCategory;

  @Field.string({
    description: 'Why no tax is due, for invoices.',
    example: 'Reverse charge',
    nullable: true,
  })
  exemption_reason: string | null;

  @Field.uuid({
    description: 'Account that the tax is posted to; null for the account with the role tax.',
    example: EXAMPLE.account,
    nullable: true,
  })
  account_id: string | null;

  @Field.boolean({
    description: 'Whether new invoices may use it.',
    example: true,
  })
  active: boolean;

  static from(this: void, tax: TaxRate): TaxRateDto {
    const { id, project_id, code, name, category, exemption_reason, account_id, active, version } = tax;
    return {
      object: 'tax',
      id,
      project_id,
      code,
      name,
      rate: plainDecimal(tax.rate),
      category,
      exemption_reason,
      account_id,
      active,
      version,
      created_at: tax.created_at.toISOString(),
      updated_at: tax.updated_at.toISOString(),
    };
  }
}

/** The filters of list_accounts. */
@Listing({
  sort: ['code', 'created_at'],
  defaultSort: 'code',
})
export class AccountsQuery extends LookupQuery {
  @Filter.uuid({
    description: 'Projects.',
    example: [EXAMPLE.project],
  })
  project_id?: string[];

  @Filter.oneOf(ACCOUNT_TYPES, {
    description: 'Types.',
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
    description: 'Projects.',
    example: [EXAMPLE.project],
  })
  project_id?: string[];

  @Filter.boolean({
    description: 'Whether new invoices may use them.',
    example: true,
  })
  active?: boolean;
}
