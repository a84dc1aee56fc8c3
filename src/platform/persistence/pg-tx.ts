import type { Type } from '@nestjs/common';
import type { PoolClient } from 'pg';
import { uuidv7 } from 'uuidv7';
import { CommonErrors, Tx, type BaseEntity, type Condition, type EventData, type EventDefinition, type Where } from '../../kit/index.js';
import { freezeEvent, insertEvent, insertEvents, type FrozenEvent } from '../events/outbox.js';
import type { OutboxSignal } from '../events/outbox-signal.js';
import type { CallContext } from './call-context.js';
import { hydrate, type EntityPlan } from './entity-plan.js';
import { LaterWrites } from './later-writes.js';
import { toDomainError } from './pg-errors.js';
import { gather } from './pool.js';
import { run, runUnprepared, type Queryable, type Reader } from './reader.js';
import type { NumberSeries } from './number-series.js';
import { changedIn, insertText, updateText, wholeRow } from './row-sql.js';
import { narrow, Values } from './sql.js';

/** A statement after one that failed. */
const ABORTED = '25P02';
const NOW = 'SELECT now()::timestamptz(3) AS now';

/**
 * One transaction of one caller. The connection is in pg's pipeline mode: statements whose answers are not needed at once
 * (BEGIN, later writes, the events, COMMIT) travel together with their neighbours.
 */
export class PgTx extends Tx {
  private readonly events: FrozenEvent[] = [];
  private readonly afterCommitActions: (() => void | Promise<void>)[] = [];
  private depth = 0;
  private ended = false;
  private begin: Promise<unknown> | null = null;
  private started: Promise<Date> | null = null;
  private readonly later = new LaterWrites();
  private readonly locked = new WeakSet<object>();
  /** The transaction for reads and statements; a failure is told by what caused it. */
  readonly on: Queryable = {
    query: async <R extends object>(statement: { name?: string; text: string; values?: unknown[] }) => {
      try {
        return await this.client.query<R>(statement);
      } catch (error) {
        throw (error as { code?: string }).code === ABORTED ? ((await this.later.failure()) ?? error) : error;
      }
    },
  };

  constructor(
    readonly connection: PoolClient,
    private readonly reader: Reader,
    private readonly numbers: NumberSeries,
    private readonly ctx: CallContext,
    private readonly outbox: OutboxSignal,
  ) {
    super();
  }

  /** The connection inside the transaction: BEGIN travels with the first statement. */
  get client(): PoolClient {
    // work that goes on after a failure elsewhere must not reach a connection that may serve another caller by then
    if (this.ended) throw new Error('This transaction has ended; nothing more can be done in it.');
    if (this.begin) this.later.send(this.connection);
    else {
      gather(this.connection);
      this.open(this.connection.query('BEGIN'));
    }
    return this.connection;
  }

  private open(begin: Promise<unknown>): void {
    this.begin = begin;
    // a failure is seen where BEGIN is waited for, at the commit
    begin.catch(() => undefined);
  }

  /** Asks for the time of the transaction, which is what now() says in all of it, in one message with BEGIN and the locks. */
  private async start(locks: string): Promise<Date> {
    if (this.begin) return timeIn(await runUnprepared(this.on, { text: NOW + locks }));
    gather(this.connection);
    const answer = this.connection.query(`BEGIN; ${NOW}${locks}`);
    this.open(answer);
    try {
      return timeIn(await answer);
    } catch (error) {
      throw toDomainError(error);
    }
  }

  /** Resolves when the transaction has begun; null before the first statement. */
  get began(): Promise<unknown> | null {
    return this.begin;
  }

  get<E extends BaseEntity>(entity: Type<E>, id: string) {
    return this.reader.get(this.on, this.ctx, entity, id);
  }

  find<E extends BaseEntity>(entity: Type<E>, id: string) {
    return this.reader.find(this.on, this.ctx, entity, id);
  }

