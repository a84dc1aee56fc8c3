import pg, { type QueryResult } from 'pg';
import type { Work } from '../../../kit/internal.js';
import { rowConstructor, type RowConstructor } from './row-constructors.js';
import { noteDuration, unblockedTime, type SentStatement } from './slow-statements.js';

/** pg's connection; its types lack most of these members. */
export interface Wire {
  stream: { cork(): void; uncork(): void };
  /** The texts of the prepared statements by name. */
  parsedStatements: Record<string, string>;
  /** Those whose Parse has no answer yet. */
  submittedNamedStatements: Record<string, string>;
  parse(statement: { name?: string; text: string }): void;
  bind(portal: { statement?: string; values: unknown[] }): void;
  describe(what: { type: 'P'; name: string }): void;
  execute(portal: object): void;
  sync(): void;
}

/** The columns of a result with their parsers, as pg keeps them in its result. */
interface Shape {
  fields: readonly { name: string }[];
  _parsers: readonly ((text: string) => unknown)[];
}

interface KnownShape extends Shape {
  /** Compiled when the statement runs again, because many run only once. */
  row?: RowConstructor;
}

/** What the batches of a connection share. */
export interface ConnectionState {
  /** The shapes of its prepared statements by name, null if a statement returns no rows. They cannot change. */
  readonly shapes: Map<string, KnownShape | null>;
  /** Why statements of the current transaction were not sent: what follows in it is not sent either. */
  unsent: Error | null;
  /** When the server answered the last statements: it begins with the next ones then. By `unblockedTime`. */
  answeredAt: number;
  /** The server's process, as pg_stat_activity names it. */
  processId: number | null;
}

/** Notes that the server answered the statements of one packet, or refused one. */
export function noteAnswer(state: ConnectionState, statements: readonly SentStatement[], sentAt: number): void {
  const now = unblockedTime();
  noteDuration(statements, now - Math.max(sentAt, state.answeredAt), state.processId);
  state.answeredAt = now;
}

/** pg's query, which collects the rows of a statement and passes them to the callback. */
export interface Statement extends pg.Query {
  name?: string;
  text: string;
  values?: unknown[];
  /** Of the rows; Object.prototype if it is missing. The first rows of a connection do not have it. */
  prototype?: object;
  /** What it is part of. */
  work: Work | undefined;
  _result: Partial<Shape> & { _types: unknown; parseRow(texts: readonly (string | null)[]): object };
  _accumulateRows: boolean;
  callback: (error: Error | null, result?: QueryResult) => void;
  handleRowDescription(message: unknown): void;
  handleDataRow(message: unknown): void;
  handleEmptyQuery(connection: Wire): void;
  handleCommandComplete(message: unknown, connection: Wire): void;
  handleReadyForQuery(connection: Wire): void;
  handleError(error: Error, connection: Wire): void;
}

/** A value as it is sent. */
export const { prepareValue } = (pg as unknown as { utils: { prepareValue(value: unknown): unknown } }).utils;

/**
 * One statement, several of one transaction, or several independent reads, sent with one Sync message: PostgreSQL answers after a Sync,
 * and each answer costs both sides as much as a small statement. If one fails, PostgreSQL skips those after it, and all of them fail with
 * its error. For pg, a batch is one query.
 */
export class StatementBatch extends pg.Query {
  /** Of the statement that PostgreSQL answers next: pg notes it as prepared when it was parsed. */
  name: string | undefined;
  text: string;
  private answered = 0;
  private sentAt = 0;

  constructor(
    private readonly statements: readonly Statement[],
    private readonly state: ConnectionState,
    /** Whether the statements are parts of a transaction that other statements belong to, too. */
    private readonly inTransaction: boolean,
  ) {
    super('');
    this.await(0);
  }

