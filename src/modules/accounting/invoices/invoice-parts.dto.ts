import { Field, shownOf } from '../../../kit/index.js';
import { TaxRateDto } from '../lookups/lookups.dto.js';
import { EXAMPLE } from '../model/example-ids.js';
import { InvoiceLineInputDto } from './invoice-requests.dto.js';

/** A line. */
export class InvoiceLineDto extends shownOf(InvoiceLineInputDto, {
  description: true,
  quantity: true,
  unit_amount: true,
  per_quantity: true,
  discount_percent: { description: 'Discount in percent.', example: '0' },
  tax_id: 'Tax.',
  account_id: 'Account.',
}) {
  @Field.uuid({
    description: 'Id; of a draft it is new after each change of the lines.',
    example: EXAMPLE.line,
  })
  id: string;

  @Field.amount({
    description: 'After the discount; with tax if the prices include it.',
    example: 18000,
  })
  amount: number;

  @Field.amount({
    description: 'Without tax.',
    example: 18000,
  })
  net_amount: number;

  @Field.uuid({
    description: 'Of a credit note: the line that it credits.',
    example: null,
    nullable: true,
  })
  credits_line_id: string | null;
}

/** The tax of all lines with the same category and rate. */
export class InvoiceTaxDto extends shownOf(TaxRateDto, {
  code: 'Its code.',
  category: 'Category of EN 16931.',
  rate: true,
  exemption_reason: { description: 'Why no tax is due.', example: null },
}) {
  @Field.uuid({
    description: 'Tax of the first of these lines.',
    example: EXAMPLE.tax,
  })
  tax_id: string;

  @Field.amount({
    description: 'Sum of the lines without tax.',
    example: 18000,
  })
  net_amount: number;

  @Field.amount({
    description: 'Tax on that sum.',
    example: 3420,
  })
  tax_amount: number;
}

/** Totals in minor units of the currency. */
export class InvoiceTotalsDto {
  @Field.amount({
    description: 'Without tax.',
    example: 18000,
  })
  net_amount: number;

  @Field.amount({
    description: 'Tax.',
    example: 3420,
  })
  tax_amount: number;

  @Field.amount({
    summary: true,
    description: 'With tax.',
    example: 21420,
  })
  gross_amount: number;

  @Field.amount({
    description: 'Settled by payments and credits; of a credit note: what it settled.',
    example: 0,
  })
  settled_amount: number;

  @Field.amount({
    summary: true,
    description: 'What is open.',
    example: 21420,
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
