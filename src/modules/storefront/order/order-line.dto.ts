import { bothOf, Field, responseOf, shownOf } from '../../../kit/index.js';
import { EXAMPLE } from '../model/example-ids.js';
import type { ShownLine } from '../model/shown-parts.js';
import { amount } from '../model/field-options.js';
import { TaxedAmountDto } from './order-totals.dto.js';

const COUNT = { example: 0, minimum: 0, maximum: 9999 };

export class OrderLineInputDto {
  @Field.uuid({
    description: 'Variant of an active product.',
    example: EXAMPLE.variant,
  })
  variant_id: string;

  @Field.integer({
    description: 'Number of units.',
    example: 2,
    minimum: 1,
    maximum: 9999,
  })
  quantity: number;
}

export class OrderLineDto extends bothOf(
  TaxedAmountDto,
  shownOf(OrderLineInputDto, { variant_id: 'The variant.', quantity: 'Ordered units.' }),
) {
  @Field.uuid({
    description: 'Id of the line.',
    example: EXAMPLE.line,
  })
  id: string;

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

  @amount('Price of a unit.')
  unit_amount: number;

  @amount('Units times price.')
  subtotal_amount: number;

  @amount('Share of the discount.')
  discount_amount: number;

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
    description: 'Refunded units; cancelled ones, too, once all that is due back for them is refunded.',
  })
  refunded_quantity: number;

  static from(this: void, line: ShownLine): OrderLineDto {
    return { ...responseOf(OrderLineDto, line), net_amount: line.total_amount - line.tax_amount };
  }
}
