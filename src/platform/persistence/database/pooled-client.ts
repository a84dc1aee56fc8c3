import pg, { type QueryConfig } from 'pg';
import { StatementBatch, type Statement, type Wire } from './statement-batch.js';

type PlainStatement = QueryConfig & { queryMode?: 'extended' };

/** Members that this class sets on pg's query object; a statement with any other one is left to pg. */
const PLAIN = new Set(['text', 'values', 'name', 'queryMode']);

/** A client that passes plain statements to pg without pg's copy of them: it takes as long as the rest of a small query in pg. */
export class PooledClient extends pg.Client {
  /** Statements that are sent at the end of this tick of the event loop. */
  private collected: Statement[] | null = null;

  /**
   * Sends all statements of this tick of the event loop in one packet that PostgreSQL answers with one. They must be parts of one
   * transaction.
   */
  collect(): void {
    if (this.collected) return;
    this.collected = [];
    process.nextTick(() => this.sendCollected());
  }

  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- pg declares eight overloads, which stay as they are
  override query(statement: any, values?: any, callback?: any): any {
    if (!isPlain(statement) || values !== undefined || (this.collected && callback !== undefined)) {
      this.sendCollected();
      return super.query(statement, values, callback);
    }
    const query = Object.assign(new pg.Query(statement.text, statement.values), {
      name: statement.name,
      queryMode: statement.queryMode,
    }) as Statement;
    if (callback !== undefined) return this.submit(query, callback as Statement['callback']);
    return new Promise((resolve, reject) => {
      const settle: Statement['callback'] = (error, result) => (error ? reject(error) : resolve(result));
      if (!this.collected) return this.submit(query, settle);
      query.callback = settle;
      this.collected.push(query);
    }).catch((error: Error) => {
      // the trace leads to the caller instead of the socket, as in pg
      Error.captureStackTrace(error);
      throw error;
    });
  }

  private sendCollected(): void {
    const statements = this.collected;
    this.collected = null;
    if (!statements || statements.length === 0) return;
    if (statements.length === 1) return this.submit(statements[0], statements[0].callback);
    const types = (this as unknown as { _types: unknown })._types;
    // as pg does for a query
    for (const statement of statements) (statement as unknown as { _result: { _types: unknown } })._result._types = types;
    this.submit(new StatementBatch(statements), () => undefined);
  }

  private submit(query: pg.Query, callback: Statement['callback']): void {
    const submit = super.query.bind(this) as (query: pg.Query, values: undefined, callback: unknown) => void;
    submit(query, undefined, callback);
  }
}

function isPlain(statement: unknown): statement is PlainStatement {
  if (typeof statement !== 'object' || statement === null) return false;
  for (const name in statement) if (!PLAIN.has(name)) return false;
  return true;
}