  /** Returns an error if a value cannot be sent; then no statement is, and none of the same transaction until it is rolled back. */
  override submit = (connection: unknown): Error | null => {
    const wire = connection as Wire;
    // also back to a savepoint: one that is set after the failure is not sent
    if (isRollback(this.statements[0].text)) this.state.unsent = null;
    if (this.state.unsent) return this.state.unsent;
    let values: unknown[][];
    try {
      values = this.statements.map((statement) => (statement.values ?? []).map((value) => prepareValue(value)));
    } catch (error) {
      // PostgreSQL does not know about it and would commit the rest
      if (this.inTransaction) this.state.unsent = error as Error;
      return error as Error;
    }
    const parsed = new Set<string>();
    this.sentAt = unblockedTime();
    wire.stream.cork();
    for (const [index, statement] of this.statements.entries()) {
      parseOnce(wire, statement, parsed);
      wire.bind({ statement: statement.name, values: values[index] });
      const shape = this.shapeOf(statement);
      if (shape === undefined) wire.describe({ type: 'P', name: '' });
      else if (shape !== null) useShape(statement, shape);
      wire.execute({});
    }
    wire.sync();
    wire.stream.uncork();
    return null;
  };

  handleRowDescription(message: unknown): void {
    this.statements[this.answered].handleRowDescription(message);
  }

  handleDataRow(message: unknown): void {
    this.statements[this.answered].handleDataRow(message);
  }

  handleEmptyQuery(connection: Wire): void {
    this.statements[this.answered].handleEmptyQuery(connection);
    this.complete(connection);
  }

  handleCommandComplete(message: unknown, connection: Wire): void {
    const statement = this.statements[this.answered];
    statement.handleCommandComplete(message, connection);
    if (this.shapeOf(statement) === undefined) this.keepShape(statement);
    this.complete(connection);
  }

  handleError(error: Error, connection: Wire): void {
    const failed = this.statements.slice(this.answered);
    if (failed.length > 0) noteAnswer(this.state, this.statements, this.sentAt);
    this.await(this.statements.length);
    for (const statement of failed) {
      // PostgreSQL did not parse the skipped ones
      if (statement.name !== undefined) Reflect.deleteProperty(connection.submittedNamedStatements, statement.name);
      statement.handleError(error, connection);
    }
    (this as unknown as Statement).callback(error);
  }

  private shapeOf({ name }: Statement): KnownShape | null | undefined {
    return name === undefined ? undefined : this.state.shapes.get(name);
  }

  private keepShape({ name, _result: { fields, _parsers } }: Statement): void {
    if (name !== undefined) this.state.shapes.set(name, fields === undefined || _parsers === undefined ? null : { fields, _parsers });
  }

  private complete(connection: Wire): void {
    const statement = this.statements[this.answered];
    this.await(this.answered + 1);
    // the server sends the answers together, so nothing tells how long each took
    if (this.answered === this.statements.length) noteAnswer(this.state, this.statements, this.sentAt);
    statement.handleReadyForQuery(connection);
  }

  private await(index: number): void {
    this.answered = index;
    this.name = this.statements[index]?.name;
    this.text = this.statements[index]?.text;
  }
}

function useShape({ _result, prototype = Object.prototype }: Statement, shape: KnownShape): void {
  const { fields, _parsers } = shape;
  if (shape.row?.prototype !== prototype)
    shape.row = rowConstructor(
      fields.map(({ name }) => name),
      prototype,
    );
  const Row = shape.row;
  Object.assign(_result, { fields, _parsers, parseRow: (texts: readonly (string | null)[]) => new Row(texts, _parsers) });
}

export function isRollback(text: string): boolean {
  return /^\s*ROLLBACK\b/i.test(text);
}

/** `parsed` are the names of the statements that this batch prepares. */
function parseOnce(wire: Wire, statement: Statement, parsed: Set<string>): void {
  const { name, text } = statement;
  if (name !== undefined) {
    if (Object.hasOwn(wire.parsedStatements, name) || parsed.has(name)) return;
    if (Object.hasOwn(wire.submittedNamedStatements, name)) {
      // an earlier batch prepares it, without an answer yet: if a statement before it fails, it will not exist, which would hide that error
      statement.name = undefined;
    } else {
      wire.submittedNamedStatements[name] = text;
      parsed.add(name);
    }
  }
  wire.parse({ name: statement.name, text });
}
