import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { poolOf } from '../../persistence/database/pool.js';
import { leaseIsOver } from '../../queue/worker-presence.js';
import type { PostResult } from '../sending/post.js';

/** The result of one claimed delivery. */
export interface DeliveryResult {
  id: string;
  endpointId: string;
  attempt: number;
  /** Whether the endpoint was known to be failing when the delivery was claimed. */
  wasFailing: boolean;
  wasSlow: boolean;
  /** `waiting`: another attempt follows. */
  status: 'delivered' | 'waiting' | 'failed';
  waitMs: number;
  post: PostResult;
  error: string | null;
}

const ENDED = `d.status = 'failed' AND r.outcome = 'waiting'`;
/**
 * Only deliveries in flight have a lease. With a condition IS NOT NULL, PostgreSQL would use the small index of leases, which is
 * full of dead entries, instead of the ids. The range of the ids leaves out most partitions before the statement begins. A delivery that
 * failed meanwhile because its endpoint was disabled is not retried.
 */
const SETTLE = `
  WITH result AS (
    SELECT *
    FROM unnest(
      $1::uuid[], $2::int[], $3::text[], $4::bigint[], $5::timestamptz[], $6::int[], $7::smallint[], $8::jsonb[], $9::text[], $10::text[]
    ) AS r(id, attempt, outcome, wait_ms, started_at, latency_ms, response_status, headers, body, error)
  ), settled AS (
    UPDATE webhook_deliveries d
    SET status = CASE WHEN ${ENDED} THEN d.status ELSE r.outcome END,
        leased_until = NULL,
        leased_by = NULL,
        due_at = now() + r.wait_ms * interval '1 millisecond',
        last_attempt_at = r.started_at,
        last_status = r.response_status,
        last_error = CASE WHEN ${ENDED} THEN d.last_error ELSE r.error END,
        delivered_at = CASE WHEN r.outcome = 'delivered' THEN now() END,
        updated_at = now(),
        version = d.version + 1
    FROM result r
    WHERE d.id = r.id AND d.id BETWEEN $11::uuid AND $12::uuid
      AND COALESCE(d.leased_until, 'infinity') < 'infinity'
      AND d.attempt_count = r.attempt
    RETURNING d.id
  )
  INSERT INTO webhook_attempts (delivery_id, number, started_at, latency_ms, status, headers, body, error)
  SELECT r.id, r.attempt, r.started_at, r.latency_ms, r.response_status, r.headers, r.body, r.error
  FROM result r
  JOIN settled s ON s.id = r.id`;

/** Stores results in batches. The result of a delivery that another worker has taken over changes nothing. */
@Injectable()
export class DeliveryResults {
  constructor(private readonly dataSource: DataSource) {}

  async settle(results: readonly DeliveryResult[]): Promise<void> {
    const column = <T>(of: (result: DeliveryResult) => T) => results.map(of);
    const ids = results.map(({ id }) => id).sort();
    await poolOf(this.dataSource).query({
      name: 'webhook_settle',
      text: SETTLE,
      values: [
        column(({ id }) => id),
        column(({ attempt }) => attempt),
        column(({ status }) => status),
        column(({ waitMs }) => waitMs),
        column(({ post }) => post.startedAt),
        column(({ post }) => post.latencyMs),
        column(({ post }) => post.status),
        column(({ post }) => (post.headers ? JSON.stringify(post.headers) : null)),
        column(({ post }) => post.body),
        column(({ error }) => error),
        ids[0],
        ids.at(-1),
      ],
    });
  }

  /**
   * Makes due retries ready, and deliveries whose lease is over. A worker that dies uses up no attempt, because the receiver has not
   * failed.
   */
  async release(): Promise<void> {
    await poolOf(this.dataSource).query(
      `WITH due AS (
         SELECT id
         FROM webhook_deliveries
         WHERE status = 'waiting' AND due_at <= now()
         ORDER BY due_at
         LIMIT 5000
         FOR UPDATE SKIP LOCKED
       ), ready AS (
         UPDATE webhook_deliveries d
         SET status = 'ready'
         FROM due
         WHERE d.id = due.id
         RETURNING d.id
       ), expired AS (
         SELECT id
         FROM webhook_deliveries d
         WHERE leased_until IS NOT NULL AND ${leaseIsOver('d')}
         FOR UPDATE SKIP LOCKED
       ), abandoned AS (
         UPDATE webhook_deliveries d
         SET status = CASE WHEN d.status = 'failed' THEN 'failed' ELSE 'ready' END,
             tries = GREATEST(d.tries - 1, 0),
             due_at = LEAST(d.due_at, now()),
             leased_until = NULL,
             leased_by = NULL,
             last_error = CASE WHEN d.status = 'failed' THEN d.last_error ELSE 'the worker ended during the attempt' END,
             updated_at = now(),
             version = d.version + 1
         FROM expired
         WHERE d.id = expired.id
         RETURNING d.id, d.attempt_count
       )
       INSERT INTO webhook_attempts (delivery_id, number, started_at, latency_ms, error)
       SELECT id, attempt_count, now(), 0, 'the worker ended during the attempt, so whether it arrived is not known'
       FROM abandoned
       ON CONFLICT DO NOTHING`,
    );
  }
}
