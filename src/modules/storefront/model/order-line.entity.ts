import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { BusinessEntity } from '../../../kit/index.js';
import { Order } from './order.entity.js';
import type { LineReservation } from './values.js';
import { Variant } from './variant.entity.js';

/** A line of an order. Once placed, a trigger keeps all but its quantities and amounts below. */
@Entity('storefront_order_lines')
@Unique('storefront_order_lines_position_key', ['order_id', 'position'])
@ForeignKey(() => Order, ['organization_id', 'project_id', 'mode', 'order_id'], ['organization_id', 'project_id', 'mode', 'id'], {
  name: 'storefront_order_lines_order_id_fkey',
  onDelete: 'CASCADE',
})
@ForeignKey(() => Variant, ['organization_id', 'project_id', 'mode', 'variant_id'], ['organization_id', 'project_id', 'mode', 'id'], {
  name: 'storefront_order_lines_variant_id_fkey',
})
@Index('storefront_order_lines_sku_idx', { synchronize: false })
@Index('storefront_order_lines_variant_id_idx', ['variant_id'])
@Index('storefront_order_lines_tax_code_idx', ['project_id', 'tax_code'])
@Check('storefront_order_lines_mode_check', `mode IN ('live', 'test')`)
@Check('storefront_order_lines_quantity_check', 'quantity BETWEEN 1 AND 9999')
@Check('storefront_order_lines_subtotal_amount_check', 'unit_amount >= 0 AND subtotal_amount = unit_amount * quantity')
@Check(
  'storefront_order_lines_total_amount_check',
  `discount_amount BETWEEN 0 AND subtotal_amount AND tax_amount >= 0
    AND total_amount BETWEEN 0 AND 9007199254740991 AND total_amount - (subtotal_amount - discount_amount) IN (0, tax_amount)`,
)
@Check(
  'storefront_order_lines_fulfilled_quantity_check',
  `fulfilled_quantity >= 0 AND cancelled_quantity >= 0
    AND fulfilled_quantity + cancelled_quantity <= quantity AND refunded_quantity BETWEEN 0 AND quantity`,
)
@Check(
  'storefront_order_lines_refunded_amount_check',
  `refunded_amount BETWEEN 0 AND total_amount
    AND cancelled_amount BETWEEN 0 AND total_amount`,
)
@Check('storefront_order_lines_returned_quantity_check', 'returned_quantity BETWEEN 0 AND least(fulfilled_quantity, refunded_quantity)')
@Check(
  'storefront_order_lines_returned_amount_check',
  'returned_amount BETWEEN 0 AND least(total_amount - cancelled_amount, refunded_amount)',
)
@Check(
  'storefront_order_lines_refund_due_amount_check',
  'refund_due_quantity BETWEEN 0 AND cancelled_quantity AND refund_due_amount BETWEEN 0 AND cancelled_amount',
)
export class OrderLine extends BusinessEntity {
  @Column('uuid')
  order_id: string;

  /** Position in the order, from 1. */
  @Column('integer')
  position: number;

  @Column('uuid')
  variant_id: string;

  @Column('text')
  sku: string;

  @Column('text')
  title: string;

  @Column('text', {
    array: true,
    default: '{}',
  })
  option_values: string[];

  @Column('integer')
  quantity: number;

  @Column('bigint')
  unit_amount: number;

  @Column('bigint')
  subtotal_amount: number;

  @Column('bigint')
  discount_amount: number;

  @Column('bigint')
  tax_amount: number;

  /** With tax. */
  @Column('bigint')
  total_amount: number;

  @Column('text')
  tax_code: string;

  /** Percent. */
  @Column('numeric', {
    precision: 7,
    scale: 4,
  })
  tax_rate: string;

  /** The item of the inventory; null if the variant is not kept in stock. */
  @Column('uuid', { nullable: true })
  item_id: string | null;

  /** How much of the item one unit takes. */
  @Column('numeric', {
    precision: 18,
    scale: 6,
  })
  item_quantity: string;

  @Column('boolean')
  placed: boolean;

  /** The open reservations of the line. */
  @Column('jsonb')
  reservations: LineReservation[];

  /** Units that were shipped. */
  @Column('integer')
  fulfilled_quantity: number;

  @Column('integer')
  cancelled_quantity: number;

  /** Units that were refunded, cancelled and returned ones. */
  @Column('integer')
  refunded_quantity: number;

  /** Shipped units that were refunded. */
  @Column('integer', { default: 0 })
  returned_quantity: number;

  /** Units that were cancelled after they were paid for, and are not refunded yet. */
  @Column('integer', { default: 0 })
  refund_due_quantity: number;

  @Column('bigint')
  cancelled_amount: number;

  /** May be more than that of the refunded units, because refunds of an amount are shared by the lines. */
  @Column('bigint')
  refunded_amount: number;

  /** The part of the refunds that reduced what the buyer keeps: returned units, and reductions of the price. */
  @Column('bigint', { default: 0 })
  returned_amount: number;

  /** What was cancelled after it was paid for, and is not refunded yet. */
  @Column('bigint', { default: 0 })
  refund_due_amount: number;
}
