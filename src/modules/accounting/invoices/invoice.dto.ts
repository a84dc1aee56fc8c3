import { ActorDto, ActorField, bothOf, Field, ResourceDto, shownOf } from '../../../kit/index.js';
import { EXAMPLE } from '../model/example-ids.js';
import { INVOICE_TYPES, type InvoiceType } from '../model/invoice.entity.js';
import { INVOICE_STATUSES, type InvoiceStatus } from '../model/invoice-status.js';
import { InvoiceLineDto, InvoicePartyDto, InvoiceSourceDto, InvoiceTaxDto, InvoiceTotalsDto } from './invoice-parts.dto.js';
import { CreateInvoiceDto } from './invoice-requests.dto.js';

/** An invoice or credit note. */
export class InvoiceDto extends bothOf(
  ResourceDto,
  shownOf(CreateInvoiceDto, {
    project_id: 'Project.',
    customer_id: 'Customer.',
    currency: 'ISO 4217.',
    exchange_rate: { description: 'Base currency per unit.', example: '1' },
    due_on: { description: 'Due date.', summary: 'if_short' },
    issued_on: { description: 'Date of the invoice.', summary: 'if_short' },
    supply_on: true,
    prices_include_tax: true,
    memo: 'Text on it.',
    external_id: 'Your id.',
    custom_fields: 'Custom fields by key.',
  }),
) {
  @Field.constant('invoice')
  object: string;

  @Field.oneOf(INVOICE_TYPES, {
    description: 'Type.',
    example: 'invoice',
  })
  type: InvoiceType;

  @Field.string({
    summary: true,
    description: 'Number without gaps; null until it is issued.',
    example: 'INV-2026-00042',
    nullable: true,
  })
  number: string | null;

  @Field.oneOf(INVOICE_STATUSES, {
    summary: true,
    description: 'Status.',
    example: 'issued',
  })
  status: InvoiceStatus;

  @Field.boolean({
    description: 'Whether an amount is open after the due date.',
    example: false,
  })
  overdue: boolean;

  @Field.string({
    summary: true,
    description: 'Name of the customer as of the issue.',
    example: 'Nordlys Outdoor AS',
    nullable: true,
  })
  customer_name: string | null;

  @Field.object(() => InvoicePartyDto, {
    description: 'The customer as of the issue.',
    example: undefined,
  })
  customer_snapshot: InvoicePartyDto;

  @Field.object(() => InvoicePartyDto, {
    description: 'The seller as of the issue.',
    example: { name: 'Acme GmbH', email: 'billing@acme.example', tax_id_number: 'DE123456789', address: 'Hauptstr. 1\n10115 Berlin' },
    nullable: true,
  })
  seller_snapshot: InvoicePartyDto | null;

  @Field.object(() => InvoiceLineDto, {
    description: 'Lines.',
    example: undefined,
    list: { maxItems: 200, repeats: true },
  })
  lines: InvoiceLineDto[];

  @Field.object(() => InvoiceTaxDto, {
    description: 'Taxes by category and rate.',
    example: undefined,
    list: { maxItems: 200, repeats: true },
  })
  taxes: InvoiceTaxDto[];

  @Field.object(() => InvoiceTotalsDto, {
    summary: true,
    description: 'Totals.',
    example: undefined,
  })
  totals: InvoiceTotalsDto;

  @Field.uuid({
    description: 'Of a credit note: the invoice that it credits.',
    example: null,
    nullable: true,
  })
  credits_id: string | null;

  @Field.string({
    description: 'Number of that invoice. In answers to GET.',
    example: null,
    nullable: true,
    required: false,
  })
  credits_number?: string | null;

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
    example: null,
    nullable: true,
  })
  void_reason: string | null;

  @Field.uuid({
    description: 'Its journal entry.',
    example: EXAMPLE.entry,
    nullable: true,
  })
  journal_entry_id: string | null;

  @Field.string({
    description: 'Of a write: what to check, such as another invoice of the order that memo or external_id names.',
    example: 'Order O-42 has the invoice INV-2026-00041 already: this one charges it a second time.',
    required: false,
  })
  notice?: string;

  @ActorField('Who created it.')
  created_by: ActorDto;
}
