import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { BusinessEntity, TimeColumn, type Actor } from '../../../kit/index.js';
import type { DiscountKind } from './values.js';

/** A code that buyers enter. Placing an order uses it once; cancelling the whole order gives the use back. */
@Entity('storefront_discounts')
@Unique('storefront_discounts_reference_key', ['organization_id', 'project_id', 'mode', 'id'])
@ForeignKey('projects', ['organization_id', 'project_id'], ['organization_id', 'id'], { name: 'storefront_discounts_project_id_fkey' })
@Index('storefront_discounts_code_key', { synchronize: false })
@Index('storefront_discounts_created_at_idx', ['organization_id', 'mode', 'created_at', 'id', 'project_id'])
@Index('storefront_discounts_updated_at_idx', ['organization_id', 'mode', 'updated_at', 'id', 'project_id'])
@Check('storefront_discounts_mode_check', `mode IN ('live', 'test')`)
@Check('storefront_discounts_code_check', `code ~ '^[A-Za-z0-9_-]{1,64}$'`)
@Check('storefront_discounts_kind_check', `kind IN ('percentage', 'fixed_amount', 'free_shipping')`)
@Check('storefront_discounts_min_subtotal_amount_check', 'min_subtotal_amount BETWEEN 0 AND 9007199254740991')
@Check('storefront_discounts_per_email_limit_check', 'per_email_limit > 0')
@Check('storefront_discounts_used_count_check', 'used_count >= 0 AND used_count <= usage_limit')
@Check(
  'storefront_discounts_value_check',
  `CASE kind
    WHEN 'percentage' THEN value > 0 AND value <= 100 AND value IS NOT NULL
    WHEN 'fixed_amount' THEN value > 0 AND value = trunc(value) AND value IS NOT NULL AND currency IS NOT NULL
    ELSE value IS NULL END`,
)
@Check('storefront_discounts_ends_at_check', 'ends_at > starts_at')
export class Discount extends BusinessEntity {
  @Column('text')
  code: string;

  @Column('text')
  kind: DiscountKind;

  /** Percent, or minor units of the currency; null for free shipping. */
  @Column('numeric', {
    precision: 20,
    scale: 4,
    nullable: true,
  })
  value: string | null;

  /** Of the fixed amount and the smallest subtotal; only orders in it can use the code. Null: orders in any currency. */
  @Column('text', { nullable: true })
  currency: string | null;

  @Column('bigint', { nullable: true })
  min_subtotal_amount: number | null;

  @TimeColumn({ nullable: true })
  starts_at: Date | null;

  @TimeColumn({ nullable: true })
  ends_at: Date | null;

  @Column('integer', { nullable: true })
  usage_limit: number | null;

  @Column('integer', { nullable: true })
  per_email_limit: number | null;

  @Column('integer', { default: 0 })
  used_count: number;

  @Column('boolean', { default: true })
  active: boolean;

  @Column('jsonb')
  created_by: Actor;
}
