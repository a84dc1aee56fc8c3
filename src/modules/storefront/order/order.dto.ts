import { ActorDto, ActorField, bothOf, Field, plainDecimal, ResourceDto, responseOf, shownOf } from '../../../kit/index.js';
import type { Order } from '../model/order.entity.js';
import { balanceOf } from '../pricing/order-money.js';
import type { ShownFulfillment, ShownLine, ShownPayment, ShownRefund } from '../model/shown-parts.js';
import {
  FULFILLMENT_STATES,
  ORDER_STATES,
  PAYMENT_STATES,
  type FulfillmentState,
  type OrderState,
  type PaymentState,
} from '../model/values.js';
import { OrderFulfillmentDto } from './order-fulfillment.dto.js';
import { OrderLineDto } from './order-line.dto.js';
import { OrderPaymentDto } from './order-payment.dto.js';
import { OrderRefundDto } from './order-refund.dto.js';
import { CreateOrderDto } from './order-requests.dto.js';
import { OrderShippingDto, OrderTaxDto, OrderTotalsDto } from './order-totals.dto.js';

/** The rows that belong to an order. */
export interface OrderParts {
  lines: ShownLine[];
  payments: ShownPayment[];
  refunds: ShownRefund[];
  fulfillments: ShownFulfillment[];
}

/** Those of an order that was read. */
export function partsOf({ lines, payments, refunds, fulfillments }: Order): OrderParts {
  return { lines: lines ?? [], payments: payments ?? [], refunds: refunds ?? [], fulfillments: fulfillments ?? [] };
}

/** A cart, or an order. */
export class OrderDto extends bothOf(
  ResourceDto,
  shownOf(CreateOrderDto, {
    project_id: 'Project of the order.',
    channel_id: 'Channel.',
    email: 'E-mail address of the buyer.',
    name: { summary: 'if_short' },
    discount_code: true,
    shipping_method_id: 'Shipping method.',
    shipping_address: 'Where it is sent; its country decides the tax.',
    billing_address: true,
    note: true,
    external_id: 'Id in your system.',
  }),
) {
  @Field.constant('order')
  object: string;

  @Field.string({
    description: 'Name of the channel. In answers to GET, POST and PATCH.',
    example: 'Web shop',
    required: false,
  })
  channel_name?: string;

  @Field.string({
    summary: true,
    description: 'Number; null for a draft. Starts with TEST- in test mode.',
    example: 'O-42',
    nullable: true,
  })
  number: string | null;

  @Field.oneOf(ORDER_STATES, {
    summary: true,
    description: 'A draft is a cart; completed: shipped and paid.',
    example: 'open',
  })
  state: OrderState;

  @Field.oneOf(PAYMENT_STATES, {
    summary: true,
    description: 'From payments and refunds.',
    example: 'paid',
  })
  payment_state: PaymentState;

  @Field.oneOf(FULFILLMENT_STATES, {
    summary: true,
    description: 'From what was shipped and cancelled.',
    example: 'unfulfilled',
  })
  fulfillment_state: FulfillmentState;

  @Field.string({
    summary: true,
    description: 'ISO 4217 code of all amounts, which are in minor units.',
    example: 'EUR',
    maxLength: 3,
  })
  currency: string;

  @Field.boolean({
    description: 'Whether prices contain the tax.',
    example: true,
  })
  prices_include_tax: boolean;

  @Field.object(() => OrderLineDto, {
    description: 'What is bought; fixed once placed.',
    example: [],
    list: { maxItems: 200 },
  })
  lines: OrderLineDto[];

  @Field.object(() => OrderShippingDto, {
    description: 'What shipping costs.',
    example: null,
    nullable: true,
  })
  shipping: OrderShippingDto | null;

  @Field.object(() => OrderTotalsDto, {
    summary: true,
    description: 'Totals.',
    example: undefined,
  })
  totals: OrderTotalsDto;

  @Field.object(() => OrderTaxDto, {
    description: 'Tax by code and rate.',
    example: [],
    list: { maxItems: 201 },
  })
  taxes: OrderTaxDto[];

  @Field.object(() => OrderPaymentDto, {
    description: 'Payments.',
    example: [],
    list: { maxItems: 1000 },
  })
  payments: OrderPaymentDto[];

  @Field.object(() => OrderRefundDto, {
    description: 'Refunds.',
    example: [],
    list: { maxItems: 1000 },
  })
  refunds: OrderRefundDto[];

  @Field.object(() => OrderFulfillmentDto, {
    description: 'Parcels.',
    example: [],
    list: { maxItems: 1000 },
  })
  fulfillments: OrderFulfillmentDto[];

  @Field.dateTime({
    summary: 'if_short',
    description: 'When it was placed.',
    example: '2026-11-23T09:30:00.000Z',
    nullable: true,
  })
  placed_at: string | null;

  @Field.dateTime({
    description: 'When it is cancelled if nothing was paid.',
    example: null,
    nullable: true,
  })
  pay_by_at: string | null;

  @Field.string({
    description: 'Why it, or a part of it, was cancelled.',
    example: null,
    nullable: true,
  })
  cancel_reason: string | null;

  @ActorField('Who created it.')
  created_by: ActorDto;

  static from(this: void, order: Order, parts: OrderParts = partsOf(order)): OrderDto {
    const { subtotal_amount, discount_amount, shipping_amount, tax_amount, total_amount } = order;
    const { cancelled_amount, paid_amount, refunded_amount } = order;
    const balance = balanceOf(order);
    return {
      ...responseOf(OrderDto, order),
      lines: parts.lines.map(OrderLineDto.from),
      shipping: shippingOf(order),
      totals: {
        subtotal_amount,
        discount_amount,
        shipping_amount,
        tax_amount,
        total_amount,
        cancelled_amount,
        paid_amount,
        refunded_amount,
        due_amount: Math.max(0, balance),
        refund_due_amount: Math.max(0, -balance),
      },
      payments: parts.payments.map(OrderPaymentDto.from),
      refunds: parts.refunds.map(OrderRefundDto.from),
      fulfillments: parts.fulfillments.map(OrderFulfillmentDto.from),
    };
  }
}

function shippingOf(order: Order): OrderShippingDto | null {
  const { shipping_name, shipping_tax_code, shipping_tax_rate, shipping_tax_amount, shipping_total_amount } = order;
  if (shipping_name === null || shipping_tax_code === null || shipping_tax_rate === null) return null;
  return {
    name: shipping_name,
    net_amount: shipping_total_amount - shipping_tax_amount,
    tax_amount: shipping_tax_amount,
    total_amount: shipping_total_amount,
    tax_code: shipping_tax_code,
    tax_rate: plainDecimal(shipping_tax_rate),
  };
}
