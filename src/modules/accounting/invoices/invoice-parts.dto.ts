import { Field, MAX_AMOUNT } from '../../../kit/index.js';
import { EXAMPLE } from '../model/example-ids.js';
import { TAX_CATEGORIES, type TaxCategory } from '../model/tax.entity.js';

export const AMOUNT = { minimum: 0, maximum: MAX_AMOUNT };
/** Of exchange. */
export const RATE = { digits: 10, places: 10, sign: 'positive' } as const;

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
