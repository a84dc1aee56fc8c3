import { CommonErrors } from '../../../kit/index.js';
import pLimit, { type LimitFunction } from 'p-limit';
import type { Pool, PoolClient } from 'pg';
import type { CallContext, CallTransaction } from './call-context.js';
import { ChangeRuns } from './change-runs.js';
import { toDomainError } from '../database/pg-errors.js';
import type { NumberSeries } from './number-series.js';
import type { OutboxWriter } from './outbox-writer.js';
import { PgTx } from './pg-tx.js';
import type { PooledClient } from '../database/pooled-client.js';
import { run, type Queryable, type Reader } from '../rows/reader.js';
import { TxConnection } from './tx-connection.js';

/** Changes that may wait for one gapless series in this process. */
const MAX_WAITING = 200;
const serialQueues = new Map<string, LimitFunction>();

/** The single transaction of a write: opened when it is first needed, ended once by the creator of the unit of work. */
export class UnitOfWork implements CallTransaction {
  private tx: PgTx | null = null;
  private opening: Promise<PgTx> | null = null;
  private ended = false;
  private readonly runs = new ChangeRuns();

  constructor(
    private readonly pool: Pool,
    private readonly reader: Reader,
    private readonly numbers: NumberSeries,
    private readonly ctx: CallContext,
    private readonly outbox: OutboxWriter,
  ) {}

  /** Concurrent calls get the same transaction. */
  open(): Promise<PgTx> {
    if (this.ended) return Promise.reject(new Error('This unit of work has ended; its transaction cannot be opened again.'));
    return (this.opening ??= this.connect());
  }

  private async connect(): Promise<PgTx> {
    this.ctx.owner.requireLease?.();
    await this.ctx.owner.renewLease?.();
    try {
      const connection = new TxConnection((await this.pool.connect()) as PoolClient & PooledClient);
      return (this.tx = new PgTx(connection, this.reader, this.numbers, this.ctx, this.outbox, this.runs));
    } catch (error) {
      throw toDomainError(error);
    }
  }

  get hasEnded(): boolean {
    return this.ended;
  }

  /**
   * Runs a change, and runs it again after each piece of long work that it requests with `Tx.prepared`. The work runs while no
   * transaction is open. It does not matter whether the change catches the error that ended its run.
   */
  async run<R>(change: () => Promise<R>, serial = false): Promise<R> {
    for (;;) {
      try {
        const result = await this.runs.run(this.ctx.owner, change);
        if (!this.runs.needsWork) return result;
      } catch (error) {
        if (!this.runs.needsWork) throw error;
      }
      this.runs.abandon();
      await this.rollback();
      const { gaplessSeries } = this.runs;
      if (gaplessSeries !== null && !serial) return this.runSerially(gaplessSeries, change);
      await this.runs.work();
      this.ended = false;
    }
  }

  /**
   * Work that prints a gapless number is wasted if another change takes the number meanwhile, so such changes run one after the
   * other within a process. A change in another process causes another run.
   */
  private runSerially<R>(series: string, change: () => Promise<R>): Promise<R> {
    let queue = serialQueues.get(series);
    if (!queue) serialQueues.set(series, (queue = pLimit(1)));
    if (queue.pendingCount >= MAX_WAITING) {
      const message = 'Too many changes are waiting for a number of this series; nothing was written. Retry the request shortly.';
      return Promise.reject(CommonErrors.unavailable({ message, headers: { 'Retry-After': '30' } }));
    }
    return queue(() => {
      this.runs.forgetWork();
      this.ended = false;
      return this.run(change, true);
    }).finally(() => {
      if (queue.activeCount + queue.pendingCount === 0) serialQueues.delete(series);
    });
  }

  /** The transaction, if open. */
  get current(): PgTx | null {
    return this.tx;
  }

  get connection(): Queryable | null {
    return this.tx?.connection.on ?? null;
  }

  /** Commits the change with its events; `last` sends further statements of the transaction in the same round trip. */
  async commit(last?: (client: PoolClient) => Promise<unknown>): Promise<void> {
    this.ended = true;
    await this.opening?.catch(() => undefined);
    const tx = this.tx;
    if (!tx) return;
    // whoever took the job over writes the same
    this.ctx.owner.requireLease?.();
    tx.connection.pooled.collect();
    await this.end(tx, [...tx.connection.unawaited, tx.flushEvents(), last?.(tx.client)]);
    await tx.runAfterCommit();
  }

  /** Waits for the pipelined statements and the COMMIT that follows them; any failure rolls back. */
  private async end(tx: PgTx, statements: (Promise<unknown> | null | undefined)[]): Promise<void> {
    try {
      const commit = run(tx.client, { text: 'COMMIT' });
      tx.connection.close();
      const settled = await Promise.allSettled([tx.connection.began, ...statements, commit]);
      const failed = settled.find((result) => result.status === 'rejected');
      if (failed) throw failed.reason;
      // PostgreSQL responds to COMMIT of a failed transaction with ROLLBACK and no error
      if ((await commit).command !== 'COMMIT') throw new Error('The transaction had already failed, so nothing was written.');
    } catch (error) {
      await this.rollback();
      throw toDomainError(error);
    }
    this.release();
  }

  async rollback(): Promise<void> {
    this.ended = true;
    // a connection that is still being acquired must be released as well
    await this.opening?.catch(() => undefined);
    if (!this.tx) return;
    const { connection } = this.tx;
    connection.close();
    try {
      if (connection.began) await connection.pooled.query('ROLLBACK');
      this.release();
    } catch (error) {
      // a connection that cannot roll back must not be reused
      this.release(error as Error);
    }
  }

  private release(error?: Error): void {
    const connection = this.tx?.connection;
    this.tx = null;
    this.opening = null;
    connection?.pooled.release(error);
  }
}
