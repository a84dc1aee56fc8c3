import { Field } from '../../../kit/index.js';
import { AMOUNT, CODE, RATE } from '../model/field-options.js';

export class OrderShippingDto {
  @Field.string({
    description: 'Name of the method.',
    example: 'Parcel',
    maxLength: 100,
  })
  name: string;

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
}

export class OrderTaxDto {
  @Field.string(CODE)
  code: string;

  @Field.decimal(RATE)
  rate: string;

  @Field.integer({
    ...AMOUNT,
    description: 'What is taxed, without the tax.',
  })
  net_amount: number;

  @Field.integer({
    ...AMOUNT,
    description: 'Tax.',
  })
  tax_amount: number;
}

export class OrderTotalsDto {
  @Field.integer({
    ...AMOUNT,
    description: 'Lines before discounts.',
  })
  subtotal_amount: number;

  @Field.integer({
    ...AMOUNT,
    description: 'Discount.',
  })
  discount_amount: number;

  @Field.integer({
    ...AMOUNT,
    description: 'Price of shipping.',
  })
  shipping_amount: number;

  @Field.integer({
    ...AMOUNT,
    description: 'Tax; part of the total.',
  })
  tax_amount: number;

  @Field.integer({
    ...AMOUNT,
    description: 'What was ordered, with tax.',
  })
  total_amount: number;

  @Field.integer({
    ...AMOUNT,
    description: 'Part of the total that was cancelled.',
  })
  cancelled_amount: number;

  @Field.integer({
    ...AMOUNT,
    description: 'Paid.',
  })
  paid_amount: number;

  @Field.integer({
    ...AMOUNT,
    description: 'Refunded.',
  })
  refunded_amount: number;

  @Field.integer({
    ...AMOUNT,
    description: 'Still to be paid.',
  })
  due_amount: number;

  @Field.integer({
    ...AMOUNT,
    description: 'Owed to the buyer, after a cancellation or a payment beyond the total.',
  })
  refund_due_amount: number;
}
