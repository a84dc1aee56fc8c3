import { inSpan } from '../../../kit/index.js';
import { toDomainError } from '../database/pg-errors.js';
import { prepareValue } from '../database/statement-batch.js';
import type { Queryable } from '../rows/queryable.js';
import { run, runUnprepared } from '../rows/reader.js';
import type { GroupCommit } from './group-commit.js';
import { mutexKeys } from './mutex-keys.js';
import type { FrozenEvent } from './frozen-event.js';
import type { OutboxWriter } from './outbox-writer.js';
import { sendCommit, sendNamedBegin } from './send-commit.js';
import { shareStatements, type Result, type Shareable, type Statement, type WaitingStatement } from './shared-statements.js';
import type { Client, Connections } from './write-connections.js';

/**
 * A `change` needs a transaction, a `read` only if something was written before, `time` never. The result of a `pipelined` statement is
 * not awaited before the commit.
 */
type Kind = 'change' | 'read' | 'time' | 'pipelined';

interface QueuedStatement extends WaitingStatement {
  kind: Kind;
}

/** What README.md draws: which statements are sent at once, and which wait. */
type State =
  | { name: 'idle' }
  /** Resolves to null if no connection was free. */
  | { name: 'acquiring'; acquired: Promise<Client | null> }
  | { name: 'reading'; client: Client }
  | { name: 'writing'; client: Client; begin: Promise<unknown> }
  | { name: 'closed' };

const NEXT: Readonly<Record<State['name'], readonly State['name'][]>> = {
  idle: ['acquiring', 'closed'],
  acquiring: ['reading', 'closed'],
  reading: ['writing', 'closed'],
  writing: ['closed'],
  closed: [],
};

/** What a transaction holds when it ends. */
interface HeldConnection {
  client: Client | null;
  begin: Promise<unknown> | null;
}

/** A change with more statements has a transaction of its own, and sends them as they come. */
const MOST_WAITING = 30;

/** SQLSTATE of a statement after a failed one (in_failed_sql_transaction). */
const ABORTED = '25P02';
const NOW = 'SELECT now()::timestamptz(3) AS now';
/** Of a statement that locks mutexes, so that it is prepared. */
const MOST_PREPARED_KEYS = 4;

/**
 * The connection of one transaction, in pg's pipeline mode: statements whose results are not needed at once (BEGIN, pipelined
 * writes, the events, COMMIT) are sent together with adjacent ones.
 *
 * The transaction begins with the first statement that locks or writes and whose result is awaited. Reads before it need no
 * transaction, and pipelined statements before it wait. A change without such a statement is sent as a whole when it commits, together
 * with others (`GroupCommit`).
 */
export class TxConnection {
  /** Results of pipelined statements, which are awaited only at the commit. */
  readonly unawaited: Promise<unknown>[] = [];
  private state: State = { name: 'idle' };
  /** In the order of the calls. */
  private waiting: QueuedStatement[] = [];
  private time: Promise<Date> | null = null;
  /** The last failure that did not follow from another one. */
  private failed: unknown = null;
  /** Why a pipelined statement was not sent: the change cannot be committed without it. */
  private unsent: unknown = null;

  /** For statements that lock or write. They throw the error of the statement that failed first. Those of one tick share a packet. */
  readonly on: Queryable = { query: <R extends object>(statement: Statement) => this.ask<R>(statement, 'change') };
  /** For reads, which need no transaction until something was written. */
  readonly reads: Queryable = { query: <R extends object>(statement: Statement) => this.ask<R>(statement, 'read') };

  constructor(
    private readonly connections: Connections,
    private readonly groups: GroupCommit,
    /** Throws if nothing more may be written, because another process has taken the work over, which writes the same. */
    private readonly requireLease: () => void,
  ) {}

  /** The only code that changes the state. */
  private enter(next: State): void {
    if (!NEXT[this.state.name].includes(next.name)) throw new Error(`A transaction cannot go from ${this.state.name} to ${next.name}.`);
    this.state = next;
  }

  /** The database's time before the transaction begins, so that it need not be read. Ignored if it is known. */
  beginsAfter(time: Date): void {
    this.time ??= Promise.resolve(time);
  }

