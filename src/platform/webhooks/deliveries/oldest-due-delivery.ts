import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { poolOf } from '../../persistence/database/pool.js';
import { SharedRead } from '../../persistence/database/shared-read.js';

/** Endpoints that the query visits. */
const MOST_ENDPOINTS = 1_000;

/** What a member requested has an earlier `due_at`, to be sent first. */
const DUE = 'greatest(d.due_at, d.queued_at)';

/** By a skip scan of the indexes of first attempts and of retries, however many deliveries wait for each endpoint. */
const lanes = (name: string, ready: string) => `
  ${name} AS (
    (
      SELECT d.endpoint_id, ${DUE} AS due_at, 1 AS n FROM webhook_deliveries d
      WHERE ${ready} ORDER BY d.endpoint_id, d.due_at LIMIT 1
    )
    UNION ALL
    SELECT next.endpoint_id, next.due_at, l.n + 1
    FROM ${name} l
    CROSS JOIN LATERAL (
      SELECT d.endpoint_id, ${DUE} AS due_at FROM webhook_deliveries d
      WHERE ${ready} AND d.endpoint_id > l.endpoint_id ORDER BY d.endpoint_id, d.due_at LIMIT 1
    ) AS next
    WHERE l.n < ${MOST_ENDPOINTS}
  )`;

/**
 * Deliveries to an endpoint that is slow, fails or has used up its rate wait for it, however many workers there are, and those of closed
 * organizations for what an operator decides: neither are late.
 */
const CAN_BE_LATE = `endpoint_id <> ALL (ARRAY(
      SELECT w.id FROM webhook_endpoints w JOIN organizations o ON o.id = w.organization_id
      WHERE o.closed_at IS NOT NULL OR w.slow_since IS NOT NULL OR w.failing_since IS NOT NULL
        OR EXISTS (SELECT FROM webhook_rates r WHERE r.endpoint_id = w.id AND r.next_at > now())))`;

const OLDEST = `
  WITH RECURSIVE ${lanes('first', `status = 'ready' AND tries = 0`)}, ${lanes('retry', `status = 'ready' AND tries > 0`)}
  SELECT least(
    (SELECT min(due_at) FROM first WHERE ${CAN_BE_LATE}),
    (SELECT min(due_at) FROM retry WHERE ${CAN_BE_LATE}),
    (SELECT min(due_at) FROM webhook_deliveries WHERE status = 'waiting' AND due_at <= now() AND ${CAN_BE_LATE})
  ) AS due_at`;

/** More are counted as so many, because counting takes as long as there are. */
const MOST_COUNTED = 100_000;
const counted = (ready: string) =>
  `(SELECT count(*) FROM (SELECT FROM webhook_deliveries WHERE ${ready} LIMIT ${MOST_COUNTED}) AS counted)`;

/**
 * By organization, as an endpoint or many of one customer are the customer's, and of live data only: test endpoints are often away. What
 * fails for many customers may be the way out of the workers.
 */
const FAILING_ORGANIZATIONS = `
  SELECT count(DISTINCT w.organization_id) FROM webhook_endpoints w JOIN organizations o ON o.id = w.organization_id
  WHERE w.failing_since IS NOT NULL AND w.status = 'enabled' AND w.mode = 'live' AND o.closed_at IS NULL`;

/** For metrics. */
export const DUE_DELIVERIES = `
  SELECT 'webhook_delivery' AS queue, '' AS kind,
    ${counted(`status = 'ready' AND tries = 0`)} + ${counted(`status = 'ready' AND tries > 0`)}
      + ${counted(`status = 'waiting' AND due_at <= now()`)} AS depth,
    coalesce(extract(epoch FROM greatest(now() - oldest.due_at, interval '0')), 0)::float AS oldest_due_seconds
  FROM (${OLDEST}) AS oldest
  UNION ALL SELECT 'failing_webhook_organization', '', (${FAILING_ORGANIZATIONS}), 0`;

/** How far the deliveries of webhooks are behind, for health checks. */
@Injectable()
export class OldestDueDelivery {
  private readonly oldest: SharedRead<{ due_at: Date | null }>;

  constructor(dataSource: DataSource) {
    this.oldest = new SharedRead(
      () => poolOf(dataSource),
      () => OLDEST,
    );
  }

  /** The due time of the delivery that is due the longest; null if none is, or if it cannot be read within two seconds. */
  async read(): Promise<Date | null> {
    const rows = await this.oldest.rows();
    const due_at = rows?.[0].due_at ?? null;
    // a delivery of a bulk change may be ready although it is due later
    return due_at && new Date(Math.min(due_at.getTime(), Date.now()));
  }
}
