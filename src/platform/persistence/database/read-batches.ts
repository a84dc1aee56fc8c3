import type { Pool, PoolClient, QueryResult } from 'pg';
import { outsideOfWork } from '../../../kit/internal.js';
import { isOfStatement } from './pg-errors.js';
import { traced, type PlainStatement, type PooledClient } from './pooled-client.js';
import { prepareValue } from './statement-batch.js';

interface WaitingRead {
  statement: PlainStatement;
  resolve(result: QueryResult): void;
  reject(error: unknown): void;
}

/** About as many as arrive in a turn of a busy process. More take several connections, on which PostgreSQL works in parallel. */
const MOST_TOGETHER = 8;

/**
 * Sends short reads of independent requests together: those of one turn of the event loop share a connection, a packet and PostgreSQL's
 * answer, which cost the process more than the rest of such a read. Only for reads that neither wait for locks nor take long, because
 * the results of a batch arrive together.
 */
export class ReadBatches {
  private waiting: WaitingRead[] = [];

  constructor(private readonly pool: Pool) {}

  query<R extends object>(statement: PlainStatement): Promise<QueryResult<R>> {
    const result = new Promise<QueryResult>((resolve, reject) => {
      // throws if a value cannot be sent, which would fail the whole batch
      statement.values?.forEach((value) => prepareValue(value));
      const count = this.waiting.push({ statement, resolve, reject });
      // after all requests and answers that have arrived were handled; a batch belongs to no request, and must run in the context of none
      if (count === 1) setImmediate(() => outsideOfWork(() => this.sendWaiting()));
    });
    return traced(result);
  }

  private sendWaiting(): void {
    const { waiting } = this;
    this.waiting = [];
    while (waiting.length > 0) void this.send(waiting.splice(0, MOST_TOGETHER));
  }

  private async send(reads: readonly WaitingRead[]): Promise<void> {
    let client: PoolClient & PooledClient;
    try {
      client = (await this.pool.connect()) as PoolClient & PooledClient;
    } catch (error) {
      for (const { reject } of reads) reject(error);
      return;
    }
    const results = await client.queryTogether(reads.map(({ statement }) => statement));
    const failed = results.find((result) => result.status === 'rejected');
    client.release(failed?.reason as Error | undefined);
    for (const [index, read] of reads.entries()) {
      const result = results[index];
      if (result.status === 'fulfilled') read.resolve(result.value);
      else if (result === failed || !isOfStatement(result.reason)) read.reject(result.reason);
      // it was not executed, because one before it failed
      else this.pool.query(read.statement).then(read.resolve, read.reject);
    }
  }
}
