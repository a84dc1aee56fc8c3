import { toDomainError } from '../database/pg-errors.js';
import { prepareValue } from '../database/statement-batch.js';
import { run, runUnprepared, type Queryable } from '../rows/reader.js';
import type { GroupCommit } from './group-commit.js';
import { GroupMember } from './group-member.js';
import type { WholeChange } from './group-place.js';
import type { ClientRead } from './group-reads.js';
import { mutexKeys } from './mutex-keys.js';
import type { FrozenEvent, OutboxWriter } from './outbox-writer.js';
import { sendCommit } from './send-commit.js';
import { prepared, type Result, type Shareable, type Statement, type WaitingStatement } from './shared-statements.js';
import type { Client, Connections } from './write-connections.js';

/**
 * A `change` needs a transaction, a `read` only if something was written before, `time` never. The result of a `pipelined` statement is
 * not awaited before the commit.
 */
type Kind = 'change' | 'read' | 'time' | 'pipelined';

interface QueuedStatement extends WaitingStatement {
  kind: Kind;
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
  /** Are sent last, so that they see what the change has locked. */
  readonly checks: WaitingStatement[] = [];
  /** In the order of the calls; after BEGIN, statements are sent at once. */
  private waiting: QueuedStatement[] = [];
  private client: Client | null = null;
  private acquiring: Promise<void> | null = null;
  private begin: Promise<unknown> | null = null;
  private time: Promise<Date> | null = null;
  private ended = false;
  /** Statements that wait for their result. */
  private pending = 0;
  readonly member: GroupMember;
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
    /** Throws if nothing may be written any more, because another process has taken the work over, which writes the same. */
    private readonly requireLease: () => void,
  ) {
    this.member = new GroupMember(groups);
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

  /** Whether a group can read for this change: nothing has been sent or waits to be sent but reads. A second group ends the run. */
  get canJoinGroup(): boolean {
    return this.member.hasJoined || (!this.begin && this.waiting.length === 0 && !this.failed && !(this.acquiring && !this.client));
  }

  /**
   * What a group reads for this change, which then commits with the group; the change runs again if it waits for a statement of its own
   * before that. Null if the group cannot read it. Call it only if `canJoinGroup`.
   */
  async readWithGroup<Q, S>(read: ClientRead<Q, S>, request: Q): Promise<S | null> {
    this.requireOpen();
    // releases the connection, so that more changes can reach the group
    if (this.pending === 0) this.release();
    const place = await this.member.read(read, request);
    if (place) this.beginsAfter(place.now);
    return place && place.result;
  }

  /** Sends a statement at the commit, after all others. */
  check(text: string, values: readonly unknown[]): void {
    this.requireOpen();
    try {
      const statement = prepared(
        text,
        values.map((value) => prepareValue(value)),
      );
      this.checks.push({ statement, share: 'check', resolve: () => undefined, reject: () => undefined });
    } catch (error) {
      this.unsent = error;
    }
  }

  /** Sends a statement without waiting for its result; `share` tells how those of several changes can be one. */
  send(statement: { text: string; values: unknown[] }, share?: Shareable): void {
    this.requireOpen();
    const result = run({ query: <R extends object>(named: Statement) => this.submit<R>(named, 'pipelined', share) }, statement);
    result.catch(() => undefined);
    this.unawaited.push(result);
  }

  /** Throws once the transaction has ended. */
  requireOpen(): void {
    // code that continues after a failure elsewhere must not use a connection that may belong to another caller by then
    if (this.ended) throw new Error('This transaction has ended and cannot be used.');
  }

  /** Commits the change with its events. Any failure rolls back. */
  async commit(events: readonly FrozenEvent[], outbox: OutboxWriter): Promise<void> {
    this.ended = true;
    try {
      await this.acquiring;
      if (this.unsent) throw this.unsent;
      if (this.member.hasJoined) await this.member.commit(this.whole(events));
      else if (this.begin || this.waiting.length > MOST_WAITING || !(await this.commitTogether(events)))
        await this.commitAlone(events, outbox);
    } catch (error) {
      await this.rollback();
      throw toDomainError(error);
    }
    this.release();
  }

  async rollback(): Promise<void> {
    this.ended = true;
    // a connection that is still being acquired must be released as well
    await this.acquiring;
    this.member.end();
    this.rejectWaiting(new Error('The transaction was rolled back.'));
    await this.reset();
  }

  /** Returns the connection as it was. */
  private async reset(): Promise<void> {
    try {
      // without BEGIN, too, after a failure: a statement that could not be sent blocks the connection until ROLLBACK
      if (this.client && (this.begin || this.failed)) await this.client.query({ text: 'ROLLBACK' });
      this.release();
    } catch (error) {
      // a connection that cannot roll back must not be reused
      this.release(error as Error);
    }
  }

  /** Resolves to whether the change was committed; if not, it needs a transaction of its own. */
  private async commitTogether(events: readonly FrozenEvent[]): Promise<boolean> {
    // the group has a connection of its own
    await this.reset();
    if (this.waiting.length === 0 && events.length === 0) return true;
    return this.groups.commit(this.whole(events));
  }

  private whole(events: readonly FrozenEvent[]): WholeChange {
    return { statements: [...this.waiting, ...this.checks], events, requireLease: this.requireLease };
  }

  private async commitAlone(events: readonly FrozenEvent[], outbox: OutboxWriter): Promise<void> {
    const client = (this.client ??= await this.connections.acquire());
    this.requireLease();
    client.collect();
    if (!this.begin) this.sendBegin(client);
    this.sendWaiting(client);
    const checks = this.checks.map(({ statement }) => client.query(statement));
    await sendCommit(client, [this.begin, ...this.unawaited, ...checks], outbox, [events]);
  }

  private async ask<R extends object>(statement: Statement, kind: Kind): Promise<Result<R>> {
    this.pending++;
    try {
      return await this.submit<R>(statement, kind);
    } catch (error) {
      if ((error as { code?: string }).code === ABORTED) throw (await this.failure()) ?? this.failed ?? error;
      this.failed = error;
      throw error;
    } finally {
      this.pending--;
    }
  }

  private submit<R extends object>(statement: Statement, kind: Kind, share?: Shareable): Promise<Result<R>> {
    this.requireOpen();
    if (this.unsent) return Promise.reject(this.unsent as Error);
    if (this.member.hasJoined && kind !== 'pipelined') return Promise.reject((this.unsent = this.member.leave()));
    if (this.client && (this.begin || kind === 'time' || (kind === 'read' && this.waiting.length === 0))) {
      this.client.collect();
      return this.client.query<R>(statement);
    }
    return new Promise((resolve, reject) => {
      this.wait({ statement, kind, share, resolve: resolve as WaitingStatement['resolve'], reject });
      if (kind === 'pipelined' && (this.member.hasJoined || this.waiting.length <= MOST_WAITING)) return;
      if (this.client) this.flush(this.client);
      else void this.acquire();
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

  private acquire(): Promise<void> {
    return (this.acquiring ??= this.connections.acquire().then(
      (client) => {
        this.client = client;
        if (!this.ended) this.flush(this.client);
      },
      (error: unknown) => {
        this.unsent = error;
        this.rejectWaiting(error);
      },
    ));
  }

  /** Sends what need not wait for the transaction to begin, or begins it. */
  private flush(client: Client): void {
    client.collect();
    if (mustBegin(this.waiting)) this.sendBegin(client);
    this.now().catch(() => undefined);
    this.sendWaiting(client);
  }

  private sendBegin(client: Client): void {
    client.collect();
    this.begin = run(client, { text: 'BEGIN' });
    // a failure is handled where BEGIN is awaited, at the commit
    this.begin.catch(() => undefined);
  }

  private sendWaiting(client: Queryable): void {
    const { waiting, begin } = this;
    this.waiting = begin ? [] : waiting.filter(({ kind }) => kind === 'pipelined');
    for (const { statement, kind, resolve, reject } of waiting) {
      if (begin || kind !== 'pipelined') client.query(statement).then(resolve, reject);
    }
  }

  private rejectWaiting(error: unknown): void {
    for (const { reject } of this.waiting.splice(0)) reject(error);
  }

  private release(error?: Error): void {
    if (this.client) this.connections.release(this.client, error);
    this.client = this.acquiring = null;
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

function mustBegin(waiting: readonly QueuedStatement[]): boolean {
  if (waiting.length > MOST_WAITING) return true;
  const firstWrite = waiting.findIndex(({ kind }) => kind === 'pipelined');
  return waiting.some(({ kind }, index) => kind === 'change' || (kind === 'read' && firstWrite !== -1 && firstWrite < index));
}
