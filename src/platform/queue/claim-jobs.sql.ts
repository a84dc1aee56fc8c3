import { isOpen } from '../persistence/rows/open-organizations.js';

/** Organizations of one kind of job that a claim visits. */
const MOST_LANES = 1_000;

const IDLE = `status = 'due' AND leased_until IS NULL`;

/**
 * Claims due jobs: `$1` lease in milliseconds, `$2` kinds, `$3` the free slots of each, `$4` free slots in all, `$5` worker.
 *
 * Every kind has slots of its own, so that a slow one leaves some for the others. Within a kind, organizations take turns: whoever
 * has the fewest jobs running, in all workers, is next, and then the job that is due the longest. The organizations are found by
 * a skip scan, however many jobs each has.
 */
export const CLAIM_JOBS = `
  WITH RECURSIVE kinds AS (
    SELECT name, free FROM unnest($2::text[], $3::int[]) AS kind (name, free) WHERE free > 0
  ), lanes AS (
    SELECT k.name, k.free, head.organization_id, 1 AS n
    FROM kinds k
    CROSS JOIN LATERAL (
      SELECT organization_id FROM jobs WHERE ${IDLE} AND name = k.name ORDER BY organization_id LIMIT 1
    ) AS head
    UNION ALL
    SELECT l.name, l.free, next.organization_id, l.n + 1
    FROM lanes l
    CROSS JOIN LATERAL (
      SELECT organization_id FROM jobs
      WHERE ${IDLE} AND name = l.name AND organization_id > l.organization_id
      ORDER BY organization_id LIMIT 1
    ) AS next
    WHERE l.n < ${MOST_LANES}
  ), candidates AS (
    SELECT head.id, l.name, l.free, head.due_at,
           running.n + row_number() OVER (PARTITION BY l.name, l.organization_id ORDER BY head.due_at) AS turn
    FROM (SELECT * FROM lanes WHERE ${isOpen('organization_id')}) AS l
    CROSS JOIN LATERAL (
      SELECT count(*) AS n FROM jobs
      WHERE status = 'due' AND leased_until IS NOT NULL AND name = l.name AND organization_id = l.organization_id
    ) AS running
    CROSS JOIN LATERAL (
      SELECT id, due_at FROM jobs
      WHERE ${IDLE} AND name = l.name AND organization_id = l.organization_id AND due_at <= now()
      ORDER BY due_at LIMIT l.free
    ) AS head
  ), ranked AS (
    SELECT id, turn, due_at, free, row_number() OVER (PARTITION BY name ORDER BY turn, due_at) AS place FROM candidates
  ), picked AS (
    SELECT j.id
    FROM (SELECT id FROM ranked WHERE place <= free ORDER BY turn, due_at LIMIT $4) AS next
    JOIN jobs j ON j.id = next.id
    WHERE j.status = 'due' AND j.leased_until IS NULL
    FOR UPDATE OF j SKIP LOCKED
  )
  UPDATE jobs j
  SET leased_until = now() + $1 * interval '1 millisecond', leased_by = $5, attempts = j.attempts + 1
  FROM picked
  WHERE j.id = picked.id
  RETURNING j.id, j.name, j.attempts, j.failures, j.organization_id, j.project_id, j.mode, j.actor, j.member_id, j.payload, j.traceparent`;
