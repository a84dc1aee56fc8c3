import { Field, ImportResultDto, MAX_AMOUNT, pickOf } from '../../../kit/index.js';
import { CreateAccountingCustomerDto } from '../customers/customers.dto.js';
import { InvoiceLineInputDto } from '../invoices/invoice-requests.dto.js';
import { CreateJournalEntryDto } from '../ledger/journal-entries.dto.js';

const EXTERNAL_ID = {
  description: 'Your id; rows with the id of an earlier import are named and change nothing.',
  example: 'erp-4711',
  isIdentifier: true,
};
const LINE = Field.integer({
  description: 'Number of the line, to tell equal lines apart.',
  example: 1,
  required: false,
  minimum: 1,
  maximum: 500,
});

/** A row of a file of customers. */
export class CustomerRowDto extends pickOf(CreateAccountingCustomerDto, [
  'name',
  'email',
  'tax_id_number',
  'address',
  'currency',
  'payment_terms_days',
  'contact_id',
]) {
  @Field.string(EXTERNAL_ID)
  external_id: string;
}

/** A row of a file of entries: a line. Rows with the same external_id that follow each other are an entry. */
export class JournalRowDto extends pickOf(CreateJournalEntryDto, ['on', 'memo', 'currency', 'exchange_rate']) {
  @Field.string(EXTERNAL_ID)
  external_id: string;

  @Field.string({
    description: 'Code of the account.',
    example: '1100',
    maxLength: 20,
  })
  account: string;

  @Field.amount({
    description: 'Debit in minor units.',
    example: 12500,
    required: false,
    minimum: 0,
    maximum: MAX_AMOUNT,
  })
  debit_amount?: number;

  @Field.amount({
    description: 'Credit in minor units.',
    example: 0,
    required: false,
    minimum: 0,
    maximum: MAX_AMOUNT,
  })
  credit_amount?: number;

  @Field.string({
    description: 'external_id of the customer, for accounts with the role receivable or customer_credit.',
    example: 'crm-4711',
    required: false,
  })
  customer?: string;

  @Field.string({
    description: 'Note on the line.',
    example: 'Rent',
    required: false,
    maxLength: 500,
  })
  line_memo?: string;

  @LINE
  line?: number;
}

/** A row of a file of invoices: a line. Rows with the same external_id that follow each other are a draft. */
export class InvoiceRowDto extends pickOf(InvoiceLineInputDto, [
  'description',
  'quantity',
  'unit_amount',
  'per_quantity',
  'discount_percent',
]) {
  @Field.string(EXTERNAL_ID)
  external_id: string;

  @Field.string({
    description: 'external_id of the customer.',
    example: 'crm-4711',
  })
  customer: string;

  @Field.string({
    description: 'Code of the tax.',
    example: 'VAT19',
    maxLength: 20,
  })
  tax: string;

  @Field.string({
    description: 'Code of the account.',
    example: '4000',
    required: false,
    maxLength: 20,
  })
  account?: string;

  @Field.string({
    description: 'ISO 4217.',
    example: 'EUR',
    required: false,
    pattern: '^[A-Z]{3}$',
  })
  currency?: string;

  @Field.decimal({
    ...{ description: 'Base currency per unit.', example: '0.92', required: false },
    ...{ digits: 10, places: 10, sign: 'positive' },
  })
  exchange_rate?: string;

  @Field.date({
    description: 'Date of the invoice.',
    example: '2026-11-21',
    required: false,
  })
  issued_on?: string;

  @Field.date({
    description: 'Due date.',
    example: '2026-12-21',
    required: false,
  })
  due_on?: string;

  @Field.boolean({
    description: 'Whether unit_amount includes tax.',
    example: false,
    required: false,
  })
  prices_include_tax?: boolean;

  @Field.string({
    description: 'Text on the invoice.',
    example: 'Thank you!',
    required: false,
    maxLength: 2000,
  })
  memo?: string;

  @LINE
  line?: number;
}

/** The result of an import. */
export class AccountingImportDto extends ImportResultDto {
  @Field.constant('accounting_import')
  object: string;
}
