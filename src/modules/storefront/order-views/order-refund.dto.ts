import { Field } from '../../../kit/index.js';
import { EXAMPLE } from '../model/example-ids.js';
import type { ShownRefund } from '../model/shown-parts.js';
import { AMOUNT, CODE, RATE } from '../model/field-options.js';
import { ShippedUnitsDto } from './order-fulfillment.dto.js';
import { OrderPaymentDto } from './order-payment.dto.js';

/** Units of a line that were shipped or cancelled. */
export class RefundedUnitsDto extends ShippedUnitsDto {
  @Field.boolean({
    description: 'Take the goods back into stock.',
    example: true,
    default: false,
    required: false,
  })
  restock?: boolean;
}

export class RefundPartDto {
  @Field.uuid({
    description: 'Line; null: shipping.',
    example: EXAMPLE.line,
    nullable: true,
  })
  line_id: string | null;

  @Field.string(CODE)
  tax_code: string;

  @Field.decimal(RATE)
  tax_rate: string;

  @Field.integer({
    ...AMOUNT,
    description: 'Part without tax.',
  })
  net_amount: number;

  @Field.integer({
    ...AMOUNT,
    description: 'Tax.',
  })
  tax_amount: number;

  @Field.integer({
    ...AMOUNT,
    description: 'Part with tax.',
  })
  total_amount: number;

  @Field.integer({
    ...AMOUNT,
    description: 'What of it lowers the price of goods or shipping that the buyer keeps, because an amount was refunded instead of units.',
    example: 0,
  })
  reduction_amount: number;
}

export class OrderRefundDto extends OrderPaymentDto {
  @Field.string({
    description: 'Why.',
    example: 'Damaged',
    nullable: true,
  })
  reason: string | null;

  @Field.object(() => RefundedUnitsDto, {
    description: 'Refunded units; empty if an amount was.',
    example: [],
    list: { maxItems: 200 },
  })
  lines: RefundedUnitsDto[];

  @Field.object(() => RefundPartDto, {
    description: 'What it refunds, by line.',
    example: [],
    list: { maxItems: 201 },
  })
  parts: RefundPartDto[];

  static override from(this: void, refund: ShownRefund): OrderRefundDto {
    const { reason, lines } = refund;
    const parts = refund.parts.map((part) => ({
      ...part,
      net_amount: part.total_amount - part.tax_amount,
      reduction_amount: part.reduction_amount ?? 0,
    }));
    return { ...OrderPaymentDto.from(refund), reason, lines, parts };
  }
}