  /** The time of the rows that the transaction writes: the value of now() in it, or slightly earlier. */
  now(): Promise<Date> {
    if (!this.time) {
      this.time = this.askTime('time', '');
      this.time.catch(() => (this.time = null));
    }
    return this.time;
  }

  /** Locks mutexes until the end of the transaction; also reads the time. */
  async mutex(names: readonly string[]): Promise<void> {
    const keys = mutexKeys(names);
    const time = this.askTime('change', keys.map((_, index) => `, pg_advisory_xact_lock($${index + 1})`).join(''), keys);
    this.time ??= time;
    await time;
  }

  /** Sends a statement without waiting for its result; `share` says how those of several changes can be one. */
  send(statement: { text: string; values: unknown[] }, share?: Shareable): void {
    this.requireOpen();
    const result = run({ query: <R extends object>(named: Statement) => this.submit<R>(named, 'pipelined', share) }, statement);
    result.catch(() => undefined);
    this.unawaited.push(result);
  }

  /** Throws once the transaction has ended. */
  requireOpen(): void {
    // code that continues after a failure elsewhere must not use a connection that may belong to another caller by then
    if (this.state.name === 'closed') throw new Error('This transaction has ended and cannot be used.');
  }

  /** Commits the change with its events. Any failure rolls back. */
  async commit(events: readonly FrozenEvent[], outbox: OutboxWriter): Promise<void> {
    const held = await this.close();
    try {
      if (this.unsent) throw this.unsent;
      if (held.begin || this.waiting.length > MOST_WAITING || !(await this.commitTogether(held, events)))
        await this.commitAlone(held, events, outbox);
    } catch (error) {
      await this.end(held);
      throw toDomainError(error);
    }
    this.release(held);
  }

  /** Sends all statements and checks the deferred constraints, as a commit would. The transaction stays open. */
  async check(): Promise<void> {
    if (this.waiting.length === 0 && this.state.name !== 'writing') return;
    try {
      await runUnprepared(this.on, { text: 'SET CONSTRAINTS ALL IMMEDIATE' });
      await Promise.all(this.unawaited);
    } catch (error) {
      throw toDomainError(error);
    }
  }

  /** Has no effect once the transaction has ended. */
  async rollback(): Promise<void> {
    if (this.state.name !== 'closed') await this.end(await this.close());
  }

  /** No more statements are accepted. A connection that is being acquired is waited for, because it must be released as well. */
  private async close(): Promise<HeldConnection> {
    const { state } = this;
    this.enter({ name: 'closed' });
    if (state.name === 'acquiring') return { client: await state.acquired, begin: null };
    if (state.name === 'reading') return { client: state.client, begin: null };
    if (state.name === 'writing') return { client: state.client, begin: state.begin };
    return { client: null, begin: null };
  }

  private async end(held: HeldConnection): Promise<void> {
    this.rejectWaiting(new Error('The transaction was rolled back.'));
    await this.reset(held);
  }

  /** Returns the connection as it was. */
  private async reset(held: HeldConnection): Promise<void> {
    try {
      // without BEGIN, too, after a failure: a statement that could not be sent blocks the connection until ROLLBACK
      if (held.client && (held.begin || this.failed)) await held.client.query({ text: 'ROLLBACK' });
      this.release(held);
    } catch (error) {
      // a connection that cannot roll back must not be reused
      this.release(held, error as Error);
    }
  }

  private release(held: HeldConnection, error?: Error): void {
    if (held.client) this.connections.release(held.client, error);
    held.client = null;
  }

  /** Resolves to whether the change was committed; if not, it needs a transaction of its own. */
  private async commitTogether(held: HeldConnection, events: readonly FrozenEvent[]): Promise<boolean> {
    // the group has a connection of its own
    await this.reset(held);
    if (this.waiting.length === 0 && events.length === 0) return true;
    return inSpan('shared commit', () => this.groups.commit({ statements: this.waiting, events, requireLease: this.requireLease }));
  }

  private async commitAlone(held: HeldConnection, events: readonly FrozenEvent[], outbox: OutboxWriter): Promise<void> {
    const client = (held.client ??= await this.connections.acquire());
    this.requireLease();
    client.collect();
    held.begin ??= sendNamedBegin(client);
    sendInOrder(client, this.waiting.splice(0));
    await sendCommit(client, [held.begin, ...this.unawaited], outbox, [events]);
  }

