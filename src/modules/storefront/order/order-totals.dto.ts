import { Field } from '../../../kit/index.js';
import { amount, RATE, TAX_CODE } from '../model/field-options.js';

/** What a part of an order comes to. */
export class TaxedAmountDto {
  @amount('Amount without tax, after discounts.')
  net_amount: number;

  @amount('Tax.')
  tax_amount: number;

  @amount('Amount with tax.')
  total_amount: number;

  @Field.string(TAX_CODE)
  tax_code: string;

  @Field.decimal(RATE)
  tax_rate: string;
}

export class OrderShippingDto extends TaxedAmountDto {
  @Field.string({
    description: 'Name of the method.',
    example: 'Parcel',
    maxLength: 100,
  })
  name: string;
}

export class OrderTaxDto {
  @Field.string(TAX_CODE)
  code: string;

  @Field.decimal(RATE)
  rate: string;

  @amount('What is taxed, without the tax.')
  net_amount: number;

  @amount('Tax.')
  tax_amount: number;
}

export class OrderTotalsDto {
  @amount('Lines before discounts.')
  subtotal_amount: number;

  @amount('Discount.', { example: 1_290 })
  discount_amount: number;

  @amount('Price of shipping.', { example: 490 })
  shipping_amount: number;

  @amount('Tax; part of the total.', { example: 1_932 })
  tax_amount: number;

  @amount('What was ordered, with tax.', {
    summary: true,
    example: 12_100,
  })
  total_amount: number;

  @amount('Part of the total that was cancelled.', { example: 0 })
  cancelled_amount: number;

  @amount('Paid.', { example: 12_100 })
  paid_amount: number;

  @amount('Refunded.', { example: 0 })
  refunded_amount: number;

  @amount('Still to be paid.', { example: 0 })
  due_amount: number;

  @amount('Owed to the buyer, after a cancellation or a payment beyond the total.', { example: 0 })
  refund_due_amount: number;
}
