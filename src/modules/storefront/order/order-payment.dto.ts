import { Field, responseOf, shownOf } from '../../../kit/index.js';
import { EXAMPLE } from '../model/example-ids.js';
import type { ShownPayment } from '../model/shown-parts.js';
import { MONEY_STATUSES, type MoneyStatus } from '../model/values.js';

/** What payments and refunds have in common. */
export abstract class MoneyDto {
  @Field.oneOf(MONEY_STATUSES, {
    description: 'Only succeeded ones count.',
    example: 'succeeded',
    default: 'succeeded',
    required: false,
  })
  status?: MoneyStatus;

  @Field.string({
    description: 'Who moved the money.',
    example: 'stripe',
    maxLength: 64,
  })
  provider: string;

  @Field.string({
    description: "The provider's reference; a repeated one is refused.",
    example: 'pi_123',
    isIdentifier: true,
  })
  reference: string;

  @Field.date({
    description: 'Day; today (UTC) if omitted.',
    example: '2026-11-23',
    required: false,
  })
  on?: string;
}

export class RecordOrderPaymentDto extends MoneyDto {
  @Field.amount({
    description: "Amount in minor units of the order's currency.",
    example: 12_900,
    minimum: 1,
  })
  amount: number;
}

export class OrderPaymentDto extends shownOf(RecordOrderPaymentDto, {
  amount: 'Amount.',
  status: true,
  provider: true,
  reference: "The provider's reference.",
  on: 'Day.',
}) {
  @Field.uuid({
    description: 'Id.',
    example: EXAMPLE.payment,
  })
  id: string;

  @Field.dateTime({
    description: 'When it was recorded.',
    example: '2026-11-23T09:30:00.000Z',
  })
  created_at: string;

  static from(this: void, payment: ShownPayment): OrderPaymentDto {
    return responseOf(OrderPaymentDto, payment);
  }
}
