import { Field, partialOf, ResourceDto } from '../../../kit/index.js';
import { ACCOUNT_ROLES, ACCOUNT_TYPES, type AccountRole, type AccountType } from '../model/account.entity.js';
import { EXAMPLE } from '../model/example-ids.js';
import { ORDER_INVOICING, type AccountingSettings, type OrderInvoicing } from '../model/settings.entity.js';
import { TAX_CATEGORIES, type TaxCategory } from '../model/tax.entity.js';

const PROJECT = { description: 'Project; the default project if omitted.', example: EXAMPLE.project, required: false };
const STEP = { after_days: 7, subject: 'Reminder: invoice {NUMBER}', text: 'Invoice {NUMBER} over {BALANCE} was due on {DUE_ON}.' };

/** The body that creates an account. */
export class CreateLedgerAccountDto {
  @Field.uuid(PROJECT)
  project_id?: string;

  @Field.string({
    description: 'Code, unique in the project.',
    example: '4010',
    maxLength: 20,
    isIdentifier: true,
  })
  code: string;

  @Field.string({
    description: 'Name.',
    example: 'Consulting revenue',
    maxLength: 100,
  })
  name: string;

  @Field.oneOf(ACCOUNT_TYPES, {
    description: 'Type; fixed once the account is used.',
    example: 'income',
  })
  type: AccountType;

  @Field.oneOf(ACCOUNT_ROLES, {
    description: 'Its use in postings by default; the account that has the role loses it.',
    example: 'revenue',
    required: false,
    nullable: true,
  })
  role?: AccountRole | null;

  @Field.boolean({
    description: 'Whether new postings may use it.',
    example: true,
    required: false,
    default: true,
  })
  active?: boolean;
}

export class UpdateLedgerAccountDto extends partialOf(CreateLedgerAccountDto, { omit: ['project_id'] }) {}

/** The merge patch of a tax. Rate and category never change: create another tax, and make this one inactive. */
export class UpdateTaxRateDto {
  @Field.string({
    description: 'Name.',
    example: 'VAT 19 %',
    required: false,
    maxLength: 100,
  })
  name?: string;

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
    description: 'Whether new invoices may use it.',
    example: true,
    required: false,
    default: true,
  })
  active?: boolean;
}

/** The body that creates a tax. */
export class CreateTaxRateDto extends UpdateTaxRateDto {
  @Field.uuid(PROJECT)
  project_id?: string;

