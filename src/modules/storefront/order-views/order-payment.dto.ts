import { Field } from '../../../kit/index.js';
import { EXAMPLE } from '../model/example-ids.js';
import type { ShownPayment } from '../model/shown-parts.js';
import { MONEY_STATUSES, type MoneyStatus } from '../model/values.js';
import { AMOUNT } from '../model/field-options.js';

export class OrderPaymentDto {
  @Field.uuid({
    description: 'Id.',
    example: EXAMPLE.payment,
  })
  id: string;

  @Field.integer({
    ...AMOUNT,
    description: 'Amount.',
  })
  amount: number;

  @Field.oneOf(MONEY_STATUSES, {
    description: 'Only succeeded ones count.',
    example: 'succeeded',
  })
  status: MoneyStatus;

  @Field.string({
    description: 'Who moved the money.',
    example: 'stripe',
    maxLength: 64,
  })
  provider: string;

  @Field.string({
    description: "The provider's reference.",
    example: 'pi_123',
    isIdentifier: true,
  })
  reference: string;

  @Field.date({
    description: 'Day.',
    example: '2026-11-23',
  })
  on: string;

  @Field.dateTime({
    description: 'When it was recorded.',
    example: '2026-11-23T09:30:00.000Z',
  })
  created_at: string;

  static from(this: void, { id, amount, status, provider, reference, on, created_at }: ShownPayment): OrderPaymentDto {
    return { id, amount, status, provider, reference, on, created_at };
  }
}
