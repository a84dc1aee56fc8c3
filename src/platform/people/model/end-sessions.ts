import type { Tx } from '../../../kit/index.js';
import { platformSql } from '../../../kit/internal.js';

/**
 * Ends all sessions of a member, or all but one, in the transaction of the change that requires it, and makes mailed links for a new
 * password invalid. Returns the number of sessions.
 */
export async function endSessionsOf(tx: Tx, memberId: string, exceptId: string | null = null): Promise<number> {
  const ended = await tx.sql<{ id: string }>(
    platformSql(`DELETE FROM sessions WHERE member_id = $1 AND id IS DISTINCT FROM $2::uuid RETURNING id`, [memberId, exceptId]),
  );
  await tx.sql(platformSql(`DELETE FROM password_resets WHERE member_id = $1`, [memberId]));
  for (const { id } of ended) tx.advanced.audit({ objectType: 'session', objectId: id, action: 'ended', after: { member_id: memberId } });
  return ended.length;
}
