import { ActorDto, Field, ResourceDto, type Actor } from '../../../kit/index.js';
import { EXAMPLE } from '../model/example-ids.js';
import { INVOICE_TYPES, type InvoiceType } from '../model/invoice.entity.js';
import { INVOICE_STATUSES, type InvoiceStatus } from '../model/invoice-status.js';
import { InvoiceLineDto, InvoicePartyDto, InvoiceSourceDto, InvoiceTaxDto, InvoiceTotalsDto, RATE } from './invoice-parts.dto.js';

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
    isIdentifier: true,
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
