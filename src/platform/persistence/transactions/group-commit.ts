import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Pool, type PoolClient } from 'pg';
import { isRolledBack } from '../database/pg-errors.js';
import { CONNECTION_LIMITS, QUERY_TIMEOUT_MS, sessionSettings } from '../database/pool.js';
import { PooledClient } from '../database/pooled-client.js';
import { run, type Queryable } from '../rows/reader.js';
import { shareStatements, type Shareable } from './shared-statements.js';
import type { FrozenEvent, OutboxWriter } from './outbox-writer.js';

export type Statement = Parameters<Queryable['query']>[0];
export type Result<R extends object = object> = Awaited<ReturnType<Queryable['query']>> & { rows: R[] };

/** A statement that waits to be sent. */
export interface WaitingStatement {
  statement: Statement;
  share?: Shareable;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/** All that a transaction writes. The results of its statements are not needed before the commit. */
export interface WholeChange {
  statements: readonly WaitingStatement[];
  events: readonly FrozenEvent[];
}

interface WaitingChange {
  change: WholeChange;
  resolve(committed: boolean): void;
  reject(error: unknown): void;
}

const MOST_TOGETHER = 32;
/** A group waits for the locks of others only briefly: then its changes run separately, so that one of them does not delay the rest. */
const LOCK_TIMEOUT_MS = 50;

/**
 * Commits changes together that arrive while another group is being committed: they share a transaction, its packets and the statement
 * that writes their events. If one of them fails, all are rolled back, and each runs in a transaction of its own.
 */
@Injectable()
export class GroupCommit implements OnApplicationShutdown {
  private readonly pool: Pool;
  private waiting: WaitingChange[] = [];
  private running = false;

  constructor(
    url: string,
    private readonly outbox: OutboxWriter,
  ) {
    this.pool = new Pool({
      ...CONNECTION_LIMITS,
      connectionString: url,
      max: 1,
      Client: PooledClient as unknown as new () => PooledClient,
      query_timeout: QUERY_TIMEOUT_MS,
      options: sessionSettings(LOCK_TIMEOUT_MS),
      application_name: 'work-suite groups',
      pipeline: true,
    } as ConstructorParameters<typeof Pool>[0]);
    // a connection that is lost while idle is replaced by the next group
    this.pool.on('error', () => undefined);
  }

  /**
   * Resolves to whether the change was committed; if not, nothing of it was written. Rejects if that is not known, because the connection
   * was lost.
   */
  commit(change: WholeChange): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ change, resolve, reject });
      if (!this.running) void this.commitWaiting();
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end();
  }

  private async commitWaiting(): Promise<void> {
    this.running = true;
    while (this.waiting.length > 0) {
      // changes that arrived together share a group
      await nextTurn();
      const group = this.waiting.splice(0, MOST_TOGETHER);
      const client = await this.pool.connect().catch(() => null);
      if (client) await this.commitGroup(client, group);
      else for (const { resolve } of group) resolve(false);
    }
    this.running = false;
  }

  private async commitGroup(client: PoolClient, group: readonly WaitingChange[]): Promise<void> {
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
    const events = group.map(({ change }) => change.events).filter(({ length }) => length > 0);
    (client as unknown as PooledClient).collect();
    const begin = run(client, { text: 'BEGIN' });
    const results = statements.map(({ statement }) => client.query(statement));
    const announce = events.length === 0 ? undefined : this.outbox.write(client, events);
    const commit = run(client, { text: 'COMMIT' });
    const settled = await Promise.allSettled([...results, begin, announce, commit]);
    const failed = settled.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
    for (const [index, { waiting }] of statements.entries())
      for (const { resolve } of waiting) resolve((settled[index] as PromiseFulfilledResult<Result>).value);
    (await announce)?.();
  }
}