  list<E extends BaseEntity>(entity: Type<E>, where?: Where<E>, ...conditions: Condition[]) {
    return this.reader.list(this.on, this.ctx, entity, where, conditions);
  }

  async target<E extends BaseEntity>(entity: Type<E>, id: string): Promise<E> {
    const row = await this.lock(entity, id);
    if (this.ctx.ifMatch && !this.ctx.ifMatch.includes(row.version)) {
      throw CommonErrors.versionConflict({ param: 'If-Match', headers: { ETag: `"${row.version}"` } });
    }
    return row;
  }

  async lock<E extends BaseEntity>(entity: Type<E>, id: string): Promise<E> {
    const row = await this.reader.get(this.on, this.ctx, entity, id, ' FOR UPDATE');
    this.locked.add(row);
    return row;
  }

  lockAll<E extends BaseEntity>(entity: Type<E>, ids: readonly string[]): Promise<E[]> {
    return this.lockWhere(entity, { id: ids } as unknown as Where<E>);
  }

  async lockWhere<E extends BaseEntity>(entity: Type<E>, where?: Where<E>, ...conditions: Condition[]): Promise<E[]> {
    const rows = await this.reader.list(this.on, this.ctx, entity, where, conditions, ' FOR UPDATE');
    for (const row of rows) this.locked.add(row);
    return rows;
  }

  async takeTurn(keys: readonly bigint[]): Promise<void> {
    const sorted = [...new Set(keys)].sort((a, b) => (a < b ? -1 : 1));
    const started = this.start(sorted.map((key) => `, pg_advisory_xact_lock(${key})`).join(''));
    this.started ??= started;
    await started;
  }

  async insert<E extends BaseEntity>(entity: Type<E>, given: Partial<E>): Promise<E> {
    const plan = this.reader.plan(entity);
    const values = new Values();
    const text = `${insertText(plan, this.newRow(plan, given), values)} RETURNING ${plan.select}`;
    const { rows } = await run(this.on, { text, values: values.list });
    return hydrate(plan, rows[0]);
  }

  async insertLater<E extends BaseEntity>(entity: Type<E>, given: Partial<E>): Promise<E> {
    const plan = this.reader.plan(entity);
    const now = await (this.started ??= this.start(''));
    const { stored, read } = wholeRow(plan, { ...this.newRow(plan, given), version: 1, created_at: now, updated_at: now });
    this.later.add((values) => insertText(plan, stored, values));
    return hydrate(plan, read);
  }

  private newRow(plan: EntityPlan, given: object): Record<string, unknown> {
    const row: Record<string, unknown> = { id: uuidv7(), ...given, organization_id: this.ctx.organizationId };
    if (plan.scoping === 'business') row.mode = this.ctx.mode;
    if (plan.scoping !== 'organization') row.project_id = this.ctx.projectId ?? row.project_id;
    return row;
  }

  async update<E extends BaseEntity>(row: E, changes: Partial<E>): Promise<E> {
    const plan = this.reader.plan(row.constructor as Type<E>);
    const changed = changedIn(row, changes);
    if (changed.length === 0) return row;
    const values = new Values();
    const text = `${updateText(plan, this.ctx, row, changed, values)} RETURNING ${plan.select}`;
    const { rows } = await run(this.on, { text, values: values.list });
    // only a row that was read without a lock can have changed since
    if (rows.length === 0) throw CommonErrors.resourceConflict();
    return hydrate(plan, rows[0]);
  }

  async updateLater<E extends BaseEntity>(row: E, changes: Partial<E>): Promise<E> {
    const plan = this.reader.plan(row.constructor as Type<E>);
    // nobody looks whether the statement found its row
    if (plan.scoping !== 'business' || !this.locked.has(row)) throw new Error(`${plan.name} can be updated later only as a business row that this transaction has locked.`);
    const changed = changedIn(row, changes);
    if (changed.length === 0) return row;
    const now = await (this.started ??= this.start(''));
    this.later.add((values) => updateText(plan, this.ctx, row, changed, values));
    const after = hydrate(plan, { ...row, ...Object.fromEntries(changed), version: row.version + 1, updated_at: now });
    this.locked.add(after);
    return after;
  }

