import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { poolOf } from '../../persistence/database/pool.js';

/** Endpoints that the query visits. */
const MOST_ENDPOINTS = 1_000;
const TIMEOUT_MS = 2_000;
const SHARED_MS = 1_000;

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

const OLDEST = `
  WITH RECURSIVE ${lanes('first', `status = 'ready' AND tries = 0`)}, ${lanes('retry', `status = 'ready' AND tries > 0`)}
  SELECT least(
    (SELECT min(due_at) FROM first),
    (SELECT min(due_at) FROM retry),
    (SELECT min(due_at) FROM webhook_deliveries WHERE status = 'waiting' AND due_at <= now())
  ) AS due_at`;

/** How far the deliveries of webhooks are behind, for health checks. */
@Injectable()
export class OldestDueDelivery {
  private shared: Promise<Date | null> | null = null;

  constructor(private readonly dataSource: DataSource) {}

  /**
   * The due time of the delivery that is due the longest; null if none is, or if it cannot be read within two seconds. All callers
   * within about a second share one statement: anyone may ask, as often as they like.
   */
  read(): Promise<Date | null> {
    if (this.shared) return this.shared;
    const asked = this.ask().catch(() => null);
    void asked.then(() => setTimeout(() => (this.shared = null), SHARED_MS).unref());
    this.shared = Promise.race([asked, sleep(TIMEOUT_MS, null, { ref: false })]);
    return this.shared;
  }

  private async ask(): Promise<Date | null> {
    // two commands in one message are one transaction, to which the timeout is limited
    const results: unknown = await poolOf(this.dataSource).query(`SET LOCAL statement_timeout = ${TIMEOUT_MS}; ${OLDEST}`);
    const [, { rows }] = results as [unknown, { rows: { due_at: Date | null }[] }];
    const [{ due_at }] = rows;
    // a delivery of a bulk change may be ready although it is due later
    return due_at && new Date(Math.min(due_at.getTime(), Date.now()));
  }
}
