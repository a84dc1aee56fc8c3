import type { PoolClient } from 'pg';
import { run } from './reader.js';
import { Values } from './sql.js';

/** A statement whose text is made once it is known which values stand before its own. */
export type Write = (values: Values) => string;

/**
 * Writes of one transaction whose outcome is known before they are done: they wait for the next statement and travel with
 * it, or become one statement with the event of the change.
 */
export class LaterWrites {
  private waiting: Write[] = [];
  private readonly sent: Promise<unknown>[] = [];

  add(write: Write): void {
    this.waiting.push(write);
  }

  /** Takes what waits out, for a statement that does it along with its own work. */
  take(): Write[] {
    const writes = this.waiting;
    this.waiting = [];
    return writes;
  }

  /** Sends what waits; nobody waits for the answers before the commit. */
  send(client: PoolClient): void {
    if (this.waiting.length === 0) return;
    for (const write of this.take()) {
      const values = new Values();
      const answer = run(client, { text: write(values), values: values.list });
      answer.catch(() => undefined);
      this.sent.push(answer);
    }
  }

  /** The answers to all that was sent. */
  get answers(): readonly Promise<unknown>[] {
    return this.sent;
  }

  /** What made a statement after these fail, if it was one of these. */
  async failure(): Promise<unknown> {
    return (await Promise.allSettled(this.sent)).find((answer) => answer.status === 'rejected')?.reason;
  }

  /** Forgets what was added and sent since so many were sent: it is undone. */
  undo(sent: number): void {
    this.waiting = [];
    this.sent.length = sent;
  }
}
