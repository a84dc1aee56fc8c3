import { Logger } from '@nestjs/common';
import { Pool } from 'pg';
import { uuidv7 } from 'uuidv7';
import { CONNECTION_LIMITS } from '../persistence/database/pool.js';
import { PooledClient } from '../persistence/database/pooled-client.js';
import { LogInterval } from '../logging/log-interval.js';

export const BEATS = { everyMs: 500 };
const STATEMENT_MS = 3_000;
const WARN_EVERY_MS = 10_000;
/** A worker that has not been seen for this long has ended, or cannot reach the database. */
const ENDED_AFTER = `interval '6 seconds'`;
/** A worker whose connection is gone has ended if it has not connected again within two beats. */
const GONE_AFTER = `interval '1 second'`;

/**
 * SQL: the lease of a row is over, because it expired or because its worker ended. Leases of a worker that only stalled are lost
 * too, so their holder must check before it stores a result.
 */
export const leaseIsOver = (row: string) => `(
  ${row}.leased_until < now() OR (
    ${row}.leased_by IS NOT NULL
    AND NOT EXISTS (SELECT FROM workers w WHERE w.id = ${row}.leased_by AND w.seen_at > now() - ${ENDED_AFTER})
  ))`;

/**
 * PostgreSQL notices immediately that the connection of a killed process is closed, but not that its host is lost. After a restart of
 * PostgreSQL, all connections are gone although their workers run. A process with a later start has the number of an ended one.
 */
const IS_GONE = `
  w.backend_pid IS NOT NULL AND w.seen_at <= now() - ${GONE_AFTER} AND pg_postmaster_start_time() < now() - ${ENDED_AFTER}
  AND NOT EXISTS (
    SELECT FROM pg_stat_activity a WHERE a.pid = w.backend_pid AND COALESCE(a.backend_start <= w.seen_at, true)
  )`;

/** Removes the workers that have ended, whose leases are over with that; each is removed, and so reported, by one other worker. */
const BEAT = `
  WITH me AS (
    INSERT INTO workers (id, backend_pid) VALUES ($1, pg_backend_pid())
    ON CONFLICT (id) DO UPDATE SET seen_at = now(), backend_pid = excluded.backend_pid
  )
  DELETE FROM workers w WHERE w.id <> $1 AND (w.seen_at <= now() - ${ENDED_AFTER} OR ${IS_GONE})`;

/**
 * Tells the other workers twice a second that this one runs. On its own connection, because a busy pool must not make a worker look
 * ended.
 */
export class WorkerPresence {
  readonly id = uuidv7();
  private readonly log = new Logger('Worker');
  private pool: Pool | undefined;
  private timer: NodeJS.Timeout | undefined;
  private beating: Promise<void> | undefined;
  private readonly warnings = new LogInterval(WARN_EVERY_MS);

  constructor(private readonly databaseUrl: string) {}

  /** Resolves once this worker is known, which it must be before it takes a lease. `onEnded`: another worker has ended. */
  async begin(onEnded: () => void): Promise<void> {
    this.pool = new Pool({
      ...CONNECTION_LIMITS,
      connectionTimeoutMillis: STATEMENT_MS,
      query_timeout: STATEMENT_MS,
      connectionString: this.databaseUrl,
      max: 1,
      Client: PooledClient as unknown as new () => PooledClient,
      application_name: 'work-suite worker presence',
    });
    this.pool.on('error', () => undefined);
    await this.beat(onEnded);
    this.timer = setInterval(() => {
      this.beating ??= this.beat(onEnded)
        .catch((error: Error) => {
          if (this.warnings.allows()) this.log.warn(`This worker could not be reported as running: ${error.message}`);
        })
        .finally(() => (this.beating = undefined));
    }, BEATS.everyMs).unref();
  }

  /** After the last result is stored. */
  async end(): Promise<void> {
    clearInterval(this.timer);
    await this.beating;
    await this.pool?.query('DELETE FROM workers WHERE id = $1', [this.id]).catch(() => undefined);
    await this.pool?.end();
    this.pool = undefined;
  }

  private async beat(onEnded: () => void): Promise<void> {
    const { rowCount } = await (this.pool as Pool).query(BEAT, [this.id]);
    if (rowCount) onEnded();
  }
}
