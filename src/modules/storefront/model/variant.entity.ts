import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { BusinessEntity } from '../../../kit/index.js';
import { Product } from './product.entity.js';
import type { Price } from './values.js';

/** The unit of sale: a product in one size, color and so on. */
@Entity('storefront_variants')
@Unique('storefront_variants_option_values_key', ['product_id', 'option_values'])
@Unique('storefront_variants_reference_key', ['organization_id', 'project_id', 'mode', 'id'])
@ForeignKey(() => Product, ['organization_id', 'project_id', 'mode', 'product_id'], ['organization_id', 'project_id', 'mode', 'id'], {
  name: 'storefront_variants_product_id_fkey',
})
@ForeignKey(
  'inventory_items',
  ['organization_id', 'project_id', 'mode', 'inventory_item_id'],
  ['organization_id', 'project_id', 'mode', 'id'],
  {
    name: 'storefront_variants_inventory_item_id_fkey',
  },
)
@Index('storefront_variants_inventory_item_id_idx', ['inventory_item_id'], { where: 'inventory_item_id IS NOT NULL' })
@Index('storefront_variants_sku_key', { synchronize: false })
@Index('storefront_variants_sku_idx', { synchronize: false })
@Index('storefront_variants_product_id_idx', ['product_id', 'position'])
@Check('storefront_variants_mode_check', `mode IN ('live', 'test')`)
@Check('storefront_variants_sku_check', 'length(sku) BETWEEN 1 AND 64')
@Check('storefront_variants_price_amount_check', 'price_amount BETWEEN 0 AND 9007199254740991')
@Check('storefront_variants_currency_check', `currency ~ '^[A-Z]{3}$'`)
@Check('storefront_variants_inventory_quantity_check', 'inventory_quantity > 0')
export class Variant extends BusinessEntity {
  @Column('uuid')
  product_id: string;

  /** Position in the product, from 1. */
  @Column('integer')
  position: number;

  /** Unique in the project, regardless of case. */
  @Column('text')
  sku: string;

  /** One for each option name of the product. */
  @Column('text', {
    array: true,
    default: '{}',
  })
  option_values: string[];

  @Column('bigint')
  price_amount: number;

  @Column('text')
  currency: string;

  /** In further currencies. */
  @Column('jsonb', { default: [] })
  prices: Price[];

  /** The item of the inventory that a sale takes; null: nothing is kept in stock. */
  @Column('uuid', { nullable: true })
  inventory_item_id: string | null;

  /** How much of the item one unit takes. */
  @Column('numeric', {
    precision: 18,
    scale: 6,
    default: 1,
  })
  inventory_quantity: string;

  @Column('boolean', { default: true })
  active: boolean;
}
