import type { Ctx, Tx } from '../../../kit/index.js';

/**
 * Those of the members who are active, in the order given. On the transaction's connection, not through `Members`: outside
 * a request that would wait for a second connection while holding the first, and many at once starve the pool.
 */
export async function activeMembersOf(ctx: Ctx, tx: Tx, ids: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(`SELECT id FROM members WHERE organization_id = $1 AND id = ANY($2) AND status = 'active'`, [
    ctx.organizationId,
    ids,
  ]);
  const active = new Set(rows.map(({ id }) => id));
  return ids.filter((id) => active.has(id));
}
