import { sql, type Ctx, type Tx } from '../../../kit/index.js';

/**
 * The ids of active members among the given ones, in the same order. Reads on the transaction's connection instead of
 * through `Members`: waiting for a second connection while holding the first could starve the pool.
 */
export async function activeMembersOf(ctx: Ctx, tx: Tx, ids: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    sql.legacy(`SELECT id FROM members WHERE organization_id = $1 AND id = ANY($2) AND status = 'active'`, [ctx.organizationId, ids]),
  );
  const active = new Set(rows.map(({ id }) => id));
  return ids.filter((id) => active.has(id));
}
