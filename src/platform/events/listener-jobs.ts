import { heardEvent, isHeard, type FrozenEvent } from '../persistence/transactions/frozen-event.js';
import type { Queryable } from '../persistence/rows/queryable.js';
import { run } from '../persistence/rows/reader.js';
import { newId } from '../../kit/internal.js';
import { INSERT_JOB, jobRow } from '../queue/job-row.js';
import { bodiesIn, columnsOf } from './event-columns.js';
import type { EventListener, EventSubscription } from './outbox-signal.js';

/** The index of the payload in the values. */
const PAYLOAD = 8;
/** The arrays are in subqueries, or PostgreSQL would plan each execution by their lengths, which takes longer than the execution. */
const INSERT_JOBS = `
  INSERT INTO jobs (id, name, key, organization_id, project_id, mode, actor, member_id, payload, due_at, traceparent)
  SELECT id, name, key, organization_id, project_id, mode, actor::jsonb, member_id, payload::jsonb, COALESCE(due_at, now()), traceparent
  FROM unnest((SELECT $1::uuid[]), (SELECT $2::text[]), (SELECT $3::text[]), (SELECT $4::uuid[]), (SELECT $5::uuid[]), (SELECT $6::text[]),
    (SELECT $7::text[]), (SELECT $8::uuid[]), ${bodiesIn('$9')}, (SELECT $10::timestamptz[]), (SELECT $11::text[]))
    AS j (id, name, key, organization_id, project_id, mode, actor, member_id, payload, due_at, traceparent)`;

/**
 * Adds a job for every listener of an event, in the events' transaction, by one statement, and on behalf of each event's caller.
 * Resolves to their number.
 */
export function addListenerJobs(
  client: Queryable,
  events: readonly FrozenEvent[],
  listeners: readonly EventListener[],
): number | Promise<number> {
  const jobs = events.flatMap((event) => {
    const hearing = listeners.filter(({ types }) => isHeard(event, types));
    if (hearing.length === 0) return [];
    const payload = JSON.stringify(heardEvent(event));
    return hearing.map(({ job }) => jobRow(event.caller, job, payload, { traceparent: event.traceparent }));
  });
  if (jobs.length === 0) return 0;
  const inserted = jobs.length === 1 ? { text: INSERT_JOB, values: jobs[0] } : { text: INSERT_JOBS, values: columnsOf(jobs, PAYLOAD) };
  return run(client, inserted).then(() => jobs.length);
}

/** The index of the body in the values. */
const BODY = 6;
const COLUMNS = 'job_id, id, organization_id, project_id, mode, type, body, traceparent';
/** Nearly every change emits one event. */
const ONE_EVENT = `
  (SELECT $1::uuid, $2::uuid, $3::uuid, $4::uuid, $5::text, $6::text, '{' || $7, $8::text) AS e (${COLUMNS})`;
/** The arrays are in subqueries, or PostgreSQL would plan each execution by their lengths, which takes longer than the execution. */
const MANY_EVENTS = `
  (SELECT job_id, id, organization_id, project_id, mode, type, '{' || rest, traceparent
   FROM unnest((SELECT $1::uuid[]), (SELECT $2::uuid[]), (SELECT $3::uuid[]), (SELECT $4::uuid[]), (SELECT $5::text[]), (SELECT $6::text[]),
     ${bodiesIn('$7')}, (SELECT $8::text[])) AS g (job_id, id, organization_id, project_id, mode, type, rest, traceparent)) AS e
  (${COLUMNS})`;

/**
 * Adds a job for every public live event that a row of a subscription's table requests: one index lookup if there is none. The statement
 * gets the events as parameters and does not read the table of events, which is written at the same time. Resolves to the number of jobs.
 */
export async function addSubscribedJobs(
  client: Queryable,
  events: readonly FrozenEvent[],
  subscriptions: readonly EventSubscription[],
): Promise<number> {
  const open = events.filter(({ internal, mode }) => !internal && mode === 'live');
  if (open.length === 0 || subscriptions.length === 0) return 0;
  const added = subscriptions.map(({ job, table, where, named }) => {
    // those of named types have a job
    const requested = named ? open.filter(({ type }) => !named.includes(type)) : open;
    if (requested.length === 0) return { rowCount: 0 };
    const rows = requested.map(({ id, organization_id, project_id, mode, type, rest, traceparent }) => [
      newId(),
      id,
      organization_id,
      project_id,
      mode,
      type,
      rest,
      traceparent,
    ]);
    return run(client, {
      text: `INSERT INTO jobs (id, name, organization_id, project_id, mode, actor, payload, due_at, traceparent)
        SELECT e.job_id, $9, e.organization_id, e.project_id, e.mode, e.body::jsonb -> 'actor',
          jsonb_build_object('id', e.id, 'type', e.type, 'project_id', e.project_id, 'data', e.body::jsonb #> '{data,object}'), now(),
          e.traceparent
        FROM ${rows.length === 1 ? ONE_EVENT : MANY_EVENTS}
        WHERE EXISTS (SELECT 1 FROM ${table} s WHERE s.organization_id = e.organization_id AND s.event_type = e.type AND (${where}))`,
      values: [...(rows.length === 1 ? rows[0] : columnsOf(rows, BODY)), job],
    });
  });
  return (await Promise.all(added)).reduce((sum, { rowCount }) => sum + (rowCount ?? 0), 0);
}
