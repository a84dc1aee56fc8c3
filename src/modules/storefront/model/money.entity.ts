import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { BusinessEntity, type Actor } from '../../../kit/index.js';
import { Order } from './order.entity.js';
import type { RefundedUnits, RefundPart } from './shown-parts.js';
import type { MoneyStatus } from './values.js';

/** The common columns of payments and refunds. Append-only; only test data can be deleted. */
abstract class Money extends BusinessEntity {
  @Column('uuid')
  order_id: string;

  /** In minor units of the order's currency. */
  @Column('bigint')
  amount: number;

  /** Only succeeded ones count. */
  @Column('text')
  status: MoneyStatus;

  @Column('text')
  provider: string;

  /** The payment provider's reference, unique per provider. */
  @Column('text')
  reference: string;

  @Column('date')
  on: string;

  @Column('jsonb')
  created_by: Actor;
}

@Entity('storefront_payments')
@Unique('storefront_payments_reference_key', ['project_id', 'mode', 'provider', 'reference'])
@ForeignKey(() => Order, ['organization_id', 'project_id', 'mode', 'order_id'], ['organization_id', 'project_id', 'mode', 'id'], {
  name: 'storefront_payments_order_id_fkey',
  onDelete: 'CASCADE',
})
@Index('storefront_payments_order_id_idx', ['order_id', 'id'])
@Check('storefront_payments_mode_check', `mode IN ('live', 'test')`)
@Check('storefront_payments_amount_check', 'amount > 0 AND amount BETWEEN 0 AND 9007199254740991')
@Check('storefront_payments_status_check', `status IN ('succeeded', 'failed')`)
@Check('storefront_payments_provider_check', 'length(provider) BETWEEN 1 AND 64')
@Check('storefront_payments_reference_check', 'length(reference) BETWEEN 1 AND 255')
export class Payment extends Money {}

@Entity('storefront_refunds')
@Unique('storefront_refunds_reference_key', ['project_id', 'mode', 'provider', 'reference'])
@ForeignKey(() => Order, ['organization_id', 'project_id', 'mode', 'order_id'], ['organization_id', 'project_id', 'mode', 'id'], {
  name: 'storefront_refunds_order_id_fkey',
  onDelete: 'CASCADE',
})
@Index('storefront_refunds_order_id_idx', ['order_id', 'id'])
@Check('storefront_refunds_mode_check', `mode IN ('live', 'test')`)
@Check('storefront_refunds_amount_check', 'amount > 0 AND amount BETWEEN 0 AND 9007199254740991')
@Check('storefront_refunds_status_check', `status IN ('succeeded', 'failed')`)
@Check('storefront_refunds_provider_check', 'length(provider) BETWEEN 1 AND 64')
@Check('storefront_refunds_reference_check', 'length(reference) BETWEEN 1 AND 255')
export class Refund extends Money {
  @Column('text', { nullable: true })
  reason: string | null;

  /** Empty if an amount was refunded instead of units. */
  @Column('jsonb')
  lines: RefundedUnits[];

  @Column('jsonb')
  parts: RefundPart[];
}
