import type { Pool, PoolClient, QueryResult } from 'pg';
import { traced, type PlainStatement, type PooledClient } from './pooled-client.js';

interface WaitingRead {
  statement: PlainStatement;
  resolve(result: QueryResult): void;
  reject(error: unknown): void;
}

/** More reads take several connections, on which PostgreSQL works in parallel. */
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
      this.waiting.push({ statement, resolve, reject });
    });
    // after all requests and answers that have arrived were handled
    if (this.waiting.length === 1) setImmediate(() => this.sendWaiting());
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
    const failed = results.findIndex(({ status }) => status === 'rejected');
    client.release(failed === -1 ? undefined : errorOf(results[failed]));
    for (const [index, read] of reads.entries()) {
      const result = results[index];
      if (result.status === 'fulfilled') read.resolve(result.value);
      else if (index === failed) read.reject(result.reason);
      // skipped because of another's failure
      else this.pool.query(read.statement).then(read.resolve, read.reject);
    }
  }
}

function errorOf(result: PromiseSettledResult<unknown>): Error {
  return (result as PromiseRejectedResult).reason as Error;
}
