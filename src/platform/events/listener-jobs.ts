import type { PoolClient } from 'pg';
import { run } from '../persistence/reader.js';
import { INSERT_JOB, jobRow } from '../queue/job-row.js';
import type { FrozenEvent } from './outbox.js';

/** Adds a job for every internal event and listener, in the events' transaction and in the name of who caused each. Answers how many there are. */
export function addListenerJobs(
  client: PoolClient,
  events: readonly FrozenEvent[],
  listeners: readonly string[],
): number | Promise<number> {
  const heard = events.flatMap(({ listened, origin }) => (listened === null ? [] : { payload: listened, origin }));
  if (heard.length === 0 || listeners.length === 0) return 0;
  const jobs = heard.flatMap(({ payload, origin }) =>
    listeners.map((name) => run(client, { text: INSERT_JOB, values: jobRow(origin, name, payload) })),
  );
  return Promise.all(jobs).then(({ length }) => length);
}
