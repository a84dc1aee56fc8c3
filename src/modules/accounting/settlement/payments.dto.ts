import {
  ActorDto,
  ActorField,
  bothOf,
  Field,
  Filter,
  Listing,
  plainDecimal,
  ProjectListQuery,
  ResourceDto,
  responseOf,
  shownOf,
} from '../../../kit/index.js';
import { ReasonDto } from '../invoices/invoice-requests.dto.js';
import { EXAMPLE } from '../model/example-ids.js';
import { EXCHANGE_RATE } from '../model/field-options.js';
import { PAYMENT_METHODS, type AccountingPayment, type PaymentAllocation, type PaymentMethod } from '../model/payment.entity.js';

export const EXCESSES = ['refuse', 'credit'] as const;

/** The body that records a payment of an invoice, in its currency. */
export class RecordPaymentDto {
  @Field.amount({
    summary: true,
    description: "Amount in minor units of the invoice's currency.",
    example: 21420,
    minimum: 1,
  })
  amount: number;

  @Field.date({
    summary: true,
    description: 'Day of the payment, not in the future; its month must be open.',
    example: '2026-11-30',
  })
  paid_on: string;

  @Field.oneOf(PAYMENT_METHODS, {
    description: 'How it was paid.',
    example: 'card',
    required: false,
    default: 'bank_transfer',
  })
  method?: PaymentMethod;

  @Field.string({
    description: 'Reference, such as that of the bank.',
    example: 'TX-88214',
    required: false,
    isIdentifier: true,
  })
  reference?: string;

  @Field.string({
    description: 'Payment provider whose reference it is; a repeated reference is refused then.',
    example: 'stripe',
    maxLength: 64,
    required: false,
  })
  provider?: string;

  @Field.uuid({
    description: 'Asset account; the one with the role bank if omitted.',
    example: EXAMPLE.account,
    required: false,
  })
  account_id?: string;

  @Field.decimal({
    description: 'Base currency per unit of a foreign currency, on that day.',
    example: '0.9',
    required: false,
    ...EXCHANGE_RATE,
  })
  exchange_rate?: string;

  @Field.oneOf(EXCESSES, {
    description: 'An excess over the balance: reject it, or keep it as a credit of the customer.',
    example: 'credit',
    required: false,
    default: 'refuse',
  })
  excess?: (typeof EXCESSES)[number];
}

/** The body that settles an invoice with a credit of its customer; one of the two ids is required. */
export class ApplyCreditDto {
  @Field.uuid({
    description: 'Payment with an unallocated amount.',
    example: EXAMPLE.payment,
    inSamples: true,
    required: false,
  })
  payment_id?: string;

  @Field.uuid({
    description: 'Credit note with a balance, from list_invoices.',
    example: EXAMPLE.invoice,
    required: false,
  })
  credit_note_id?: string;

  @Field.amount({
    description: 'As much as possible if omitted.',
    example: 5000,
    required: false,
    minimum: 1,
  })
  amount?: number;
}

/** A line to credit. */
export class CreditedLineDto {
  @Field.uuid({
    description: 'Line of the invoice.',
    example: EXAMPLE.line,
  })
  line_id: string;

  @Field.decimal({
    description: 'Quantity to credit.',
    example: '1',
    sign: 'positive',
  })
  quantity: string;
}

/** The body that creates a credit note. */
export class CreateCreditNoteDto {
  @Field.object(() => CreditedLineDto, {
    description: 'What to credit; all that was not credited yet if omitted.',
    example: [{ line_id: EXAMPLE.line, quantity: '1' }],
    required: false,
    list: { minItems: 1, maxItems: 200, repeats: true },
  })
  lines?: CreditedLineDto[];

  @Field.string({
    description: 'Why; printed on it.',
    example: 'Returned',
  })
  reason: string;
}

/** The body that reverses a payment. */
export class ReversePaymentDto extends ReasonDto {
  @Field.date({
    description: "Day of the reversal, such as that of the bank; today if omitted. Not before the payment's, in an open month.",
    example: '2026-12-01',
    required: false,
  })
  reversed_on?: string;
}

