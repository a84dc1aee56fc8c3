import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { BaseEntity, Scoped } from '../../../kit/index.js';

/** A sales channel: a shop, a marketplace. */
@Scoped('configuration')
@Entity('storefront_channels')
@Unique('storefront_channels_reference_key', ['organization_id', 'project_id', 'id'])
@ForeignKey('projects', ['organization_id', 'project_id'], ['organization_id', 'id'], { name: 'storefront_channels_project_id_fkey' })
@Index('storefront_channels_name_key', { synchronize: false })
@Index('storefront_channels_name_idx', ['organization_id', 'name', 'id', 'project_id'])
@Index('storefront_channels_created_at_idx', ['organization_id', 'created_at', 'id', 'project_id'])
@Check('storefront_channels_project_id_check', 'project_id IS NOT NULL')
@Check('storefront_channels_name_check', 'length(name) BETWEEN 1 AND 100')
@Check('storefront_channels_currency_check', `currency ~ '^[A-Z]{3}$'`)
@Check('storefront_channels_country_check', `country ~ '^[A-Z]{2}$'`)
@Check('storefront_channels_payment_window_minutes_check', 'payment_window_minutes BETWEEN 1 AND 525600')
export class Channel extends BaseEntity {
  @Column('uuid')
  project_id: string;

  @Column('text')
  name: string;

  /** ISO 4217: the currency of every price and order. It cannot be changed. */
  @Column('text')
  currency: string;

  /** ISO 3166-1 alpha-2; decides the tax of orders without a shipping address. */
  @Column('text')
  country: string;

  @Column('boolean', { default: true })
  prices_include_tax: boolean;

  /** Locations of the inventory, in the order in which orders reserve; empty means its sellable ones. */
  @Column('uuid', {
    array: true,
    default: '{}',
  })
  location_ids: string[];

  /** How long a placed order may remain unpaid before it is cancelled; null: forever. */
  @Column('integer', { nullable: true })
  payment_window_minutes: number | null;

  @Column('boolean', { default: true })
  active: boolean;
}
