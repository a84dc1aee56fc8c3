import { currentWork } from '../../../kit/internal.js';
import type { PooledClient } from '../database/pooled-client.js';
import type { Queryable } from '../rows/queryable.js';
import { run } from '../rows/reader.js';
import type { FrozenEvent } from './frozen-event.js';
import type { OutboxWriter } from './outbox-writer.js';

const SHOW_OPERATION = `SELECT set_config('application_name', $1, true)`;

export function sendBegin(client: Queryable): Promise<unknown> {
  const begin = run(client, { text: 'BEGIN' });
  // a failure is handled where BEGIN is awaited, at the commit
  begin.catch(() => undefined);
  return begin;
}

/** The same; `application_name` has the operation until the transaction ends, so that the holder of a lock is known. */
export function sendNamedBegin(client: Queryable & Pick<PooledClient, 'config'>): Promise<unknown> {
  const begin = sendBegin(client);
  const operation = currentWork()?.operation;
  if (operation !== undefined) {
    const shown = run(client, { text: SHOW_OPERATION, values: [`${client.config.application_name} ${operation}`] });
    // it fails only with the transaction
    shown.catch(() => undefined);
  }
  return begin;
}

/**
 * Sends the events of a transaction's changes and COMMIT after its other statements, and waits for all of them. Throws the error of the
 * statement that failed first; then the transaction must be rolled back.
 */
export async function sendCommit(
  client: Queryable,
  sent: readonly (Promise<unknown> | null)[],
  outbox: OutboxWriter,
  events: readonly (readonly FrozenEvent[])[],
): Promise<void> {
  const changes = events.filter(({ length }) => length > 0);
  const announce = changes.length === 0 ? undefined : outbox.write(client, changes);
  const commit = run(client, { text: 'COMMIT' });
  const settled = await Promise.allSettled([...sent, announce, commit]);
  const failed = settled.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
  // PostgreSQL responds to COMMIT of a failed transaction with ROLLBACK and no error
  if ((await commit).command !== 'COMMIT') throw new Error('The transaction had already failed, so nothing was written.');
  (await announce)?.();
}
