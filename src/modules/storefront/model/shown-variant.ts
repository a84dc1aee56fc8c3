import type { Price } from './values.js';

/** What a product shows of a variant. Decimals are text without trailing zeros. */
export interface ShownVariant {
  id: string;
  sku: string;
  option_values: string[];
  price_amount: number;
  currency: string;
  prices: Price[];
  inventory_item_id: string | null;
  inventory_quantity: string;
  active: boolean;
}

/** SQL for the variants of a product in their order, as JSON; null if there are none. `product` is the table's alias. */
export function shownVariantsOf(product: string): string {
  return `SELECT json_agg(shown) FROM (
    SELECT id, sku, option_values, price_amount, currency, prices, inventory_item_id,
      trim_scale(inventory_quantity)::text AS inventory_quantity, active
    FROM storefront_variants WHERE product_id = ${product}.id ORDER BY position
  ) shown`;
}
