import { own, sql, table, type Tx } from '../../../kit/index.js';
import { InventoryItem } from '../model/item.entity.js';

/** What a SKU of a file stands for. */
export interface KnownSku {
  /** The same for SKUs that cannot both exist in a project. */
  key: string;
  /** Null if no item has it. */
  itemId: string | null;
  /** In which the item is valued; null if no item has the SKU. */
  currency: string | null;
}

/** SKUs as a file has them. PostgreSQL decides which are the same, as its unique index does: `toLowerCase` differs from its `lower`. */
export async function knownSkus(tx: Tx, projectId: string, skus: readonly string[]): Promise<Map<string, KnownSku>> {
  const rows = await tx.sql<{ sku: string; key: string; item_id: string | null; currency: string | null }>(
    sql`SELECT f.sku, lower(f.sku) AS key, i.id AS item_id, i.currency FROM unnest(${[...new Set(skus)]}::text[]) AS f (sku)
      LEFT JOIN ${table(InventoryItem)} i ON ${own('i')} AND i.project_id = ${projectId} AND lower(i.sku) = lower(f.sku)`,
  );
  return new Map(rows.map(({ sku, key, item_id, currency }) => [sku, { key, itemId: item_id, currency }]));
}
