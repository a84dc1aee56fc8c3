import { bothOf, Field, ResourceDto, responseOf, shownOf } from '../../../kit/index.js';
import { EXAMPLE } from '../model/example-ids.js';
import { ORDER_INVOICING, type AccountingSettings, type OrderInvoicing } from '../model/settings.entity.js';

const STEP = { after_days: 7, subject: 'Reminder: invoice {NUMBER}', text: 'Invoice {NUMBER} for {BALANCE} was due on {DUE_ON}.' };

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
    description: 'Address that receives replies to reminders.',
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
export class AccountingSettingsDto extends bothOf(
  ResourceDto,
  shownOf(UpdateAccountingSettingsDto, {
    currency: 'ISO 4217; the base currency.',
    seller: true,
    invoice_number_pattern: 'Numbers of invoices.',
    credit_note_number_pattern: true,
    dunning_steps: 'Reminders of overdue invoices.',
    order_invoicing: true,
    deal_customers: true,
  }),
) {
  @Field.constant('accounting_settings')
  object: string;

  @Field.uuid({
    description: 'Project.',
    example: EXAMPLE.project,
  })
  project_id: string;

  static from(this: void, settings: AccountingSettings): AccountingSettingsDto {
    const { name = null, address = null, tax_id_number = null, email = null } = settings.seller;
    return { ...responseOf(AccountingSettingsDto, settings), seller: { name, address, tax_id_number, email } };
  }
}
