import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { BaseEntity, Scoped } from '../../../kit/index.js';

@Scoped('configuration')
@Entity('storefront_shipping_methods')
@Unique('storefront_shipping_methods_reference_key', ['organization_id', 'project_id', 'id'])
@ForeignKey('projects', ['organization_id', 'project_id'], ['organization_id', 'id'], {
  name: 'storefront_shipping_methods_project_id_fkey',
})
@Index('storefront_shipping_methods_name_key', { synchronize: false })
@Index('storefront_shipping_methods_position_idx', ['organization_id', 'position', 'id', 'project_id'])
@Index('storefront_shipping_methods_created_at_idx', ['organization_id', 'created_at', 'id', 'project_id'])
@Check('storefront_shipping_methods_project_id_check', 'project_id IS NOT NULL')
@Check('storefront_shipping_methods_name_check', 'length(name) BETWEEN 1 AND 100')
@Check('storefront_shipping_methods_currency_check', `currency ~ '^[A-Z]{3}$'`)
@Check('storefront_shipping_methods_price_amount_check', 'price_amount BETWEEN 0 AND 9007199254740991')
export class ShippingMethod extends BaseEntity {
  @Column('uuid')
  project_id: string;

  @Column('text')
  name: string;

  /** Countries that it ships to, ISO 3166-1 alpha-2; empty means all. */
  @Column('text', {
    array: true,
    default: '{}',
  })
  countries: string[];

  /** ISO 4217; only orders in this currency can use it. */
  @Column('text')
  currency: string;

  /** In minor units; with tax if the channel's prices include it. */
  @Column('bigint')
  price_amount: number;

  @Column('text')
  tax_class: string;

  /** Position in the list, from 1. */
  @Column('integer')
  position: number;

  @Column('boolean', { default: true })
  active: boolean;
}
