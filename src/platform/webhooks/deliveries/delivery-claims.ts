import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { poolOf } from '../../persistence/database/pool.js';
import { isOpen } from '../../persistence/rows/open-organizations.js';
import { QueueWorker } from '../../queue/queue-worker.js';
import type { Allowance } from './delivery-shares.js';
import { REQUESTED } from './event-deliveries.js';

/** A delivery that this worker may attempt until its lease ends. */
export interface ClaimedDelivery {
  id: string;
  organization_id: string;
  endpoint_id: string;
  event_id: string;
  event_type: string;
  /** Identifies the claim together with the id: a result is stored only if no later claim has raised it. */
  attempt_count: number;
  /** Attempts since it was queued, this one included. */
  tries: number;
  body: string | null;
  /** Of the call that caused the event. */
  traceparent: string | null;
  url: string;
  secret: Buffer;
  /** The endpoint's own headers, encrypted. */
  headers: Buffer | null;
  /** Those that also sign, because their overlaps have not ended. */
  earlier_secrets: Buffer[];
  failing: boolean;
  slow: boolean;
  /** False if the endpoint was disabled or deleted when the delivery was written: it fails without an attempt. */
  wanted: boolean;
}

/** An arbitrary number, which must be the same in every version of the suite. */
export const CLAIM_SEED = 7_236_114_003;
/** Endpoints that one query visits: at least enough to get past those whose share is exhausted. */
const lanesFor = (limit: number) => Math.max(limit, 100);
const NIL = '00000000-0000-0000-0000-000000000000';
/** An endpoint whose last attempt failed gets one delivery at a time, so that dead endpoints do not occupy a worker. */
const SHARE = `
  CASE
    WHEN NOT ${isOpen('w.organization_id')} THEN 0
    WHEN w.failing_since IS NULL AND w.slow_since IS NULL THEN LEAST(w.max_concurrency, $3::int)
    WHEN w.organization_id = ANY($5::uuid[]) THEN 0
    WHEN w.failing_since IS NULL THEN LEAST(w.max_concurrency, $4::int)
    ELSE LEAST(1, $4::int)
  END`;

/** The endpoints that `visitOf` has locked, in their order. */
const LOCKED = 'work_suite.claimed_endpoints';

/**
 * Visits one endpoint after the other by a skip scan of the index, however many deliveries wait for each, and locks those that no other
 * worker claims from. `$1` is the starting point; first attempts and retries have an index each.
 */
const visitOf = (ready: string) => `
  WITH RECURSIVE lanes AS (
    (
      SELECT endpoint_id, 1 AS n
      FROM webhook_deliveries
      WHERE ${ready} AND endpoint_id > $1
      ORDER BY endpoint_id
      LIMIT 1
    )
    UNION ALL
    SELECT next.endpoint_id, l.n + 1
    FROM lanes l
    CROSS JOIN LATERAL (
      SELECT d.endpoint_id
      FROM webhook_deliveries d
      WHERE ${ready} AND d.endpoint_id > l.endpoint_id
      ORDER BY d.endpoint_id
      LIMIT 1
    ) AS next
    WHERE l.n < $2
  ), visited AS MATERIALIZED (
    SELECT endpoint_id, n, pg_try_advisory_xact_lock(hashtextextended(endpoint_id::text, ${CLAIM_SEED})) AS is_locked FROM lanes
  )
  SELECT max(endpoint_id::text) AS last, count(*)::int AS lanes, count(*) FILTER (WHERE NOT is_locked) > 0 AS is_shared,
         set_config('${LOCKED}', COALESCE(string_agg(endpoint_id::text, ',' ORDER BY n) FILTER (WHERE is_locked), ''), true)
  FROM visited`;

