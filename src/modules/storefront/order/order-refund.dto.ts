import { bothOf, Field, shownOf } from '../../../kit/index.js';
import { EXAMPLE } from '../model/example-ids.js';
import type { ShownRefund } from '../model/shown-parts.js';
import { ShippedUnitsDto } from './order-fulfillment.dto.js';
import { MoneyDto, OrderPaymentDto } from './order-payment.dto.js';
import { TaxedAmountDto } from './order-totals.dto.js';

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

export class RefundOrderDto extends MoneyDto {
  @Field.amount({
    description: 'Amount in minor units; instead of lines.',
    example: 1_290,
    inSamples: true,
    minimum: 1,
    required: false,
  })
  amount?: number;

  @Field.object(() => RefundedUnitsDto, {
    description: 'Shipped or cancelled units; instead of amount.',
    example: undefined,
    list: { minItems: 1, maxItems: 200 },
    required: false,
  })
  lines?: RefundedUnitsDto[];

  @Field.string({
    description: 'Why it is refunded.',
    example: 'Damaged',
    nullable: true,
    required: false,
  })
  reason?: string | null;
}

export class RefundPartDto extends TaxedAmountDto {
  @Field.uuid({
    description: 'Line; null: shipping.',
    example: EXAMPLE.line,
    nullable: true,
  })
  line_id: string | null;

  @Field.amount({
    description: 'What of it lowers the price of goods or shipping that the buyer keeps, because an amount was refunded instead of units.',
    example: 0,
  })
  reduction_amount: number;
}

export class OrderRefundDto extends bothOf(OrderPaymentDto, shownOf(RefundOrderDto, { reason: true })) {
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

  static from(this: void, refund: ShownRefund): OrderRefundDto {
    const { reason, lines } = refund;
    const parts = refund.parts.map((part) => ({
      ...part,
      net_amount: part.total_amount - part.tax_amount,
      reduction_amount: part.reduction_amount ?? 0,
    }));
    return { ...OrderPaymentDto.from(refund), reason, lines, parts };
  }
}
