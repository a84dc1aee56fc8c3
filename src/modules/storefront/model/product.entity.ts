import { Check, Column, Entity, ForeignKey, Index, Unique, VirtualColumn } from 'typeorm';
import { BusinessEntity, CustomFields, type Actor, type CustomFieldValues } from '../../../kit/index.js';
import type { ShownVariant } from './shown-variant.js';
import { shownVariantsOf } from './shown-variant.js';
import type { ProductStatus } from './values.js';

/** A product. Its variants are the units of sale. */
@Entity('storefront_products')
@Unique('storefront_products_reference_key', ['organization_id', 'project_id', 'mode', 'id'])
@ForeignKey('projects', ['organization_id', 'project_id'], ['organization_id', 'id'], { name: 'storefront_products_project_id_fkey' })
@Index('storefront_products_slug_key', ['project_id', 'mode', 'slug'], { unique: true })
@Index('storefront_products_external_id_key', ['project_id', 'mode', 'external_id'], {
  unique: true,
  where: 'external_id IS NOT NULL',
})
@Index('storefront_products_created_at_idx', ['organization_id', 'mode', 'created_at', 'id', 'project_id'])
@Index('storefront_products_updated_at_idx', ['organization_id', 'mode', 'updated_at', 'id', 'project_id'])
@Index('storefront_products_title_idx', ['organization_id', 'mode', 'title', 'id', 'project_id'])
@Index('storefront_products_status_idx', ['organization_id', 'mode', 'status', 'created_at', 'id'])
@Index('storefront_products_search_idx', { synchronize: false })
@Check('storefront_products_mode_check', `mode IN ('live', 'test')`)
@Check('storefront_products_title_check', 'length(title) BETWEEN 1 AND 255')
@Check('storefront_products_slug_check', 'length(slug) BETWEEN 1 AND 255')
@Check('storefront_products_description_check', 'length(description) <= 20000')
@Check('storefront_products_status_check', `status IN ('draft', 'active', 'archived')`)
@Check('storefront_products_custom_fields_check', `jsonb_typeof(custom_fields) = 'object'`)
@Check('storefront_products_external_id_check', 'length(external_id) BETWEEN 1 AND 255')
export class Product extends BusinessEntity {
  @Column('text')
  title: string;

  /** Unique in the project; the readable part of an address. */
  @Column('text')
  slug: string;

  @Column('text', { nullable: true })
  description: string | null;

  @Column('text')
  status: ProductStatus;

  /**
   * Triggers reject unknown ones, keep categories that products have, and write them to `storefront_product_categories`, in which a
   * category's products are sorted.
   */
  @Column('uuid', {
    array: true,
    default: '{}',
  })
  category_ids: string[];

  /** The channels that sell it; null means all. A trigger rejects unknown ones. */
  @Column('uuid', {
    array: true,
    nullable: true,
  })
  channel_ids: string[] | null;

  @Column('text')
  tax_class: string;

  @Column('text', {
    array: true,
    default: '{}',
  })
  option_names: string[];

  @Column('text', {
    array: true,
    default: '{}',
  })
  image_urls: string[];

  @Column('text', { nullable: true })
  external_id: string | null;

  @Column('jsonb')
  created_by: Actor;

  @CustomFields('product')
  custom_fields: CustomFieldValues;

  /** Words of title, slug, external id and description; written by a trigger. */
  @Column({
    type: 'tsvector',
    nullable: true,
    select: false,
    insert: false,
    update: false,
  })
  search: string | null;

  /** Read with the product; writes set it themselves. */
  @VirtualColumn({
    type: 'json',
    query: shownVariantsOf,
  })
  readonly variants?: ShownVariant[] | null;
}