/** Claims what is left of the share of each locked endpoint. */
const claimOf = (ready: string) => `
  WITH lanes AS (
    SELECT endpoint_id::uuid FROM unnest(string_to_array(current_setting('${LOCKED}'), ',')) AS endpoint_id
  ), rated AS (
    -- an even rate, and at least the deliveries of a second at once
    SELECT w.id, step.each, greatest(r.next_at, now()) AS next_at,
           floor(extract(epoch FROM greatest(step.each, interval '1 second') - (greatest(r.next_at, now()) - now()))
             / extract(epoch FROM step.each))::int AS allowed
    FROM lanes l
    JOIN webhook_endpoints w ON w.id = l.endpoint_id AND w.max_per_minute IS NOT NULL
    CROSS JOIN LATERAL (SELECT interval '1 minute' / w.max_per_minute AS each) AS step
    LEFT JOIN webhook_rates r ON r.endpoint_id = w.id
  ), picked AS (
    SELECT due.id,
           l.endpoint_id,
           due.event_id,
           w.url,
           w.secret,
           w.headers,
           ARRAY(
             SELECT earlier.secret
             FROM unnest(w.earlier_secrets, w.earlier_secrets_expire_at) AS earlier (secret, expires_at)
             WHERE earlier.expires_at > now()
           ) AS earlier_secrets,
           w.failing_since IS NOT NULL AS failing,
           w.slow_since IS NOT NULL AS slow,
           COALESCE(w.status = 'enabled' AND w.enabled_at <= due.queued_at, false) AS wanted
    FROM lanes l
    LEFT JOIN webhook_endpoints w ON w.id = l.endpoint_id
    LEFT JOIN rated ON rated.id = l.endpoint_id
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS sending
      FROM webhook_deliveries s
      WHERE s.leased_until IS NOT NULL AND s.endpoint_id = l.endpoint_id
    ) AS busy
    CROSS JOIN LATERAL (
      SELECT d.id, d.event_id, d.queued_at
      FROM webhook_deliveries d
      WHERE ${ready} AND d.endpoint_id = l.endpoint_id
        -- an endpoint that asked for a pause (Retry-After) gets only what members requested
        AND d.due_at <= CASE WHEN w.held_until > now() AND w.status = 'enabled' THEN ${REQUESTED} ELSE 'infinity'::timestamptz END
      ORDER BY d.due_at
      LIMIT CASE WHEN w.status = 'enabled' THEN GREATEST(LEAST(${SHARE} - busy.sending, rated.allowed), 0) ELSE $1 END
      FOR UPDATE SKIP LOCKED
    ) AS due
    LIMIT $1
  ), charged AS (
    INSERT INTO webhook_rates (endpoint_id, next_at)
    SELECT rated.id, rated.next_at + rated.each * count(*)
    FROM picked JOIN rated ON rated.id = picked.endpoint_id
    WHERE picked.wanted
    GROUP BY rated.id, rated.next_at, rated.each
    ON CONFLICT (endpoint_id) DO UPDATE SET next_at = EXCLUDED.next_at
  ), claimed AS (
    UPDATE webhook_deliveries d
    SET status = CASE WHEN p.wanted THEN 'sending' ELSE 'failed' END,
        tries = d.tries + p.wanted::int,
        attempt_count = d.attempt_count + p.wanted::int,
        leased_until = CASE WHEN p.wanted THEN now() + $2 * interval '1 millisecond' END,
        leased_by = CASE WHEN p.wanted THEN $6::uuid END,
        last_error = CASE
          WHEN p.wanted THEN d.last_error
          WHEN p.url IS NULL THEN 'the endpoint was deleted'
          ELSE 'the endpoint is disabled'
        END,
        updated_at = CASE WHEN p.wanted THEN d.updated_at ELSE now() END,
        version = d.version + 1 - p.wanted::int
    FROM picked p
    LEFT JOIN outbox_events e ON e.id = p.event_id
    WHERE d.id = p.id
    RETURNING d.id, d.organization_id, d.endpoint_id, d.event_id, d.event_type, d.attempt_count, d.tries::int AS tries,
              e.body, e.traceparent, p.url, p.secret, p.headers, p.earlier_secrets, p.failing, p.slow, p.wanted
  )
  SELECT rates.is_rated, c.* FROM (SELECT EXISTS (SELECT FROM rated) AS is_rated) AS rates LEFT JOIN claimed c ON true`;

const READY = { first: `status = 'ready' AND tries = 0`, retry: `status = 'ready' AND tries > 0` };
const VISIT = { first: visitOf(READY.first), retry: visitOf(READY.retry) };
const CLAIM = { first: claimOf(READY.first), retry: claimOf(READY.retry) };