  private async ask<R extends object>(statement: Statement, kind: Kind): Promise<Result<R>> {
    try {
      return await this.submit<R>(statement, kind);
    } catch (error) {
      if ((error as { code?: string }).code === ABORTED) throw (await this.failure()) ?? this.failed ?? error;
      this.failed = error;
      throw error;
    }
  }

  private submit<R extends object>(statement: Statement, kind: Kind, share?: Shareable): Promise<Result<R>> {
    this.requireOpen();
    if (this.unsent) return Promise.reject(this.unsent as Error);
    const { state } = this;
    const isReady = state.name === 'writing' || kind === 'time' || (kind === 'read' && this.waiting.length === 0);
    if ('client' in state && isReady) {
      state.client.collect();
      return state.client.query<R>(statement);
    }
    return new Promise((resolve, reject) => {
      this.wait({ statement, kind, share, resolve: resolve as WaitingStatement['resolve'], reject });
      if (kind === 'pipelined' && this.waiting.length <= MOST_WAITING) return;
      if (state.name === 'reading') this.sendWaiting(state.client);
      else if (state.name === 'idle') this.acquire();
    });
  }

  private wait(queued: QueuedStatement): void {
    const { statement } = queued;
    try {
      // the values as they are at the call
      const values = statement.values?.map((value) => prepareValue(value));
      this.waiting.push({ ...queued, statement: { ...statement, values } });
    } catch (error) {
      this.unsent = error;
      queued.reject(error);
    }
  }

  private acquire(): void {
    const acquired = this.connections.acquire().then(
      (client) => {
        if (this.state.name === 'acquiring') {
          this.enter({ name: 'reading', client });
          this.sendWaiting(client);
        }
        return client;
      },
      (error: unknown) => {
        this.unsent = error;
        this.rejectWaiting(error);
        return null;
      },
    );
    this.enter({ name: 'acquiring', acquired });
  }

  /** Sends what need not wait for the transaction to begin, or begins it and sends everything. */
  private sendWaiting(client: Client): void {
    client.collect();
    const begins = mustBegin(this.waiting);
    if (begins) this.enter({ name: 'writing', client, begin: sendNamedBegin(client) });
    this.now().catch(() => undefined);
    const { waiting } = this;
    this.waiting = begins ? [] : waiting.filter(({ kind }) => kind === 'pipelined');
    sendInOrder(client, begins ? waiting : waiting.filter(({ kind }) => kind !== 'pipelined'));
  }

  private rejectWaiting(error: unknown): void {
    for (const { reject } of this.waiting.splice(0)) reject(error);
  }

  /** Queries the time and locks mutexes. */
  private async askTime(kind: 'time' | 'change', locks: string, keys: readonly bigint[] = []): Promise<Date> {
    const on: Queryable = { query: <R extends object>(statement: Statement) => this.ask<R>(statement, kind) };
    // the text varies with the number of keys, and prepared statements are few
    const send = keys.length > MOST_PREPARED_KEYS ? runUnprepared : run;
    const { rows } = await send<{ now: Date }>(on, { text: NOW + locks, values: [...keys] });
    return rows[0].now;
  }

  /** The original error, if a statement failed only because an earlier one had failed. */
  private async failure(): Promise<unknown> {
    return (await Promise.allSettled(this.unawaited)).find((result) => result.status === 'rejected')?.reason;
  }
}

/** In the order in which a group would send them, which locks rows in an order that all changes have. */
function sendInOrder(client: Client, statements: readonly WaitingStatement[]): void {
  for (const { statement, waiting } of shareStatements([statements]))
    for (const { resolve, reject } of waiting) client.query(statement).then(resolve, reject);
}

function mustBegin(waiting: readonly QueuedStatement[]): boolean {
  if (waiting.length > MOST_WAITING) return true;
  const firstWrite = waiting.findIndex(({ kind }) => kind === 'pipelined');
  return waiting.some(({ kind }, index) => kind === 'change' || (kind === 'read' && firstWrite !== -1 && firstWrite < index));
}
