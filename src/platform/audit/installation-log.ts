import type { Store, Tx } from '../../kit/index.js';
import { newId, type AuditRecord } from '../../kit/internal.js';
import { commandOrigin, systemContext } from '../persistence/transactions/call-context.js';

/** In place of an organization: the log of what operators do to the whole installation. No member reads it. */
export const INSTALLATION = '00000000-0000-0000-0000-000000000000';

/** Makes a change of the whole installation, and its entry in the log, in one transaction. */
export function changeInstallation<R>(store: Store, record: AuditRecord, change: (tx: Tx) => Promise<R>): Promise<R> {
  return store.write(systemContext(INSTALLATION, 'live'), async (tx) => {
    const result = await change(tx);
    tx.advanced.audit(record);
    return result;
  });
}

/** Runs a statement in the transaction of the change. */
type Query = (text: string, values: unknown[]) => Promise<unknown>;

/**
 * Notes a migration of the installation, as the last statement of its transaction. Migrations that are older than the log itself have no
 * entries.
 */
export async function noteMigration(query: Query, action: 'migrated' | 'reverted', name: string): Promise<void> {
  const [{ exists }] = (await query(`SELECT to_regproc('append_audit_entries') IS NOT NULL AS exists`, [])) as [{ exists: boolean }];
  if (exists) await noteChange(query, { action, objectType: 'migration', objectId: name });
}

/** Notes a change of the installation that a start or a command makes in a transaction of its own. */
export async function noteChange(query: Query, { action, objectType, objectId, after }: AuditRecord): Promise<void> {
  const origin = commandOrigin();
  const caller = {
    actor_type: origin?.operator === undefined ? 'system' : 'operator',
    actor_name: origin?.operator ?? null,
    operation: origin?.operation ?? 'start',
  };
  const entry = { id: newId(), action, object_type: objectType, object_id: objectId, after: after ?? null };
  await query('SELECT append_audit_entries($1, $2, $3, $4)', [INSTALLATION, JSON.stringify(caller), JSON.stringify([entry]), []]);
}