  @Field.string({
    description: 'Code, unique in the project; never changes.',
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
  declare name: string;

  @Field.decimal({
    description: 'Percent, up to 100; 0 unless the category is S. Never changes.',
    example: '19',
    digits: 3,
    places: 4,
  })
  rate: string;

  @Field.oneOf(TAX_CATEGORIES, {
    description: 'Category of EN 16931; never changes.',
    example: 'S',
  })
  category: TaxCategory;
}

/** Who issues the invoices. */
export class SellerDto {
  @Field.string({
    description: 'Name; required to issue invoices.',
    example: 'Acme GmbH',
    required: false,
    nullable: true,
  })
  name?: string | null;

  @Field.string({
    description: 'Postal address; required to issue invoices.',
    example: 'Hauptstraße 1\n10115 Berlin',
    required: false,
    nullable: true,
    maxLength: 1000,
  })
  address?: string | null;

  @Field.string({
    description: 'VAT or tax number.',
    example: 'DE123456789',
    required: false,
    nullable: true,
    maxLength: 50,
  })
  tax_id_number?: string | null;

  @Field.email({
    description: 'Replies to reminders go there.',
    example: 'billing@acme.example',
    required: false,
    nullable: true,
  })
  email?: string | null;
}

/** A reminder of an overdue invoice. Its texts may contain {NUMBER}, {BALANCE}, {DUE_ON} and {CUSTOMER}. */
export class DunningStepDto {
  @Field.integer({
    description: 'Days after the due date.',
    example: 7,
    minimum: 1,
    maximum: 365,
  })
  after_days: number;

  @Field.string({
    description: 'Subject of the mail.',
    example: STEP.subject,
    maxLength: 200,
  })
  subject: string;

  @Field.string({
    description: 'Text of the mail.',
    example: STEP.text,
    maxLength: 5000,
  })
  text: string;
}

/** The merge patch of the settings. */
export class UpdateAccountingSettingsDto {
  @Field.string({
    description: 'ISO 4217; the base currency, fixed once something was posted.',
    example: 'EUR',
    required: false,
    pattern: '^[A-Z]{3}$',
  })
  currency?: string;

  @Field.object(() => SellerDto, {
    description: 'Who issues the invoices.',
    example: { name: 'Acme GmbH' },
    required: false,
  })
  seller?: SellerDto;

  @Field.string({
    description: 'Numbers of invoices: contains {YYYY} and {SEQ} or {SEQ:n} once each. A series starts again each year.',
    example: 'INV-{YYYY}-{SEQ:5}',
    required: false,
    maxLength: 40,
  })
  invoice_number_pattern?: string;

  @Field.string({
    description: 'Numbers of credit notes.',
    example: 'CN-{YYYY}-{SEQ:5}',
    required: false,
    maxLength: 40,
  })
  credit_note_number_pattern?: string;

  @Field.object(() => DunningStepDto, {
    description: 'Reminders of overdue invoices, with ascending after_days; none if empty.',
    example: [STEP],
    required: false,
    list: { maxItems: 10, repeats: true },
  })
  dunning_steps?: DunningStepDto[];

  @Field.oneOf(ORDER_INVOICING, {
    description: 'When orders of the shop become invoices.',
    example: 'off',
    required: false,
  })
  order_invoicing?: OrderInvoicing;

  @Field.boolean({
    description: 'Whether a won deal creates a customer.',
    example: true,
    required: false,
  })
  deal_customers?: boolean;
}

/** The settings of a project's books. */
export class AccountingSettingsDto extends ResourceDto {
  @Field.constant('accounting_settings')
  object: string;

  @Field.uuid({
    description: 'Project.',
    example: EXAMPLE.project,
  })
  project_id: string;

  @Field.string({
    description: 'ISO 4217; the base currency.',
    example: 'EUR',
  })
  currency: string;

  @Field.object(() => SellerDto, {
    description: 'Who issues the invoices.',
    example: undefined,
  })
  seller: SellerDto;

  @Field.string({
    description: 'Numbers of invoices.',
    example: 'INV-{YYYY}-{SEQ:5}',
  })
  invoice_number_pattern: string;

  @Field.string({
    description: 'Numbers of credit notes.',
    example: 'CN-{YYYY}-{SEQ:5}',
  })
  credit_note_number_pattern: string;

  @Field.object(() => DunningStepDto, {
    description: 'Reminders of overdue invoices.',
    example: [STEP],
    list: { maxItems: 10, repeats: true },
  })
  dunning_steps: DunningStepDto[];

  @Field.oneOf(ORDER_INVOICING, {
    description: 'When orders of the shop become invoices.',
    example: 'off',
  })
  order_invoicing: OrderInvoicing;

  @Field.boolean({
    description: 'Whether a won deal creates a customer.',
    example: true,
  })
  deal_customers: boolean;

  static from(this: void, settings: AccountingSettings): AccountingSettingsDto {
    const { id, project_id, currency, seller, invoice_number_pattern, credit_note_number_pattern, dunning_steps, version } = settings;
    return {
      object: 'accounting_settings',
      id,
      project_id,
      currency,
      seller: {
        name: seller.name ?? null,
        address: seller.address ?? null,
        tax_id_number: seller.tax_id_number ?? null,
        email: seller.email ?? null,
      },
      invoice_number_pattern,
      credit_note_number_pattern,
      dunning_steps,
      order_invoicing: settings.order_invoicing,
      deal_customers: settings.deal_customers,
      version,
      created_at: settings.created_at.toISOString(),
      updated_at: settings.updated_at.toISOString(),
    };
  }
}
