import { Entity, PrimaryColumn } from 'typeorm';
import { Scoped } from '../../../kit/index.js';

/**
 * The products of categories in the orders of `list_products`, as triggers write them. Only SQL reads the table, so only its key is
 * declared here. It has no organization: the categories and the products do.
 */
@Entity('storefront_product_categories', { synchronize: false })
@Scoped('business')
export class ProductCategoryRow {
  @PrimaryColumn('uuid')
  category_id: string;

  @PrimaryColumn('uuid')
  product_id: string;
}
