import { ActorDto, Field, Filter, Listing, ListQuery, MAX_AMOUNT, partialOf, ResourceDto, type Actor } from '../../../kit/index.js';
import { EXAMPLE } from '../model/example-ids.js';
import { INVOICE_TYPES, type InvoiceType } from '../model/invoice.entity.js';
import { INVOICE_STATUSES, type InvoiceStatus } from '../model/invoice-status.js';
import { TAX_CATEGORIES, type TaxCategory } from '../model/tax.entity.js';

const AMOUNT = { minimum: 0, maximum: MAX_AMOUNT };
const RATE = { digits: 10, places: 10, sign: 'positive' } as const;
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
    description: 'Quantity.',
    example: '1.5',
    required: false,
    default: '1',
    sign: 'positive',
  })
  quantity?: string;

  @Field.integer({
    description: 'Price in minor units, for per_quantity.',
    example: 12000,
    ...AMOUNT,
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
    description: 'ISO 4217.',
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
    ...RATE,
  })
  exchange_rate?: string;

  @Field.date({
    description: 'Date of the invoice, not after the day of issue; that day if null.',
    example: '2026-11-21',
    required: false,
    nullable: true,
  })
  issued_on?: string | null;

  @Field.date({
    description: "Due date; by the customer's terms if null.",
    example: '2026-12-21',
    required: false,
    nullable: true,
  })
  due_on?: string | null;

  @Field.date({
    description: 'Date of supply.',
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
    description: 'Lines.',
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
  })
  external_id?: string | null;
}

/** The merge patch of a draft; lines are replaced as a whole. */
export class UpdateInvoiceDto extends partialOf(CreateInvoiceDto, { omit: ['project_id'] }) {}

/** The body that voids an invoice, or reverses a payment. */
export class ReasonDto {
  @Field.string({
    description: 'Why.',
    example: 'Wrong customer',
  })
  reason: string;
}

/** A line. */
export class InvoiceLineDto {
  @Field.uuid({
    description: 'Id; of a draft it is new after each change of the lines.',
    example: EXAMPLE.line,
  })
  id: string;

  @Field.string({
    description: 'What is invoiced.',
    example: 'Consulting',
    maxLength: 500,
  })
  description: string;

  @Field.decimal({
    description: 'Quantity.',
    example: '1.5',
  })
  quantity: string;

  @Field.integer({
    description: 'Price in minor units, for per_quantity.',
    example: 12000,
    ...AMOUNT,
  })
  unit_amount: number;

  @Field.decimal({
    description: 'Quantity that the price is for.',
    example: '1',
  })
  per_quantity: string;

  @Field.decimal({
    description: 'Discount in percent.',
    example: '0',
    digits: 3,
    places: 2,
  })
  discount_percent: string;

  @Field.uuid({
    description: 'Tax.',
    example: EXAMPLE.tax,
  })
  tax_id: string;

  @Field.uuid({
    description: 'Account.',
    example: EXAMPLE.account,
  })
  account_id: string;

  @Field.integer({
    description: 'After the discount; with tax if the prices include it.',
    example: 18000,
    ...AMOUNT,
  })
  amount: number;

  @Field.integer({
    description: 'Without tax.',
    example: 18000,
    ...AMOUNT,
  })
  net_amount: number;

  @Field.uuid({
    description: 'Of a credit note: the line that it credits.',
    example: EXAMPLE.line,
    nullable: true,
  })
  credits_line_id: string | null;
}

/** The tax of all lines with the same category and rate. */
export class InvoiceTaxDto {
  @Field.uuid({
    description: 'Tax of the first of these lines.',
    example: EXAMPLE.tax,
  })
  tax_id: string;

  @Field.string({
    description: 'Its code.',
    example: 'VAT19',
  })
  code: string;

  @Field.oneOf(TAX_CATEGORIES, {
    description: 'Category of EN 16931.',
    example: 'S',
  })
  category: TaxCategory;

  @Field.decimal({
    description: 'Percent.',
    example: '19',
    digits: 3,
    places: 4,
  })
  rate: string;

  @Field.string({
    description: 'Why no tax is due.',
    example: 'Reverse charge',
    nullable: true,
  })
  exemption_reason: string | null;

  @Field.integer({
    description: 'Sum of the lines without tax.',
    example: 18000,
    ...AMOUNT,
  })
  net_amount: number;

  @Field.integer({
    description: 'Tax on that sum.',
    example: 3420,
    ...AMOUNT,
  })
  tax_amount: number;
}

/** Totals in minor units of the currency. */
export class InvoiceTotalsDto {
  @Field.integer({
    description: 'Without tax.',
    example: 18000,
    ...AMOUNT,
  })
  net_amount: number;

  @Field.integer({
    description: 'Tax.',
    example: 3420,
    ...AMOUNT,
  })
  tax_amount: number;

  @Field.integer({
    description: 'With tax.',
    example: 21420,
    ...AMOUNT,
  })
  gross_amount: number;

  @Field.integer({
    description: 'Settled by payments and credits; of a credit note: what it settled.',
    example: 0,
    ...AMOUNT,
  })
  settled_amount: number;

  @Field.integer({
    description: 'What is open.',
    example: 21420,
    ...AMOUNT,
  })
  balance_amount: number;
}

/** A party as the invoice names it. */
export class InvoicePartyDto {
  @Field.string({
    description: 'Name.',
    example: 'Nordlys Outdoor AS',
    nullable: true,
  })
  name: string | null;

  @Field.string({
    description: 'E-mail address.',
    example: 'billing@nordlys.example',
    nullable: true,
  })
  email: string | null;

