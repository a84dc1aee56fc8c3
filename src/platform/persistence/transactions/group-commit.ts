import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Pool, PoolClient } from 'pg';
import { outsideOfWork } from '../../../kit/internal.js';
import { dedicatedPool } from '../database/dedicated-pool.js';
import { isRolledBack } from '../database/pg-errors.js';
import type { PooledClient } from '../database/pooled-client.js';
import type { Queryable } from '../rows/queryable.js';
import type { FrozenEvent } from './frozen-event.js';
import type { OutboxWriter } from './outbox-writer.js';
import { sendBegin, sendCommit } from './send-commit.js';
import { shareStatements, type WaitingStatement } from './shared-statements.js';

const MOST_TOGETHER = 32;
/** PostgreSQL works on one group while it writes the other to the disk. */
const GROUPS_AT_ONCE = 2;
/** A group waits for the locks of others only briefly: then its changes run separately, so that one of them does not delay the rest. */
const LOCK_TIMEOUT_MS = 50;
const STATEMENT_TIMEOUT_MS = 2_000;
/** More changes do not wait for a group. */
const MOST_WAITING = 10 * MOST_TOGETHER;

/** All that a transaction writes. The results of its statements are not needed before the commit. */
export interface WholeChange {
  statements: readonly WaitingStatement[];
  events: readonly FrozenEvent[];
  /** Throws if the change may no longer be written. */
  requireLease(): void;
}

interface WaitingChange {
  change: WholeChange;
  /** Whether it was committed; if not, nothing of it was written. */
  resolve(committed: boolean): void;
  reject(error: unknown): void;
}

/**
 * Commits changes together that arrive while other groups are being committed: they share a transaction, its packets and the statement
 * that writes their events. If one of them fails, all are rolled back, and each runs in a transaction of its own.
 */
@Injectable()
export class GroupCommit implements OnApplicationShutdown {
  private readonly pool: Pool;
  private waiting: WaitingChange[] = [];
  /** Groups that are being committed. */
  private running = 0;
  /** Whether one of them adds to rows: another one that does would wait for it, and give up. */
  private isAdding = false;

  constructor(
    url: string,
    private readonly outbox: OutboxWriter,
  ) {
    const timeouts = { lockTimeoutMs: LOCK_TIMEOUT_MS, statementTimeoutMs: STATEMENT_TIMEOUT_MS };
    this.pool = dedicatedPool({ url, name: 'groups', connections: GROUPS_AT_ONCE, ...timeouts });
  }

  /**
   * Resolves to whether the change was committed; if not, nothing of it was written. Rejects if that is not known, because the connection
   * was lost.
   */
  commit(change: WholeChange): Promise<boolean> {
    if (this.waiting.length >= MOST_WAITING) return Promise.resolve(false);
    return new Promise((resolve, reject) => {
      this.waiting.push({ change, resolve, reject });
      if (this.running < GROUPS_AT_ONCE && !this.isAdding) outsideOfWork(() => void this.commitWaiting());
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end();
  }

  private async commitWaiting(): Promise<void> {
    this.running++;
    // changes that arrived together share a group
    for (await nextTurn(); this.waiting.length > 0 && !this.isAdding; await nextTurn()) {
      const changes = this.waiting.splice(0, MOST_TOGETHER);
      const adds = changes.some(addsToRows);
      if (adds) this.isAdding = true;
      await this.commitGroup(changes);
      if (adds) this.isAdding = false;
    }
    this.running--;
  }

  private async commitGroup(changes: readonly WaitingChange[]): Promise<void> {
    const client = await this.pool.connect().catch(() => null);
    if (!client) {
      // those that wait need not wait until the next attempt fails, too
      for (const { resolve } of [...changes, ...this.waiting.splice(0)]) resolve(false);
      return;
    }
    const group = changes.filter(holdsLease);
    try {
      await this.write(client as Queryable & PoolClient, group);
      for (const { resolve } of group) resolve(true);
      client.release();
    } catch (error) {
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
  private async write(client: Queryable & PoolClient, group: readonly WaitingChange[]): Promise<void> {
    const statements = shareStatements(group.map(({ change }) => change.statements));
    (client as unknown as PooledClient).collect();
    const begin = sendBegin(client);
    const results = statements.map(({ statement }) => client.query(statement));
    const events = group.map(({ change }) => change.events);
    await sendCommit(client, [begin, ...results], this.outbox, events);
    for (const [index, { waiting }] of statements.entries()) {
      const result = await results[index];
      for (const { resolve } of waiting) resolve(result);
    }
  }
}

function addsToRows({ change }: WaitingChange): boolean {
  return change.statements.some(({ share }) => typeof share === 'object');
}

/** Rejects a change that another process has taken over. */
function holdsLease({ change, reject }: WaitingChange): boolean {
  try {
    change.requireLease();
    return true;
  } catch (error) {
    reject(error);
    return false;
  }
}
