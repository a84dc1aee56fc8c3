import type { PoolClient } from 'pg';
import type { FrozenEvent } from '../persistence/transactions/outbox-writer.js';
import { run } from '../persistence/rows/reader.js';
import { uuidv7 } from 'uuidv7';
import { INSERT_JOB, jobRow } from '../queue/job-row.js';
import type { EventSubscription } from './outbox-signal.js';

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

/**
 * Adds a job for every public live event that a row of a subscription's table asks for. The statement reads the events that the
 * same transaction has just written, so it costs two index lookups where nobody asks. Resolves to the number of jobs.
 */
export async function addSubscribedJobs(
  client: PoolClient,
  events: readonly FrozenEvent[],
  subscriptions: readonly EventSubscription[],
): Promise<number> {
  const open = events.filter(({ listened, mode }) => listened === null && mode === 'live');
  if (open.length === 0 || subscriptions.length === 0) return 0;
  const added = subscriptions.map(({ job, table, where }) =>
    run(client, {
      text: `INSERT INTO jobs (id, name, organization_id, project_id, mode, actor, payload, due_at)
        SELECT j.id, $3, e.organization_id, e.project_id, e.mode, e.body::jsonb -> 'actor',
          jsonb_build_object('id', e.id, 'type', e.type, 'project_id', e.project_id, 'data', e.body::jsonb #> '{data,object}'), now()
        FROM unnest($1::uuid[], $2::uuid[]) AS j (id, event_id)
        JOIN outbox_events e ON e.id = j.event_id
        WHERE EXISTS (SELECT 1 FROM ${table} s WHERE s.organization_id = e.organization_id AND s.event_type = e.type AND ${where})`,
      values: [open.map(() => uuidv7()), open.map(({ id }) => id), job],
    }),
  );
  return (await Promise.all(added)).reduce((sum, { rowCount }) => sum + (rowCount ?? 0), 0);
}