  @Field.string({
    description: 'VAT or tax number.',
    example: 'NO912345678MVA',
    nullable: true,
  })
  tax_id_number: string | null;

  @Field.string({
    description: 'Postal address.',
    example: 'Storgata 1\n0155 Oslo',
    nullable: true,
    maxLength: 1000,
  })
  address: string | null;
}

/** The source of an invoice. */
export class InvoiceSourceDto {
  @Field.string({
    description: 'Kind.',
    example: 'order',
  })
  type: string;

  @Field.string({
    description: 'Its id.',
    example: EXAMPLE.invoice,
  })
  id: string;
}

/** An invoice or credit note. */
export class InvoiceDto extends ResourceDto {
  @Field.constant('invoice')
  object: string;

  @Field.uuid({
    description: 'Project.',
    example: EXAMPLE.project,
  })
  project_id: string;

  @Field.oneOf(INVOICE_TYPES, {
    description: 'Type.',
    example: 'invoice',
  })
  type: InvoiceType;

  @Field.string({
    description: 'Number without gaps; null until it is issued.',
    example: 'INV-2026-00042',
    nullable: true,
  })
  number: string | null;

  @Field.oneOf(INVOICE_STATUSES, {
    description: 'Status.',
    example: 'issued',
  })
  status: InvoiceStatus;

  @Field.boolean({
    description: 'Whether something is open after the due date.',
    example: false,
  })
  overdue: boolean;

  @Field.uuid({
    description: 'Customer.',
    example: EXAMPLE.customer,
  })
  customer_id: string;

  @Field.object(() => InvoicePartyDto, {
    description: 'The customer as of the issue.',
    example: undefined,
  })
  customer_snapshot: InvoicePartyDto;

  @Field.object(() => InvoicePartyDto, {
    description: 'The seller as of the issue.',
    example: undefined,
    nullable: true,
  })
  seller_snapshot: InvoicePartyDto | null;

  @Field.string({
    description: 'ISO 4217.',
    example: 'EUR',
  })
  currency: string;

  @Field.decimal({
    description: 'Base currency per unit.',
    example: '1',
    ...RATE,
  })
  exchange_rate: string;

  @Field.date({
    description: 'Date of the invoice.',
    example: '2026-11-21',
    nullable: true,
  })
  issued_on: string | null;

  @Field.date({
    description: 'Due date.',
    example: '2026-12-21',
    nullable: true,
  })
  due_on: string | null;

  @Field.date({
    description: 'Date of supply.',
    example: '2026-11-20',
    nullable: true,
  })
  supply_on: string | null;

  @Field.boolean({
    description: 'Whether unit_amount includes tax.',
    example: false,
  })
  prices_include_tax: boolean;

  @Field.object(() => InvoiceLineDto, {
    description: 'Lines.',
    example: [],
    list: { maxItems: 200, repeats: true },
  })
  lines: InvoiceLineDto[];

  @Field.object(() => InvoiceTaxDto, {
    description: 'Taxes by category and rate.',
    example: [],
    list: { maxItems: 200, repeats: true },
  })
  taxes: InvoiceTaxDto[];

  @Field.object(() => InvoiceTotalsDto, {
    description: 'Totals.',
    example: undefined,
  })
  totals: InvoiceTotalsDto;

  @Field.string({
    description: 'Text on it.',
    example: 'Thank you!',
    nullable: true,
    maxLength: 2000,
  })
  memo: string | null;

  @Field.string({
    description: 'Your id.',
    example: 'erp-4711',
    nullable: true,
  })
  external_id: string | null;

  @Field.uuid({
    description: 'Of a credit note: the invoice that it credits.',
    example: EXAMPLE.invoice,
    nullable: true,
  })
  credits_id: string | null;

  @Field.object(() => InvoiceSourceDto, {
    description: 'What it was made from.',
    example: { type: 'order', id: EXAMPLE.line },
    nullable: true,
  })
  source: InvoiceSourceDto | null;

  @Field.integer({
    description: 'Step of the last reminder; 0 if none was sent.',
    example: 0,
    minimum: 0,
  })
  reminders_sent: number;

  @Field.string({
    description: 'Why it was voided.',
    example: 'Wrong customer',
    nullable: true,
  })
  void_reason: string | null;

  @Field.uuid({
    description: 'Its journal entry.',
    example: EXAMPLE.entry,
    nullable: true,
  })
  journal_entry_id: string | null;

  @Field.object(() => ActorDto, {
    description: 'Who created it.',
    example: { type: 'api_key', id: EXAMPLE.project, email: null },
  })
  created_by: Actor;
}

/** The filters of list_invoices. */
@Listing({
  sort: ['created_at', 'updated_at', 'due_on'],
  defaultSort: '-created_at',
  search: 'search',
  searched: "number, customer's name, memo and external id",
})
export class InvoicesQuery extends ListQuery {
  @Filter.uuid({
    description: 'Projects.',
    example: [EXAMPLE.project],
  })
  project_id?: string[];

  @Filter.oneOf(INVOICE_TYPES, {
    description: 'Type.',
    example: ['invoice'],
  })
  type?: InvoiceType[];

  @Filter.oneOf(INVOICE_STATUSES, {
    description: 'Status.',
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
    description: 'Customers.',
    example: [EXAMPLE.customer],
  })
  customer_id?: string[];

  @Filter.string({
    description: 'Numbers.',
    example: ['INV-2026-00042'],
  })
  number?: string[];

  @Filter.before('date', {
    description: 'Due before.',
    example: '2026-12-01',
    column: 'due_on',
  })
  due_before?: string;

  @Filter.string({
    description: 'External ids.',
    example: ['erp-4711'],
  })
  external_id?: string[];
}
