import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool, QueryResult, QueryResultRow } from 'pg';

const TIMEOUT_MS = 2_000;
const SHARED_MS = 1_000;

/** A statement without parameters that anyone may cause to be run, as often as they like: callers within about a second share it. */
export class SharedRead<R extends QueryResultRow> {
  private shared: Promise<R[] | null> | null = null;

  constructor(
    private readonly pool: () => Pool,
    private readonly statement: () => string,
  ) {}

  /** Null if it fails, or takes longer than two seconds. It runs once at a time even then. */
  rows(): Promise<R[] | null> {
    if (this.shared) return this.shared;
    const asked = this.ask().catch(() => null);
    void asked.then(() => setTimeout(() => (this.shared = null), SHARED_MS).unref());
    this.shared = Promise.race([asked, sleep(TIMEOUT_MS, null, { ref: false })]);
    return this.shared;
  }

  private async ask(): Promise<R[]> {
    // two commands in one message are one transaction, to which the timeout is limited
    const results: unknown = await this.pool().query(`SET LOCAL statement_timeout = ${TIMEOUT_MS}; ${this.statement()}`);
    return (results as [unknown, QueryResult<R>])[1].rows;
  }
}
