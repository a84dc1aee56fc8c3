import type { PoolClient } from 'pg';
import type { FrozenEvent } from '../persistence/transactions/outbox-writer.js';
import { run } from '../persistence/rows/reader.js';
import { INSERT_JOB, jobRow } from '../queue/job-row.js';

/**
 * Adds a job for every internal event and listener, in the events' transaction and on behalf of each event's caller. Resolves to
 * their number.
 */
export function addListenerJobs(
  client: PoolClient,
  events: readonly FrozenEvent[],
  listeners: readonly string[],
): number | Promise<number> {
  const heard = events.flatMap(({ listened, caller }) => (listened === null ? [] : { payload: listened, caller }));
  if (heard.length === 0 || listeners.length === 0) return 0;
  const jobs = heard.flatMap(({ payload, caller }) =>
    listeners.map((name) => run(client, { text: INSERT_JOB, values: jobRow(caller, name, payload) })),
  );
  return Promise.all(jobs).then(({ length }) => length);
}
