import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { BaseEntity, Scoped } from '../../../kit/index.js';

/** The tax on products of a class that are sent to a country. Orders keep the rate that they were placed with. */
@Scoped('configuration')
@Entity('storefront_tax_rates')
@Unique('storefront_tax_rates_tax_class_key', ['project_id', 'country', 'tax_class'])
@ForeignKey('projects', ['organization_id', 'project_id'], ['organization_id', 'id'], { name: 'storefront_tax_rates_project_id_fkey' })
@Index('storefront_tax_rates_country_idx', ['organization_id', 'country', 'id', 'project_id'])
@Index('storefront_tax_rates_created_at_idx', ['organization_id', 'created_at', 'id', 'project_id'])
@Check('storefront_tax_rates_project_id_check', 'project_id IS NOT NULL')
@Check('storefront_tax_rates_country_check', `country ~ '^[A-Z]{2}$'`)
@Check('storefront_tax_rates_rate_check', 'rate BETWEEN 0 AND 100')
@Check('storefront_tax_rates_code_check', 'length(code) BETWEEN 1 AND 32')
export class TaxRate extends BaseEntity {
  @Column('uuid')
  project_id: string;

  @Column('text')
  country: string;

  @Column('text')
  tax_class: string;

  /** Percent, a decimal. */
  @Column('numeric', {
    precision: 7,
    scale: 4,
  })
  rate: string;

  /** The code by which accounting finds its tax. */
  @Column('text')
  code: string;
}
