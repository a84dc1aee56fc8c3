import { sql, type Ctx, type Tx } from '../../../kit/index.js';

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
export async function knownSkus(ctx: Ctx, tx: Tx, projectId: string, skus: readonly string[]): Promise<Map<string, KnownSku>> {
  const rows = await tx.query<{ sku: string; key: string; item_id: string | null; currency: string | null }>(
    sql.legacy(
      `SELECT f.sku, lower(f.sku) AS key, i.id AS item_id, i.currency FROM unnest($4::text[]) AS f (sku)
     LEFT JOIN inventory_items i ON i.organization_id = $1 AND i.project_id = $2 AND i.mode = $3 AND lower(i.sku) = lower(f.sku)`,
      [ctx.organizationId, projectId, ctx.mode, [...new Set(skus)]],
    ),
  );
  return new Map(rows.map(({ sku, key, item_id, currency }) => [sku, { key, itemId: item_id, currency }]));
}
