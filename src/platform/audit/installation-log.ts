import type { Store, Tx } from '../../kit/index.js';
import type { AuditRecord } from '../../kit/internal.js';
import { systemContext } from '../persistence/transactions/call-context.js';

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
