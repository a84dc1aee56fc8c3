import type { PoolClient } from 'pg';
import type { PooledClient } from '../database/pooled-client.js';
import { run, runUnprepared, type Queryable } from '../rows/reader.js';
import { mutexKeys } from './mutex-keys.js';

/** SQLSTATE of a statement after a failed one (in_failed_sql_transaction). */
const ABORTED = '25P02';
const NOW = 'SELECT now()::timestamptz(3) AS now';
/** Of a statement that locks mutexes, so that it is prepared. */
const MOST_PREPARED_KEYS = 4;

/**
 * The connection of one transaction, in pg's pipeline mode: statements whose results are not needed at once (BEGIN, pipelined
 * writes, the events, COMMIT) are sent together with adjacent ones.
 */
export class TxConnection {
  /** Results of pipelined statements, which are awaited only at the commit. */
  readonly unawaited: Promise<unknown>[] = [];
  private begin: Promise<unknown> | null = null;
  private time: Promise<Date> | null = null;
  private ended = false;
  /** The last failure that did not follow from another one. */
  private failed: unknown = null;
  /** For reads and statements; it throws the error of the statement that failed first. Those of one tick share a packet. */
  readonly on: Queryable = {
    query: async <R extends object>(statement: Parameters<Queryable['query']>[0]) => {
      try {
        this.client.collect();
        return await this.client.query<R>(statement);
      } catch (error) {
        if ((error as { code?: string }).code === ABORTED) throw (await this.failure()) ?? this.failed ?? error;
        this.failed = error;
        throw error;
      }
    },
  };

  /** `pooled` is the connection in any state of the transaction: to end it and release the connection. */
  constructor(readonly pooled: PoolClient & PooledClient) {}

  /** The connection within the transaction: BEGIN is sent with the first statement, and reads the time unless it is known. */
  get client(): PoolClient & PooledClient {
    this.requireOpen();
    if (!this.begin) void (this.time ? this.sendBegin() : this.now());
    return this.pooled;
  }

  /** Resolves when the transaction has begun; null before the first statement. */
  get began(): Promise<unknown> | null {
    return this.begin;
  }

  /** COMMIT or ROLLBACK was sent: no statement may follow. */
  close(): void {
    this.ended = true;
  }

  /** The database's time before the transaction begins, so that BEGIN need not read it. Ignored if it has begun. */
  beginsAfter(time: Date): void {
    if (!this.begin) this.time = Promise.resolve(time);
  }

  /** The time of the rows that the transaction writes: the value of now() in it or, by `beginsAfter`, slightly earlier. */
  now(): Promise<Date> {
    if (!this.time) {
      this.time = this.ask('');
      this.time.catch(() => (this.time = null));
    }
    return this.time;
  }

  /** Locks mutexes until the end of the transaction; also reads the time. */
  async mutex(names: readonly string[]): Promise<void> {
    const keys = mutexKeys(names);
    const time = this.ask(keys.map((_, index) => `, pg_advisory_xact_lock($${index + 1})`).join(''), keys);
    await time;
    this.time ??= time;
  }

  /** Sends a statement without waiting for its result. */
  send(statement: { text: string; values: unknown[] }): void {
    this.client.collect();
    const result = run(this.client, statement);
    result.catch(() => undefined);
    this.unawaited.push(result);
  }

  /** Throws once the transaction has ended. */
  requireOpen(): void {
    // code that continues after a failure elsewhere must not use a connection that may belong to another caller by then
    if (this.ended) throw new Error('This transaction has ended and cannot be used.');
  }

  /** Queries the time and locks mutexes; BEGIN is sent in the same packet if the transaction has not begun. */
  private async ask(locks: string, keys: readonly bigint[] = []): Promise<Date> {
    this.sendBegin();
    // the text varies with the number of keys, and prepared statements are few
    const send = keys.length > MOST_PREPARED_KEYS ? runUnprepared : run;
    const { rows } = await send<{ now: Date }>(this.on, { text: NOW + locks, values: [...keys] });
    return rows[0].now;
  }

  private sendBegin(): void {
    this.requireOpen();
    if (this.begin) return;
    this.pooled.collect();
    this.begin = run(this.pooled, { text: 'BEGIN' });
    // a failure is handled where BEGIN is awaited, at the commit
    this.begin.catch(() => undefined);
  }

  /** The original error, if a statement failed only because an earlier one had failed. */
  private async failure(): Promise<unknown> {
    return (await Promise.allSettled(this.unawaited)).find((result) => result.status === 'rejected')?.reason;
  }
}