/** `is_shared`: another worker claims from one of the endpoints at this moment. */
interface Visit {
  last: string | null;
  lanes: number;
  is_shared: boolean;
}

type ClaimRow = { is_rated: boolean } & ClaimedDelivery;

/** Claims due deliveries: first attempts before retries, endpoints in round-robin order. */
@Injectable()
export class DeliveryClaims {
  /** Where the next round begins, for first attempts and for retries. */
  private readonly cursors = { first: NIL, retry: NIL };
  private retriesMayWait = true;
  /** Whether deliveries may be left of which nothing notifies: they wait for the rate of their endpoint, or for another worker. */
  someMayBeLeft = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly worker: QueueWorker,
  ) {}

  async claim(allowance: Allowance, leaseMs: number): Promise<ClaimedDelivery[]> {
    this.someMayBeLeft = false;
    const first = await this.round('first', allowance, leaseMs);
    if (first.length === allowance.limit || !this.retriesMayWait) return first;
    return [...first, ...(await this.round('retry', { ...allowance, limit: allowance.limit - first.length }, leaseMs))];
  }

  /** Only `maintain` makes retries ready, so between its runs they are queried only while there are some. */
  expectRetries(): void {
    this.retriesMayWait = true;
  }

  /** One round over all endpoints, or until the limit is reached. */
  private async round(kind: 'first' | 'retry', allowance: Allowance, leaseMs: number): Promise<ClaimedDelivery[]> {
    const { limit } = allowance;
    const claimed: ClaimedDelivery[] = [];
    const start = this.cursors[kind];
    let wrapped = false;
    while (claimed.length < limit) {
      const before = claimed.length;
      const { visit, rows } = await this.claimBatch(kind, this.cursors[kind], { ...allowance, limit: limit - before }, leaseMs);
      const { last, lanes } = visit;
      this.someMayBeLeft ||= rows[0].is_rated || visit.is_shared;
      if (kind === 'retry' && lanes === 0 && this.cursors.retry === NIL) this.retriesMayWait = false;
      for (const row of rows) if (row.id !== null) claimed.push(row);
      const full = claimed.length >= limit;
      this.cursors[kind] = full
        ? claimed[claimed.length - 1].endpoint_id
        : lanes === lanesFor(limit - before) && last !== null
          ? last
          : NIL;
      if (wrapped && (this.cursors[kind] === NIL || this.cursors[kind] >= start)) break;
      if (this.cursors[kind] === NIL) {
        if (start === NIL) break;
        wrapped = true;
      }
    }
    return claimed;
  }

  /**
   * One claim at a time takes from an endpoint, so that each counts what the previous one took: the second statement sees what was
   * committed before the first one locked. Both are one round trip and take milliseconds.
   */
  private async claimBatch(
    kind: 'first' | 'retry',
    after: string,
    { limit, lane, slowLane, fullOrganizations }: Allowance,
    leaseMs: number,
  ): Promise<{ visit: Visit; rows: ClaimRow[] }> {
    const client = await poolOf(this.dataSource).connect();
    try {
      const [, , visited, { rows }] = await Promise.all([
        client.query('BEGIN'),
        // The planner's statistics are stale for a table that changes this fast. Planned for each claim, which PostgreSQL would prefer, the
        // partitions cost as much as the claim itself; the one plan for all values uses the same indexes, however many rows there are.
        client.query(
          'SET LOCAL enable_seqscan = off; SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off; SET LOCAL jit = off; ' +
            'SET LOCAL plan_cache_mode = force_generic_plan',
        ),
        client.query<Visit>({ name: `webhook_visit_${kind}`, text: VISIT[kind], values: [after, lanesFor(limit)] }),
        client.query<ClaimRow>({
          name: `webhook_claim_${kind}`,
          text: CLAIM[kind],
          values: [limit, leaseMs, lane, slowLane, fullOrganizations, this.worker.id],
        }),
        client.query('COMMIT'),
      ]);
      client.release();
      return { visit: visited.rows[0], rows };
    } catch (error) {
      client.release(error as Error);
      throw error;
    }
  }
}
