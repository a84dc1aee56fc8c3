import type { PoolClient } from 'pg';
import type { Ctx } from '../../kit/index.js';
import { run } from '../persistence/reader.js';
import { INSERT_JOB, jobRow } from '../queue/job-row.js';
import type { FrozenEvent } from './outbox.js';

/** Adds a job for every internal event and listener, in the events' transaction. Answers how many there are. */
export function addListenerJobs(client: PoolClient, ctx: Ctx, events: readonly FrozenEvent[], listeners: readonly string[]): number | Promise<number> {
  const heard = events.flatMap(({ listened }) => listened ?? []);
  if (heard.length === 0 || listeners.length === 0) return 0;
  const jobs = heard.flatMap((payload) => listeners.map((name) => run(client, { text: INSERT_JOB, values: jobRow(ctx, name, payload) })));
  return Promise.all(jobs).then(({ length }) => length);
}