/** The part of a payment that settles one invoice. */
export class PaymentAllocationDto {
  @Field.uuid({
    description: 'Invoice.',
    example: EXAMPLE.invoice,
  })
  invoice_id: string;

  @Field.amount({
    description: 'Amount.',
    example: 21420,
    minimum: 1,
  })
  amount: number;

  @Field.date({
    description: 'Day from which it counts.',
    example: '2026-11-30',
  })
  applied_on: string;
}

/** A payment of a customer. */
export class PaymentDto extends bothOf(
  ResourceDto,
  shownOf(RecordPaymentDto, {
    amount: 'Amount in minor units.',
    exchange_rate: { description: 'Base currency per unit on that day.', example: '1' },
    paid_on: 'Day of the payment.',
    method: true,
    account_id: 'Account that it went to.',
  }),
) {
  @Field.constant('payment')
  object: string;

  @Field.uuid({
    description: 'Project.',
    example: EXAMPLE.project,
  })
  project_id: string;

  @Field.uuid({
    description: 'Customer.',
    example: EXAMPLE.customer,
  })
  customer_id: string;

  @Field.string({
    summary: true,
    description: 'Name of the customer. In answers to GET.',
    example: 'Acme GmbH',
    required: false,
  })
  customer_name?: string;

  @Field.uuid({
    description: 'Invoice that it was recorded for.',
    example: EXAMPLE.invoice,
  })
  invoice_id: string;

  @Field.string({
    summary: true,
    description: 'Number of that invoice. In answers to GET.',
    example: 'INV-2026-00042',
    required: false,
  })
  invoice_number?: string;

  @Field.string({
    summary: true,
    description: 'ISO 4217.',
    example: 'EUR',
  })
  currency: string;

  @Field.string({
    summary: 'if_short',
    description: 'Reference.',
    example: 'TX-88214',
    nullable: true,
    isIdentifier: true,
  })
  reference: string | null;

  @Field.string({
    description: 'Payment provider whose reference it is.',
    example: null,
    maxLength: 64,
    nullable: true,
  })
  provider: string | null;

  @Field.amount({
    description: 'What settles no invoice: a credit of the customer.',
    example: 0,
  })
  unallocated_amount: number;

  @Field.object(() => PaymentAllocationDto, {
    description: 'What it settles.',
    example: [],
    list: { maxItems: 1_000, repeats: true },
  })
  allocations: PaymentAllocationDto[];

  @Field.dateTime({
    description: 'When the reversal was recorded, UTC.',
    example: null,
    nullable: true,
  })
  reversed_at: string | null;

  @Field.date({
    summary: true,
    description: 'Date of the reversal in the books.',
    example: null,
    nullable: true,
  })
  reversed_on: string | null;

  @Field.string({
    description: 'Why it was reversed.',
    example: null,
    nullable: true,
  })
  reversal_reason: string | null;

  @Field.uuid({
    description: 'Its journal entry.',
    example: EXAMPLE.entry,
  })
  journal_entry_id: string;

  @ActorField('Who recorded it.')
  created_by: ActorDto;

  /** `allocations` are given for a payment that was written; otherwise they were read with it. */
  static from(this: void, payment: AccountingPayment, allocations?: readonly PaymentAllocation[]): PaymentDto {
    return {
      ...responseOf(PaymentDto, payment),
      ...payment.names,
      exchange_rate: plainDecimal(payment.exchange_rate),
      allocations: [...(allocations ?? payment.allocations ?? [])],
    };
  }
}

/** The filters of list_payments. */
@Listing({
  sort: ['created_at', 'updated_at'],
  defaultSort: '-created_at',
})
export class PaymentsQuery extends ProjectListQuery {
  @Filter.uuid({
    description: 'Of these customers, from list_customers.',
    example: [EXAMPLE.customer],
  })
  customer_id?: string[];

  @Filter.string({
    description: 'With these references.',
    example: ['TX-88214'],
  })
  reference?: string[];

  @Filter.custom({
    kind: 'boolean',
    description: 'Whether a part settles no invoice.',
    example: true,
  })
  unallocated?: boolean;
}
