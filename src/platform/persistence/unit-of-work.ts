import type { Pool, PoolClient } from 'pg';
import type { DataSource } from 'typeorm';
import type { CallContext } from './call-context.js';
import { toDomainError } from './pg-errors.js';
import type { NumberSeries } from './number-series.js';
import { PgTx } from './pg-tx.js';
import { run, type Reader } from './reader.js';

/** The one transaction of a write: opened by whoever needs it first, ended once by whoever made the unit of work. */
export class UnitOfWork {
  private tx: PgTx | null = null;
  private began: Promise<unknown> | null = null;

  constructor(
    private readonly pool: Pool,
    private readonly dataSource: DataSource,
    private readonly reader: Reader,
    private readonly numbers: NumberSeries,
    private readonly ctx: CallContext,
  ) {}

  async open(): Promise<PgTx> {
    if (this.tx) return this.tx;
    const client = await connect(this.pool);
    // not awaited: in pipeline mode it travels with the first statement; its failure surfaces there and at commit
    this.began = client.query('BEGIN');
    this.began.catch(() => undefined);
    return (this.tx = new PgTx(client, this.dataSource, this.reader, this.numbers, this.ctx));
  }

  /** The transaction, once open. */
  get current(): PgTx | null {
    return this.tx;
  }

  /** Marks the point to which `commitOnly` goes back; call it once the transaction is open. */
  protect(): void {
    this.tx?.client.query('SAVEPOINT change').catch(() => undefined);
  }

  /** Undoes the change and its events, back to `protect`, and commits only what `last` writes. */
  async commitOnly(last: (client: PoolClient) => Promise<unknown>): Promise<void> {
    const tx = this.tx;
    if (!tx) return;
    const { client } = tx;
    await this.end([client.query('ROLLBACK TO SAVEPOINT change'), last(client)]);
  }

  /** Commits the change with its events; `last` are further statements that belong to it and travel along. */
  async commit(last?: (client: PoolClient) => Promise<unknown>): Promise<void> {
    const tx = this.tx;
    if (!tx) return;
    await this.end([this.began, tx.flushEvents(), last?.(tx.client)]);
    await tx.runAfterCommit();
  }

  /** Waits for the statements on their way and for the COMMIT that travels with them; any failure rolls back. */
  private async end(statements: (Promise<unknown> | null | undefined)[]): Promise<void> {
    try {
      const commit = run((this.tx as PgTx).client, { text: 'COMMIT' });
      const settled = await Promise.allSettled([...statements, commit]);
      const failed = settled.find((result) => result.status === 'rejected');
      if (failed) throw failed.reason;
      // PostgreSQL answers COMMIT of a failed transaction with ROLLBACK and no error
      if ((await commit).command !== 'COMMIT') throw new Error('The transaction had failed before, so nothing was written.');
    } catch (error) {
      await this.rollback();
      throw toDomainError(error);
    }
    this.release();
  }

  async rollback(): Promise<void> {
    if (!this.tx) return;
    const { client } = this.tx;
    try {
      await client.query('ROLLBACK');
      this.release();
    } catch (error) {
      // a connection that cannot roll back must not serve anyone else
      this.release(error as Error);
    }
  }

  private release(error?: Error): void {
    const client = this.tx?.client;
    this.tx = null;
    client?.release(error);
  }
}

async function connect(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw toDomainError(error);
  }
}
