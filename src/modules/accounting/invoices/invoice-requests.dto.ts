import { Field, Filter, Listing, partialOf, ProjectListQuery, type CustomFieldValues } from '../../../kit/index.js';
import { EXAMPLE } from '../model/example-ids.js';
import { EXCHANGE_RATE } from '../model/field-options.js';
import { INVOICE_TYPES, type InvoiceType } from '../model/invoice.entity.js';
import { INVOICE_STATUSES, type InvoiceStatus } from '../model/invoice-status.js';

const LINE = { description: 'Consulting', quantity: '1.5', unit_amount: 12000, tax_id: EXAMPLE.tax };

/** A line of a draft. */
export class InvoiceLineInputDto {
  @Field.string({
    description: 'What is invoiced.',
    example: 'Consulting',
    maxLength: 500,
  })
  description: string;

  @Field.decimal({
    description: 'How many, of unit_amount each.',
    example: '1.5',
    required: false,
    default: '1',
    sign: 'positive',
  })
  quantity?: string;

  @Field.amount({
    description: 'Price in minor units, for per_quantity.',
    example: 12000,
  })
  unit_amount: number;

  @Field.decimal({
    description: 'Quantity that the price is for.',
    example: '1',
    required: false,
    default: '1',
    sign: 'positive',
  })
  per_quantity?: string;

  @Field.decimal({
    description: 'Discount, up to 100.',
    example: '10',
    required: false,
    default: '0',
    digits: 3,
    places: 2,
  })
  discount_percent?: string;

  @Field.uuid({
    description: 'Tax, from list_tax_rates.',
    example: EXAMPLE.tax,
  })
  tax_id: string;

  @Field.uuid({
    description: 'Income or liability account; the one with the role revenue if omitted.',
    example: EXAMPLE.account,
    required: false,
  })
  account_id?: string;
}

/** The body that creates a draft. */
export class CreateInvoiceDto {
  @Field.uuid({
    description: "Project; the key's or the default project if omitted.",
    example: EXAMPLE.project,
    required: false,
  })
  project_id?: string;

  @Field.uuid({
    description: 'Customer, from list_customers.',
    example: EXAMPLE.customer,
  })
  customer_id: string;

  @Field.string({
    summary: true,
    description: 'Currency, ISO 4217 code.',
    onCreate: "The customer's if omitted.",
    example: 'EUR',
    required: false,
    pattern: '^[A-Z]{3}$',
  })
  currency?: string;

  @Field.decimal({
    description: 'Base currency per unit of a foreign currency, then required.',
    example: '0.92',
    required: false,
    ...EXCHANGE_RATE,
  })
  exchange_rate?: string;

  @Field.date({
    description: 'Date of the invoice, not after the day of issue; that day if not set.',
    example: '2026-11-21',
    required: false,
    nullable: true,
  })
  issued_on?: string | null;

  @Field.date({
    summary: true,
    description: "Due date; by the customer's terms if not set.",
    example: '2026-12-21',
    required: false,
    nullable: true,
  })
  due_on?: string | null;

  @Field.date({
    description: 'Day on which it was supplied.',
    example: '2026-11-20',
    required: false,
    nullable: true,
  })
  supply_on?: string | null;

  @Field.boolean({
    description: 'Whether unit_amount includes tax.',
    example: false,
    required: false,
    default: false,
  })
  prices_include_tax?: boolean;

  @Field.object(() => InvoiceLineInputDto, {
    description: 'Lines of the invoice, in order.',
    example: [LINE],
    list: { minItems: 1, maxItems: 200, repeats: true },
  })
  lines: InvoiceLineInputDto[];

  @Field.string({
    description: 'Text on the invoice.',
    example: 'Thank you!',
    required: false,
    nullable: true,
    maxLength: 2000,
  })
  memo?: string | null;

  @Field.string({
    description: 'Your id; unique in the project.',
    example: 'erp-4711',
    required: false,
    nullable: true,
    isIdentifier: true,
  })
  external_id?: string | null;

  @Field.customFields('invoice')
  custom_fields?: CustomFieldValues;
}

/** The merge patch of a draft; lines are replaced as a whole. Of an issued invoice only `custom_fields` can change. */
export class UpdateInvoiceDto extends partialOf(CreateInvoiceDto, { omit: ['project_id'] }) {}

/** The body that voids an invoice, or reverses a payment. */
export class ReasonDto {
  @Field.string({
    description: 'Why it is undone.',
    example: 'Wrong customer',
  })
  reason: string;
}

/** The filters of list_invoices. */
@Listing({
  sort: ['created_at', 'updated_at', 'due_on'],
  defaultSort: '-created_at',
  search: 'search',
  searched: "number, customer's name, memo and external id",
  customFields: 'invoice',
})
export class InvoicesQuery extends ProjectListQuery {
  @Filter.oneOf(INVOICE_TYPES, {
    description: 'Only invoices or only credit notes.',
    example: ['invoice'],
  })
  type?: InvoiceType[];

  @Filter.oneOf(INVOICE_STATUSES, {
    description: 'With these statuses.',
    example: ['issued', 'partially_paid'],
  })
  status?: InvoiceStatus[];

  @Filter.custom({
    kind: 'boolean',
    description: 'Whether they are overdue.',
    example: true,
  })
  overdue?: boolean;

  @Filter.uuid({
    description: 'Of these customers, from list_customers.',
    example: [EXAMPLE.customer],
  })
  customer_id?: string[];

  @Filter.string({
    description: 'With these invoice numbers.',
    example: ['INV-2026-00042'],
  })
  number?: string[];

  @Filter.before('date', {
    description: 'Due before this day.',
    example: '2026-12-01',
    column: 'due_on',
  })
  due_before?: string;

  @Filter.string({
    description: 'With these external ids.',
    example: ['erp-4711'],
  })
  external_id?: string[];
}
