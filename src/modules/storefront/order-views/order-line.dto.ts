import { Field } from '../../../kit/index.js';
import { EXAMPLE } from '../model/example-ids.js';
import type { ShownLine } from '../model/shown-parts.js';
import { AMOUNT, CODE, RATE } from '../model/field-options.js';

const COUNT = { example: 0, minimum: 0, maximum: 9999 };

export class OrderLineDto {
  @Field.uuid({
    description: 'Id of the line.',
    example: EXAMPLE.line,
  })
  id: string;

  @Field.uuid({
    description: 'The variant.',
    example: EXAMPLE.variant,
  })
  variant_id: string;

  @Field.string({
    description: 'SKU.',
    example: 'CHAIR-BLACK',
    maxLength: 64,
    isIdentifier: true,
  })
  sku: string;

  @Field.string({
    description: 'Title of the product.',
    example: 'Office chair',
  })
  title: string;

  @Field.string({
    description: 'Options of the variant.',
    example: ['Black'],
    list: { maxItems: 3, repeats: true },
  })
  option_values: string[];

  @Field.integer({
    description: 'Ordered units.',
    example: 2,
    minimum: 1,
    maximum: 9999,
  })
  quantity: number;

  @Field.integer({
    ...AMOUNT,
    description: 'Price of a unit.',
  })
  unit_amount: number;

  @Field.integer({
    ...AMOUNT,
    description: 'Units times price.',
  })
  subtotal_amount: number;

  @Field.integer({
    ...AMOUNT,
    description: 'Share of the discount.',
  })
  discount_amount: number;

  @Field.integer({
    ...AMOUNT,
    description: 'Total without tax.',
  })
  net_amount: number;

  @Field.integer({
    ...AMOUNT,
    description: 'Tax.',
  })
  tax_amount: number;

  @Field.integer({
    ...AMOUNT,
    description: 'Total with tax.',
  })
  total_amount: number;

  @Field.string(CODE)
  tax_code: string;

  @Field.decimal(RATE)
  tax_rate: string;

  @Field.integer({
    ...COUNT,
    description: 'Shipped units.',
  })
  fulfilled_quantity: number;

  @Field.integer({
    ...COUNT,
    description: 'Cancelled units.',
  })
  cancelled_quantity: number;

  @Field.integer({
    ...COUNT,
    description: 'Refunded units.',
  })
  refunded_quantity: number;

  static from(this: void, line: ShownLine): OrderLineDto {
    const { id, variant_id, sku, title, option_values, quantity, unit_amount, subtotal_amount, discount_amount } = line;
    const { tax_amount, total_amount, tax_code, tax_rate, fulfilled_quantity, cancelled_quantity, refunded_quantity } = line;
    return {
      id,
      variant_id,
      sku,
      title,
      option_values,
      quantity,
      unit_amount,
      subtotal_amount,
      discount_amount,
      net_amount: total_amount - tax_amount,
      tax_amount,
      total_amount,
      tax_code,
      tax_rate,
      fulfilled_quantity,
      cancelled_quantity,
      refunded_quantity,
    };
  }
}
