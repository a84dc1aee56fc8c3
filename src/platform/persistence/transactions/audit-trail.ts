import type { AuditRecord } from '../../../kit/internal.js';
import type { Queryable } from '../rows/queryable.js';
import type { CallContext } from './call-context.js';
import type { FrozenEvent } from './frozen-event.js';

/** Writes what a transaction did to the audit log. Implemented by the folder that owns its tables. */
export abstract class AuditTrail {
  /** The last statement of the transaction that locks rows. Resolves to the events that the entries cause. */
  abstract write(client: Queryable, ctx: CallContext, records: readonly AuditRecord[]): Promise<readonly FrozenEvent[]>;
}
