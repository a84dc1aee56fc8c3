import { Logger } from '@nestjs/common';
import { Pool } from 'pg';
import { uuidv7 } from 'uuidv7';
import { CONNECTION_LIMITS } from '../persistence/database/pool.js';

const BEAT_EVERY_MS = 1_000;
const STATEMENT_MS = 3_000;
/** A worker that has not been seen for this long has ended, or cannot reach the database. */
const ENDED_AFTER = `interval '6 seconds'`;

/**
 * SQL: the lease of a row is over, because it expired or because its worker ended. Leases of a worker that only stalled are lost
 * too, so their holder must check before it stores a result.
 */
export const leaseIsOver = (row: string) => `(
  ${row}.leased_until < now() OR (
    ${row}.leased_by IS NOT NULL
    AND NOT EXISTS (SELECT FROM workers w WHERE w.id = ${row}.leased_by AND w.seen_at > now() - ${ENDED_AFTER})
  ))`;

const BEAT = `
  WITH me AS (
    INSERT INTO workers (id) VALUES ($1) ON CONFLICT (id) DO UPDATE SET seen_at = now()
  ), forgotten AS (
    DELETE FROM workers WHERE seen_at < now() - interval '1 hour' AND id <> $1
  )
  SELECT id FROM workers WHERE seen_at <= now() - ${ENDED_AFTER} AND id <> $1`;

/**
 * Tells the other workers every second that this one runs. On its own connection, because a busy pool must not make a worker look
 * ended.
 */
export class WorkerPresence {
  readonly id = uuidv7();
  private readonly log = new Logger('Worker');
  private readonly ended = new Set<string>();
  private pool: Pool | undefined;
  private timer: NodeJS.Timeout | undefined;
  private beating: Promise<void> | undefined;

  constructor(private readonly databaseUrl: string) {}

  /** Resolves once this worker is known, which it must be before it takes a lease. `onEnded`: another worker has ended. */
  async begin(onEnded: () => void): Promise<void> {
    this.pool = new Pool({
      ...CONNECTION_LIMITS,
      connectionTimeoutMillis: STATEMENT_MS,
      query_timeout: STATEMENT_MS,
      connectionString: this.databaseUrl,
      max: 1,
      application_name: 'work-suite worker',
    });
    this.pool.on('error', () => undefined);
    await this.beat(onEnded);
    this.timer = setInterval(() => {
      this.beating ??= this.beat(onEnded)
        .catch((error: Error) => this.log.warn(`This worker could not be reported as running: ${error.message}`))
        .finally(() => (this.beating = undefined));
    }, BEAT_EVERY_MS).unref();
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
    const { rows } = await (this.pool as Pool).query<{ id: string }>(BEAT, [this.id]);
    const fresh = rows.filter(({ id }) => !this.ended.has(id));
    this.ended.clear();
    for (const { id } of rows) this.ended.add(id);
    if (fresh.length > 0) onEnded();
  }
}