  async delete<E extends BaseEntity>(row: E): Promise<void> {
    const plan = this.reader.plan(row.constructor as Type<E>);
    const values = new Values();
    const where = `t."id" = ${values.add(row.id)} AND ${narrow(plan, this.ctx, values, 'write')}`;
    const { rowCount } = await run(this.on, { text: `DELETE FROM ${plan.table} t WHERE ${where}`, values: values.list });
    if (rowCount === 0) throw CommonErrors.notFound();
  }

  next(series: string, projectId: string): Promise<number> {
    return this.numbers.next(this.ctx.organizationId, projectId, this.ctx.mode, series);
  }

  async nextGapless(series: string, projectId: string): Promise<number> {
    const { rows } = await run<{ last: number }>(this.on, {
      text: `INSERT INTO counters AS c (organization_id, project_id, mode, series, last) VALUES ($1, $2, $3, $4, 1)
             ON CONFLICT (organization_id, project_id, mode, series) DO UPDATE SET last = c.last + 1 RETURNING last`,
      values: [this.ctx.organizationId, projectId, this.ctx.mode, series],
    });
    return rows[0].last;
  }

  emit<P extends object>(event: EventDefinition<P>, data: EventData<P>): void {
    this.events.push(freezeEvent(this.ctx, event, data));
  }

  async attempt<R>(part: () => Promise<R>): Promise<R> {
    const savepoint = `attempt_${++this.depth}`;
    const events = this.events.length;
    const actions = this.afterCommitActions.length;
    await runUnprepared(this.on, { text: `SAVEPOINT ${savepoint}` });
    const sent = this.later.answers.length;
    try {
      const result = await part();
      await runUnprepared(this.on, { text: `RELEASE SAVEPOINT ${savepoint}` });
      return result;
    } catch (error) {
      this.later.undo(sent);
      await runUnprepared(this.on, { text: `ROLLBACK TO SAVEPOINT ${savepoint}` });
      this.events.length = events;
      this.afterCommitActions.length = actions;
      throw error;
    } finally {
      this.depth--;
    }
  }

  afterCommit(action: () => void | Promise<void>): void {
    this.afterCommitActions.push(action);
  }

  async query<R extends object>(sql: string, values: readonly unknown[] = []): Promise<R[]> {
    return (await run<R>(this.on, { text: sql, values: [...values] })).rows;
  }

  /** COMMIT or ROLLBACK is on its way: nothing may follow. */
  close(): void {
    this.ended = true;
  }

  /** Forgets the writes that wait; for going back to a point before them. */
  dropLater(): void {
    this.later.take();
  }

  /** Sends what waits and what was emitted; called once, by the unit of work, in the same pipeline as COMMIT. */
  flush(): readonly Promise<unknown>[] {
    const events = this.events.length;
    const beside = events === 1 ? this.later.take() : [];
    if (events === 0) {
      if (this.begin) this.later.send(this.connection);
      return this.later.answers;
    }
    const written = events === 1 ? insertEvent(this.client, this.events[0], beside) : insertEvents(this.client, this.events);
    return [...this.later.answers, written.then((deliveries) => this.afterCommit(() => this.outbox.announce({ events, deliveries })))];
  }

  async runAfterCommit(): Promise<void> {
    for (const action of this.afterCommitActions) await action();
  }

}

/** The one answer's time, or, of the message that began the transaction, the last answer's. */
function timeIn(answer: unknown): Date {
  const { rows } = (Array.isArray(answer) ? answer.at(-1) : answer) as { rows: { now: Date }[] };
  return rows[0].now;
}
