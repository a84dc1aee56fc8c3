import { Check, Column, Entity, ForeignKey, Index, Unique, VirtualColumn } from 'typeorm';
import { BusinessEntity, TimeColumn, type Actor } from '../../../kit/index.js';
import { Channel } from './channel.entity.js';
import { Discount } from './discount.entity.js';
import { ShippingMethod } from './shipping-method.entity.js';
import {
  shownFulfillmentsOf,
  shownLinesOf,
  shownPaymentsOf,
  shownRefundsOf,
  type ShownFulfillment,
  type ShownLine,
  type ShownPayment,
  type ShownRefund,
} from './shown-parts.js';
import type { Address, FulfillmentState, OrderState, PaymentState, TaxLine } from './values.js';

/**
 * A cart (`draft`) that becomes an order when it is placed; triggers keep its lines, prices and totals from then on. Amounts are in
 * minor units of `currency`.
 */
@Entity('storefront_orders')
@Unique('storefront_orders_reference_key', ['organization_id', 'project_id', 'mode', 'id'])
@ForeignKey(() => Channel, ['organization_id', 'project_id', 'channel_id'], ['organization_id', 'project_id', 'id'], {
  name: 'storefront_orders_channel_id_fkey',
})
@ForeignKey(() => ShippingMethod, ['organization_id', 'project_id', 'shipping_method_id'], ['organization_id', 'project_id', 'id'], {
  name: 'storefront_orders_shipping_method_id_fkey',
})
@ForeignKey(() => Discount, ['organization_id', 'project_id', 'mode', 'discount_id'], ['organization_id', 'project_id', 'mode', 'id'], {
  name: 'storefront_orders_discount_id_fkey',
})
@Index('storefront_orders_number_key', ['project_id', 'mode', 'number'], {
  unique: true,
  where: 'number IS NOT NULL',
})
@Index('storefront_orders_external_id_key', ['project_id', 'mode', 'external_id'], {
  unique: true,
  where: 'external_id IS NOT NULL',
})
@Index('storefront_orders_created_at_idx', ['organization_id', 'mode', 'created_at', 'id', 'project_id'])
@Index('storefront_orders_updated_at_idx', ['organization_id', 'mode', 'updated_at', 'id', 'project_id'])
@Index('storefront_orders_state_idx', ['organization_id', 'mode', 'state', 'created_at', 'id'])
@Index('storefront_orders_payment_state_idx', ['organization_id', 'mode', 'payment_state', 'created_at', 'id'])
@Index('storefront_orders_fulfillment_state_idx', ['organization_id', 'mode', 'fulfillment_state', 'created_at', 'id'])
@Index('storefront_orders_channel_id_idx', ['channel_id', 'mode', 'created_at', 'id'])
@Index('storefront_orders_shipping_method_id_idx', ['shipping_method_id'], { where: 'shipping_method_id IS NOT NULL' })
@Index('storefront_orders_shipping_tax_code_idx', ['project_id', 'shipping_tax_code'], { where: 'shipping_tax_code IS NOT NULL' })
@Index('storefront_orders_discount_id_idx', ['discount_id'], { where: 'discount_id IS NOT NULL' })
@Index('storefront_orders_email_idx', { synchronize: false })
@Index('storefront_orders_number_idx', ['organization_id', 'mode', 'number'], { where: 'number IS NOT NULL' })
@Index('storefront_orders_placed_at_idx', ['organization_id', 'mode', 'placed_at'], { where: 'placed_at IS NOT NULL' })
@Index('storefront_orders_pay_by_at_idx', { synchronize: false })
@Index('storefront_orders_idle_idx', { synchronize: false })
@Index('storefront_orders_search_idx', { synchronize: false })
@Check('storefront_orders_mode_check', `mode IN ('live', 'test')`)
@Check('storefront_orders_state_check', `state IN ('draft', 'open', 'completed', 'cancelled')`)
@Check('storefront_orders_payment_state_check', `payment_state IN ('unpaid', 'partially_paid', 'paid', 'partially_refunded', 'refunded')`)
@Check('storefront_orders_fulfillment_state_check', `fulfillment_state IN ('unfulfilled', 'partially_fulfilled', 'fulfilled')`)
@Check('storefront_orders_currency_check', `currency ~ '^[A-Z]{3}$'`)
@Check('storefront_orders_note_check', 'length(note) <= 5000')
@Check('storefront_orders_external_id_check', 'length(external_id) BETWEEN 1 AND 255')
@Check('storefront_orders_number_check', `(number IS NULL) = (state = 'draft') AND (placed_at IS NULL) = (state = 'draft')`)
@Check(
  'storefront_orders_total_amount_check',
  `least(subtotal_amount, discount_amount, shipping_amount, tax_amount) >= 0
    AND total_amount BETWEEN 0 AND 9007199254740991 AND discount_amount <= subtotal_amount AND total_amount
    = subtotal_amount - discount_amount + shipping_amount + CASE WHEN prices_include_tax THEN 0 ELSE tax_amount END`,
)
@Check(
  'storefront_orders_shipping_total_amount_check',
  `shipping_tax_amount >= 0 AND shipping_total_amount
    = shipping_amount + CASE WHEN prices_include_tax THEN 0 ELSE shipping_tax_amount END
    AND shipping_cancelled_amount BETWEEN 0 AND shipping_total_amount AND shipping_refunded_amount BETWEEN 0 AND shipping_total_amount`,
)
@Check(
  'storefront_orders_refunded_amount_check',
  `paid_amount BETWEEN 0 AND 9007199254740991 AND refunded_amount BETWEEN 0 AND paid_amount
    AND returned_amount BETWEEN 0 AND refunded_amount`,
)
@Check(
  'storefront_orders_shipping_returned_amount_check',
  `shipping_returned_amount BETWEEN 0 AND least(shipping_total_amount - shipping_cancelled_amount, shipping_refunded_amount)
    AND shipping_refund_due_amount BETWEEN 0 AND shipping_cancelled_amount`,
)
@Check('storefront_orders_cancelled_amount_check', 'cancelled_amount BETWEEN 0 AND total_amount')
@Check(
  'storefront_orders_fulfilled_quantity_check',
  `fulfilled_quantity >= 0 AND cancelled_quantity >= 0
    AND fulfilled_quantity + cancelled_quantity <= ordered_quantity`,
)
export class Order extends BusinessEntity {
  @Column('uuid')
  channel_id: string;

