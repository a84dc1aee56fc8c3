import type { PoolClient } from 'pg';
import { toDomainError } from '../database/pg-errors.js';
import { sendAsOnePacket } from '../database/pool.js';
import { run, runUnprepared, type Queryable } from '../rows/reader.js';
import { mutexKeys } from './mutex-keys.js';

/** SQLSTATE of a statement after a failed one (in_failed_sql_transaction). */
const ABORTED = '25P02';
const NOW = 'SELECT now()::timestamptz(3) AS now';

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
  /** For reads and statements; it throws the error of the statement that failed first. */
  readonly on: Queryable = {
    query: async <R extends object>(statement: Parameters<Queryable['query']>[0]) => {
      try {
        return await this.client.query<R>(statement);
      } catch (error) {
        throw (error as { code?: string }).code === ABORTED ? ((await this.failure()) ?? error) : error;
      }
    },
  };

  /** `pooled` is the connection in any state of the transaction: to end it and release the connection. */
  constructor(readonly pooled: PoolClient) {}

  /** The connection within the transaction: BEGIN is sent with the first statement, and reads the time unless it is known. */
  get client(): PoolClient {
    this.requireOpen();
    if (!this.begin) void (this.time ? this.beginWith('BEGIN') : this.now());
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
    const time = this.ask(
      mutexKeys(names)
        .map((key) => `, pg_advisory_xact_lock(${key})`)
        .join(''),
    );
    await time;
    this.time ??= time;
  }

  /** Sends a statement without waiting for its result. */
  send(statement: { text: string; values: unknown[] }): void {
    sendAsOnePacket(this.client);
    const result = run(this.client, statement);
    result.catch(() => undefined);
    this.unawaited.push(result);
  }

  /** Throws once the transaction has ended. */
  requireOpen(): void {
    // code that continues after a failure elsewhere must not use a connection that may belong to another caller by then
    if (this.ended) throw new Error('This transaction has ended and cannot be used.');
  }

  private beginWith(text: string): Promise<unknown> {
    this.requireOpen();
    sendAsOnePacket(this.pooled);
    this.begin = this.pooled.query(text);
    // a failure is handled where BEGIN is awaited, at the commit
    this.begin.catch(() => undefined);
    return this.begin;
  }

  /** Queries the time and locks mutexes, in one message with BEGIN if the transaction has not begun. */
  private async ask(locks: string): Promise<Date> {
    if (this.begin) return timeIn(await runUnprepared(this.on, { text: NOW + locks }));
    try {
      return timeIn(await this.beginWith(`BEGIN; ${NOW}${locks}`));
    } catch (error) {
      throw toDomainError(error);
    }
  }

  /** The original error, if a statement failed only because an earlier one had failed. */
  private async failure(): Promise<unknown> {
    return (await Promise.allSettled(this.unawaited)).find((result) => result.status === 'rejected')?.reason;
  }
}

/** The time in the result; of the message that began the transaction, the time in the last result. */
function timeIn(result: unknown): Date {
  const { rows } = (Array.isArray(result) ? result.at(-1) : result) as { rows: { now: Date }[] };
  return rows[0].now;
}
