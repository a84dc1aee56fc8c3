import type { EventEmitter } from 'node:events';
import pg, { type ClientConfig, type QueryConfig, type QueryResult } from 'pg';
import { currentWork, outsideOfWork, type Work } from '../../../kit/internal.js';
import { noteLostConnection, noteRefusal } from './refusals.js';
import { unblockedTime } from './slow-statements.js';
import { watchForSilence, type Watched } from './silent-connections.js';
import { isRollback, noteAnswer, StatementBatch, type ConnectionState, type Statement } from './statement-batch.js';

/** `work` is what it is part of, if another one runs when it is sent. */
export type PlainStatement = QueryConfig & { queryMode?: 'extended'; prototype?: object; work?: Work | undefined };

const READ_ONLY = '25006';

/** A statement with any other member is left to pg. */
const PLAIN = new Set(['text', 'values', 'name', 'queryMode', 'prototype', 'work']);

/**
 * A client that passes prepared statements to pg without pg's copy of them: it takes as long as the rest of a small query in pg.
 * It is closed when it goes silent.
 */
export class PooledClient extends pg.Client implements Watched {
  waitingSince: number | null = null;
  heardAt = performance.now();
  private readonly state: ConnectionState = { shapes: new Map(), unsent: null, answeredAt: 0, processId: null };
  /** Statements that are sent at the end of this tick of the event loop. */
  private collected: Statement[] | null = null;

  /** `sharesSessions`: a pooler gives each transaction another session, so no statement can be prepared for a later one. */
  constructor(readonly config: ClientConfig & { sharesSessions?: boolean }) {
    super(config);
    const { connection } = this as unknown as { connection: EventEmitter };
    // what follows an error that ends the connection adds no information
    let isTold = false;
    connection.on('errorMessage', (error: pg.DatabaseError) => {
      noteRefusal(error);
      isTold ||= error.severity === 'FATAL';
      // its session stays read-only, also when the database is not anymore: the pool replaces it
      if (error.code === READ_ONLY) (this as unknown as { _poolUseCount: number })._poolUseCount = Infinity;
    });
    connection.on('error', (error: Error) => {
      isTold = true;
      noteLostConnection(error);
    });
    // without an error: the other side closed it, such as a proxy, or the pool did after its time limit for connecting
    connection.once('end', () => {
      const { _ending: isWanted, _connected: wasMade } = this as unknown as Record<string, boolean>;
      if (!isTold && !isWanted) noteLostConnection(new Error(wasMade ? 'it was closed unexpectedly' : 'it could not be made'));
    });
    // before pg's listener, which emits `drain` if no other statement waits for its answer
    connection.on('readyForQuery', () => {
      this.heardAt = performance.now();
      if (this.waitingSince !== null) this.waitingSince = this.heardAt;
    });
    this.on('drain', () => (this.waitingSince = null));
    this.once('connect', () => {
      // a pooler's number is none of a process of PostgreSQL
      if (!config.sharesSessions) this.state.processId = (this as unknown as { processID: number | null }).processID;
      watchForSilence(this);
    });
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- pg declares two overloads, which stay as they are
  override connect(callback?: any): any {
    return outsideOfWork(() => super.connect(callback) as unknown);
  }

  /**
   * Sends all statements of this tick of the event loop in one packet that PostgreSQL answers with one. They must be parts of one
   * transaction.
   */
  collect(): void {
    if (this.collected) return;
    this.collected = [];
    process.nextTick(() => this.sendCollected());
  }

  /**
   * Sends independent statements in one packet that PostgreSQL answers with one, on a client that is in no transaction. If one fails,
   * those after it are not executed, and fail with its error; if a value cannot be sent, all do.
   */
  queryTogether(statements: readonly PlainStatement[]): Promise<PromiseSettledResult<QueryResult>[]> {
    this.waitingSince ??= performance.now();
    const queries = statements.map((statement) => this.prepare(statement));
    const results = queries.map(resultOf);
    this.submit(queries, false);
    return Promise.allSettled(results);
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- pg declares eight overloads, which stay as they are
  override query(statement: any, values?: any, callback?: any): any {
    this.waitingSince ??= performance.now();
    if (!isPlain(statement) || values !== undefined) {
      this.sendCollected();
      if (isRollback(textOf(statement))) this.state.unsent = null;
      if (this.state.unsent) return rejected(this.state.unsent, callback ?? values);
      return this.queryByPg(statement, values, callback);
    }
    const query = this.prepare(statement);
    if (callback === undefined) {
      const result = resultOf(query);
      this.send(query);
      return traced(result);
    }
    query.callback = callback as Statement['callback'];
    this.send(query);
  }

  /** Notes how long a statement takes that pg sends by itself. */
  // oxlint-disable-next-line typescript/no-explicit-any -- as those of `query`
  private queryByPg(statement: any, values: any, callback: any): any {
    const [sent, sentAt] = [[{ text: textOf(statement), work: currentWork() }], unblockedTime()];
    const note = () => noteAnswer(this.state, sent, sentAt);
    const noted =
      (then: (...results: unknown[]) => void) =>
      (...results: unknown[]) => {
        note();
        then(...results);
      };
    if (typeof values === 'function') return super.query(statement, noted(values as () => void) as never);
    if (typeof callback === 'function') return super.query(statement, values, noted(callback as () => void));
    const result = super.query(statement, values) as unknown;
    // a stream of rows is none
    if (result instanceof Promise) result.then(note, note);
    return result;
  }

  private prepare(statement: PlainStatement): Statement {
    const query = new pg.Query(statement.text, statement.values) as unknown as Statement;
    if (!this.config.sharesSessions) query.name = statement.name;
    query.prototype = statement.prototype;
    query.work = statement.work ?? currentWork();
    // pg sets both later
    query._result._types = (this as unknown as { _types: unknown })._types;
    query._accumulateRows = true;
    return query;
  }

  private send(query: Statement): void {
    if (this.collected) this.collected.push(query);
    else this.submit([query], false);
  }

  private sendCollected(): void {
    const statements = this.collected;
    this.collected = null;
    if (statements && statements.length > 0) this.submit(statements, true);
  }

  private submit(statements: readonly Statement[], inTransaction: boolean): void {
    const query = super.query.bind(this) as (batch: StatementBatch, values: undefined, callback: () => void) => void;
    query(new StatementBatch(statements, this.state, inTransaction), undefined, () => undefined);
  }
}

function resultOf(query: Statement): Promise<QueryResult> {
  return new Promise((resolve, reject) => {
    query.callback = (error, result) => (error ? reject(error) : resolve(result as QueryResult));
  });
}

/** The trace of an error leads to the caller instead of the socket, as in pg. */
export function traced<R>(result: Promise<R>): Promise<R> {
  return result.catch((error: Error) => {
    Error.captureStackTrace(error);
    throw error;
  });
}

function textOf(statement: unknown): string {
  return typeof statement === 'string' ? statement : ((statement as { text?: string } | null)?.text ?? '');
}

/** As pg rejects: by the callback, if there is one. */
function rejected(error: Error, callback: unknown): Promise<never> | undefined {
  if (typeof callback !== 'function') return Promise.reject(error);
  process.nextTick(callback as (error: Error) => void, error);
}

/** Others, such as several statements in one text, are left to pg. */
function isPlain(statement: unknown): statement is PlainStatement {
  if (typeof statement !== 'object' || statement === null) return false;
  for (const name in statement) if (!PLAIN.has(name)) return false;
  const { name, values, queryMode } = statement as PlainStatement;
  return name !== undefined || queryMode !== undefined || (values !== undefined && values.length > 0);
}