  /** Such as `O-42`, or `TEST-O-1` in test mode; null for a draft. */
  @Column('text', { nullable: true })
  number: string | null;

  @Column('text')
  state: OrderState;

  /** Set by a trigger from the amounts. */
  @Column({
    type: 'text',
    default: 'unpaid',
    insert: false,
    update: false,
  })
  payment_state: PaymentState;

  /** Set by a trigger from the quantities. */
  @Column({
    type: 'text',
    default: 'unfulfilled',
    insert: false,
    update: false,
  })
  fulfillment_state: FulfillmentState;

  @Column('text', { nullable: true })
  email: string | null;

  @Column('text', { nullable: true })
  name: string | null;

  @Column('text')
  currency: string;

  @Column('boolean')
  prices_include_tax: boolean;

  @Column('uuid', { nullable: true })
  discount_id: string | null;

  @Column('text', { nullable: true })
  discount_code: string | null;

  @Column('uuid', { nullable: true })
  shipping_method_id: string | null;

  @Column('text', { nullable: true })
  shipping_name: string | null;

  @Column('text', { nullable: true })
  shipping_tax_code: string | null;

  /** Percent. */
  @Column('numeric', {
    precision: 7,
    scale: 4,
    nullable: true,
  })
  shipping_tax_rate: string | null;

  @Column('jsonb', { nullable: true })
  shipping_address: Address | null;

  @Column('jsonb', { nullable: true })
  billing_address: Address | null;

  @Column('text', { nullable: true })
  note: string | null;

  @Column('text', { nullable: true })
  external_id: string | null;

  /** The sum of the lines before discounts. */
  @Column('bigint')
  subtotal_amount: number;

  /** On the lines. */
  @Column('bigint')
  discount_amount: number;

  /** The price of shipping; 0 with free shipping. */
  @Column('bigint')
  shipping_amount: number;

  /** The tax of lines and shipping, always part of the total. */
  @Column('bigint')
  tax_amount: number;

  /** The amount to pay, as of when the order was placed. */
  @Column('bigint')
  total_amount: number;

  @Column('bigint')
  shipping_tax_amount: number;

  /** With tax. */
  @Column('bigint')
  shipping_total_amount: number;

  @Column('bigint')
  shipping_cancelled_amount: number;

  @Column('bigint')
  shipping_refunded_amount: number;

  /** As of the lines. */
  @Column('bigint', { default: 0 })
  shipping_returned_amount: number;

  @Column('bigint', { default: 0 })
  shipping_refund_due_amount: number;

  /** The part of the total that was cancelled. */
  @Column('bigint')
  cancelled_amount: number;

  /** The part of the refunds that reduced what the buyer keeps: returned goods, reductions of the price. */
  @Column('bigint')
  returned_amount: number;

  @Column('bigint')
  paid_amount: number;

  @Column('bigint')
  refunded_amount: number;

  @Column('jsonb')
  taxes: TaxLine[];

  /** Units over all lines. */
  @Column('integer')
  ordered_quantity: number;

  @Column('integer')
  cancelled_quantity: number;

  @Column('integer')
  fulfilled_quantity: number;

  @TimeColumn({ nullable: true })
  placed_at: Date | null;

  /** When the order is cancelled unless it is paid. */
  @TimeColumn({ nullable: true })
  pay_by_at: Date | null;

  /** When the whole order was cancelled. */
  @TimeColumn({ nullable: true })
  cancelled_at: Date | null;

  /** Of the latest cancellation. */
  @Column('text', { nullable: true })
  cancel_reason: string | null;

  @Column('jsonb')
  created_by: Actor;

  /** Words of number, e-mail address, name, external id and note; written by a trigger. */
  @Column({
    type: 'tsvector',
    nullable: true,
    select: false,
    insert: false,
    update: false,
  })
  search: string | null;

  @VirtualColumn({
    type: 'json',
    query: shownLinesOf,
  })
  readonly lines?: ShownLine[] | null;

  @VirtualColumn({
    type: 'json',
    query: shownPaymentsOf,
  })
  readonly payments?: ShownPayment[] | null;

  @VirtualColumn({
    type: 'json',
    query: shownRefundsOf,
  })
  readonly refunds?: ShownRefund[] | null;

  @VirtualColumn({
    type: 'json',
    query: shownFulfillmentsOf,
  })
  readonly fulfillments?: ShownFulfillment[] | null;
}
