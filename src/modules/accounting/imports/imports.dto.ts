import { bothOf, Field, ImportResultDto, pickOf } from '../../../kit/index.js';
import { CreateAccountingCustomerDto } from '../customers/customers.dto.js';
import { CreateInvoiceDto, InvoiceLineInputDto } from '../invoices/invoice-requests.dto.js';
import { CreateJournalEntryDto, JournalLineInputDto } from '../ledger/journal-entries.dto.js';

const EXTERNAL_ID = {
  description: 'Your id; rows with the id of an earlier import are named and change nothing.',
  example: 'erp-4711',
  isIdentifier: true,
};
const LINE = Field.integer({
  description: 'Number of the line, to distinguish equal lines.',
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
  'custom_fields',
]) {
  @Field.string(EXTERNAL_ID)
  external_id: string;
}

/** A row of a file of entries: a line. Rows with the same external_id that follow each other are an entry. */
export class JournalRowDto extends bothOf(
  pickOf(CreateJournalEntryDto, ['on', 'memo', 'currency', 'exchange_rate']),
  pickOf(JournalLineInputDto, ['debit_amount', 'credit_amount']),
) {
  @Field.string(EXTERNAL_ID)
  external_id: string;

  @Field.string({
    description: 'Code of the account.',
    example: '1100',
    maxLength: 20,
  })
  account: string;

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
export class InvoiceRowDto extends bothOf(
  pickOf(CreateInvoiceDto, ['currency', 'exchange_rate', 'issued_on', 'due_on', 'prices_include_tax', 'memo', 'custom_fields']),
  pickOf(InvoiceLineInputDto, ['description', 'quantity', 'unit_amount', 'per_quantity', 'discount_percent']),
) {
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

  @LINE
  line?: number;
}

/** The result of an import. */
export class AccountingImportDto extends ImportResultDto {
  @Field.constant('accounting_import')
  object: string;
}
