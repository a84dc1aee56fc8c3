import { Field } from '../../../kit/index.js';
import { EXAMPLE } from '../model/example-ids.js';
import type { ShownFulfillment, ShownLine, ShownPayment, ShownRefund } from '../model/shown-parts.js';
import { MONEY_STATUSES, SHIPMENT_STATES, type MoneyStatus, type ShipmentState } from '../model/values.js';

const AMOUNT = { example: 12_900, minimum: 0, maximum: Number.MAX_SAFE_INTEGER };
const COUNT = { example: 0, minimum: 0, maximum: 9999 };
const RATE = { description: 'Percent.', example: '19', digits: 3, places: 4 };
const CODE = { description: 'Code of the tax.', example: 'S19', maxLength: 32 };
const OPTIONAL = { nullable: true, required: false };

export class AddressDto {
  @Field.string({
    description: 'Recipient.',
    example: 'Ada Lovelace',
    ...OPTIONAL,
  })
  name?: string | null;

  @Field.string({
    description: 'Street and number.',
    example: 'Main Street 1',
    ...OPTIONAL,
  })
  line1?: string | null;

  @Field.string({
    description: 'Second line.',
    example: 'c/o Acme',
    ...OPTIONAL,
  })
  line2?: string | null;

  @Field.string({
    description: 'Postal code.',
    example: '10115',
    maxLength: 20,
    ...OPTIONAL,
  })
  postal_code?: string | null;

  @Field.string({
    description: 'City.',
    example: 'Berlin',
    maxLength: 100,
    ...OPTIONAL,
  })
  city?: string | null;

  @Field.string({
    description: 'State or province.',
    example: 'Berlin',
    maxLength: 100,
    ...OPTIONAL,
  })
  region?: string | null;

  @Field.string({
    description: 'ISO 3166-1 alpha-2.',
    example: 'DE',
    pattern: '^[A-Z]{2}$',
    minLength: 2,
    maxLength: 2,
  })
  country: string;
}

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

export class RefundedUnitsDto {
  @Field.uuid({
    description: 'Line of the order.',
    example: EXAMPLE.line,
  })
  line_id: string;

  @Field.integer({
    description: 'Units.',
    example: 1,
    minimum: 1,
    maximum: 9999,
  })
  quantity: number;

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
    const parts = refund.parts.map((part) => ({ ...part, net_amount: part.total_amount - part.tax_amount }));
    return { ...OrderPaymentDto.from(refund), reason, lines, parts };
  }
}

export class TrackingDto {
  @Field.string({
    description: 'Carrier.',
    example: 'DHL',
    maxLength: 100,
    ...OPTIONAL,
  })
  carrier?: string | null;

  @Field.string({
    description: 'Number.',
    example: '00340434161094021501',
    maxLength: 100,
    ...OPTIONAL,
  })
  number?: string | null;

  @Field.string({
    description: 'Address of the tracking page.',
    example: 'https://dhl.example/t',
    pattern: '^https?://[^\\s]+$',
    maxLength: 2000,
    ...OPTIONAL,
  })
  url?: string | null;
}

export class ShippedUnitsDto {
  @Field.uuid({
    description: 'Line of the order.',
    example: EXAMPLE.line,
  })
  line_id: string;

  @Field.integer({
    description: 'Units.',
    example: 1,
    minimum: 1,
    maximum: 9999,
  })
  quantity: number;
}

export class OrderFulfillmentDto {
  @Field.uuid({
    description: 'Id.',
    example: EXAMPLE.fulfillment,
  })
  id: string;

  @Field.uuid({
    description: 'Where its goods were; null: nowhere or at several places.',
    example: EXAMPLE.location,
    nullable: true,
  })
  location_id: string | null;

  @Field.oneOf(SHIPMENT_STATES, {
    description: 'State.',
    example: 'shipped',
  })
  state: ShipmentState;

  @Field.object(() => ShippedUnitsDto, {
    description: 'Its content.',
    example: [],
    list: { maxItems: 200 },
  })
  lines: ShippedUnitsDto[];

  @Field.object(() => TrackingDto, {
    description: 'How to follow it.',
    example: null,
    nullable: true,
  })
  tracking: TrackingDto | null;

  @Field.dateTime({
    description: 'When it was shipped.',
    example: '2026-11-23T09:30:00.000Z',
  })
  created_at: string;

  @Field.dateTime({
    description: 'When it was cancelled.',
    example: null,
    nullable: true,
  })
  cancelled_at: string | null;

  static from(this: void, shown: ShownFulfillment): OrderFulfillmentDto {
    const { id, location_id, state, lines, tracking, created_at, cancelled_at } = shown;
    return { id, location_id, state, lines, tracking, created_at, cancelled_at };
  }
}
