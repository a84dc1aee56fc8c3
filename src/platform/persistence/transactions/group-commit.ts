import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Pool, PoolClient } from 'pg';
import { dedicatedPool } from '../database/dedicated-pool.js';
import { isRolledBack } from '../database/pg-errors.js';
import type { PooledClient } from '../database/pooled-client.js';
import { run, type Queryable } from '../rows/reader.js';
import { holdsLease, type GroupPlace, type WaitingChange, type WholeChange } from './group-place.js';
import { GroupReads, type ClientRead, type WaitingRead } from './group-reads.js';
import type { OutboxWriter } from './outbox-writer.js';
import { sendCommit } from './send-commit.js';
import { shareStatements } from './shared-statements.js';

const MOST_TOGETHER = 32;
/** A group waits for the locks of others only briefly: then its changes run separately, so that one of them does not delay the rest. */
const LOCK_TIMEOUT_MS = 50;
const STATEMENT_TIMEOUT_MS = 2_000;
/** More changes do not wait for a group. */
const MOST_WAITING = 10 * MOST_TOGETHER;

/**
 * Commits changes together that arrive while another group is being committed: they share a transaction, its packets and the statement
 * that writes their events. If one of them fails, all are rolled back, and each runs in a transaction of its own.
 *
 * A change may have the group read first, with locks, for all of its changes at once. Then the group waits until the change is ready to
 * commit, which it must be without waiting for anything else.
 */
@Injectable()
export class GroupCommit implements OnApplicationShutdown {
  private readonly pool: Pool;
  private changes: WaitingChange[] = [];
  private readonly reads = new GroupReads();
  private running = false;

  constructor(
    url: string,
    private readonly outbox: OutboxWriter,
  ) {
    this.pool = dedicatedPool({ url, name: 'groups', lockTimeoutMs: LOCK_TIMEOUT_MS, statementTimeoutMs: STATEMENT_TIMEOUT_MS });
  }

  /**
   * Resolves to whether the change was committed; if not, nothing of it was written. Rejects if that is not known, because the connection
   * was lost.
   */
  commit(change: WholeChange): Promise<boolean> {
    if (this.changes.length >= MOST_WAITING) return Promise.resolve(false);
    return new Promise((resolve, reject) => {
      this.changes.push({ change, resolve, reject });
      this.start();
    });
  }

  /** Reads for a change that then commits with the group; null if the change must read for itself. */
  read<Q, S>(read: ClientRead<Q, S>, request: Q): Promise<GroupPlace<S> | null> {
    if (this.reads.length >= MOST_WAITING || this.reads.isAvoided(read.name)) return Promise.resolve(null);
    const place = this.reads.add(read, request);
    this.start();
    return place;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end();
  }

  private start(): void {
    if (!this.running) void this.commitWaiting();
  }

  private async commitWaiting(): Promise<void> {
    this.running = true;
    let last = 0;
    while (this.waiting > 0) {
      // changes that arrived together share a group
      await nextTurn();
      const client = await this.pool.connect().catch(() => null);
      if (client) {
        // half of the waiting changes and of those of the last group, whose callers continue now: the process works on the others while
        // PostgreSQL works on these
        const count = Math.min(MOST_TOGETHER, Math.ceil((last + this.waiting) / 2));
        const changes = this.changes.splice(0, Math.ceil((count * this.changes.length) / this.waiting));
        const reads = this.reads.take(Math.max(0, count - changes.length));
        last = changes.length + reads.length;
        await this.commitGroup(client, changes, reads);
      } else {
        // nobody waits here until the next attempt fails, too
        this.refuseWaiting();
      }
    }
    this.running = false;
  }

  private get waiting(): number {
    return this.changes.length + this.reads.length;
  }

  private refuseWaiting(): void {
    for (const { resolve } of this.changes.splice(0)) resolve(false);
    for (const { resolve } of this.reads.take(this.reads.length)) resolve(null);
  }

  private async commitGroup(client: PoolClient, changes: readonly WaitingChange[], reads: readonly WaitingRead[]): Promise<void> {
    let group = changes;
    const places: GroupPlace[] = [];
    try {
      (client as unknown as PooledClient).collect();
      const begin = run(client, { text: 'BEGIN' });
      // a failure is handled where BEGIN is awaited
      begin.catch(() => undefined);
      const ready = reads.length > 0 ? await this.reads.readyAfter(client, reads, places) : [];
      group = [...changes.filter(holdsLease), ...ready];
      await this.write(client as Queryable & PoolClient, begin, group);
      for (const { resolve } of group) resolve(true);
      for (const place of places) place.finish(true);
      client.release();
    } catch (error) {
      for (const place of places) place.finish(false);
      for (const { resolve, reject } of group) {
        if (isRolledBack(error)) resolve(false);
        else reject(error);
      }
      await client.query('ROLLBACK').then(
        () => client.release(),
        (lost: Error) => client.release(lost),
      );
    }
  }

  /** Sends everything in one packet. */
  private async write(client: Queryable & PoolClient, begin: Promise<unknown>, group: readonly WaitingChange[]): Promise<void> {
    const statements = shareStatements(group.map(({ change }) => change.statements));
    (client as unknown as PooledClient).collect();
    const results = statements.map(({ statement }) => client.query(statement));
    const events = group.map(({ change }) => change.events);
    await sendCommit(client, [begin, ...results], this.outbox, events);
    for (const [index, { waiting }] of statements.entries()) {
      const result = await results[index];
      for (const { resolve } of waiting) resolve(result);
    }
  }
}
