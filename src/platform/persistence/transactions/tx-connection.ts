import type { PoolClient } from 'pg';
import { toDomainError } from '../database/pg-errors.js';
import { sendAsOnePacket } from '../database/pool.js';
import { run, runUnprepared, type Queryable } from '../rows/reader.js';
import { mutexKeys } from './mutex-keys.js';

/** A statement after one that failed. */
const ABORTED = '25P02';
const NOW = 'SELECT now()::timestamptz(3) AS now';

/**
 * The connection of one transaction, in pg's pipeline mode: statements whose results are not needed at once (BEGIN, pipelined
 * writes, the events, COMMIT) are sent together with their neighbours.
 */
export class TxConnection {
  /** Results of pipelined statements, which nobody awaits before the commit. */
  readonly unawaited: Promise<unknown>[] = [];
  private begin: Promise<unknown> | null = null;
  private time: Promise<Date> | null = null;
  private ended = false;
  /** For reads and statements; a failure is told by what caused it. */
  readonly on: Queryable = {
    query: async <R extends object>(statement: { name?: string; text: string; values?: unknown[] }) => {
      try {
        return await this.client.query<R>(statement);
      } catch (error) {
        throw (error as { code?: string }).code === ABORTED ? ((await this.failure()) ?? error) : error;
      }
    },
  };

  /** `pooled` is the connection whatever the transaction's state: for ending it and giving it back. */
  constructor(readonly pooled: PoolClient) {}

  /** The connection inside the transaction: BEGIN travels with the first statement. */
  get client(): PoolClient {
    this.requireOpen();
    if (!this.begin) this.beginWith('BEGIN');
    return this.pooled;
  }

  /** Resolves when the transaction has begun; null before the first statement. */
  get began(): Promise<unknown> | null {
    return this.begin;
  }

  /** COMMIT or ROLLBACK is on its way: nothing may follow. */
  close(): void {
    this.ended = true;
  }

  /** The time of the transaction, which is what now() says in all of it. */
  now(): Promise<Date> {
    if (!this.time) {
      this.time = this.ask('');
      this.time.catch(() => (this.time = null));
    }
    return this.time;
  }

  /** Locks mutexes to the end of the transaction; the time comes along. */
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
    // work that goes on after a failure elsewhere must not reach a connection that may serve another caller by then
    if (this.ended) throw new Error('This transaction has ended; nothing more can be done in it.');
  }

  private beginWith(text: string): Promise<unknown> {
    this.requireOpen();
    sendAsOnePacket(this.pooled);
    this.begin = this.pooled.query(text);
    // a failure is seen where BEGIN is waited for, at the commit
    this.begin.catch(() => undefined);
    return this.begin;
  }

  /** Asks for the time and for locks, in one message with BEGIN if nothing has been asked yet. */
  private async ask(locks: string): Promise<Date> {
    if (this.begin) return timeIn(await runUnprepared(this.on, { text: NOW + locks }));
    try {
      return timeIn(await this.beginWith(`BEGIN; ${NOW}${locks}`));
    } catch (error) {
      throw toDomainError(error);
    }
  }

  /** What made a statement fail that did not fail by itself. */
  private async failure(): Promise<unknown> {
    return (await Promise.allSettled(this.unawaited)).find((answer) => answer.status === 'rejected')?.reason;
  }
}

/** The one answer's time, or, of the message that began the transaction, the last answer's. */
function timeIn(answer: unknown): Date {
  const { rows } = (Array.isArray(answer) ? answer.at(-1) : answer) as { rows: { now: Date }[] };
  return rows[0].now;
}
