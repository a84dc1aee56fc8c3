import type { Type } from '@nestjs/common';
import type { PoolClient } from 'pg';
import { uuidv7 } from 'uuidv7';
import { CommonErrors, Tx, type BaseEntity, type Condition, type EventData, type EventDefinition, type Where } from '../../kit/index.js';
import { addListenerJobs } from '../events/listener-jobs.js';
import { freezeEvent, insertEvents, type FrozenEvent } from '../events/outbox.js';
import type { OutboxSignal } from '../events/outbox-signal.js';
import type { CallContext } from './call-context.js';
import { hydrate, type EntityPlan } from './entity-plan.js';
import { gather } from './pool.js';
import { run, runUnprepared, type Reader } from './reader.js';
import type { NumberSeries } from './number-series.js';
import { narrow, Values } from './sql.js';

const SET_BY_STORE = new Set(['id', 'organization_id', 'mode', 'project_id', 'version', 'created_at', 'updated_at']);

/**
 * One transaction of one caller. The connection is in pg's pipeline mode: statements whose answers are not needed at once
 * (BEGIN, the events, COMMIT) travel together with their neighbours.
 */
export class PgTx extends Tx {
  private readonly events: FrozenEvent[] = [];
  private readonly afterCommitActions: (() => void | Promise<void>)[] = [];
  private depth = 0;
  private ended = false;
  private begin: Promise<unknown> | null = null;

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
    if (!this.begin) {
      gather(this.connection);
      this.begin = this.connection.query('BEGIN');
      // a failure is seen where BEGIN is waited for, at the commit
      this.begin.catch(() => undefined);
    }
    return this.connection;
  }

  /** Resolves when the transaction has begun; null before the first statement. */
  get began(): Promise<unknown> | null {
    return this.begin;
  }

  get<E extends BaseEntity>(entity: Type<E>, id: string) {
    return this.reader.get(this.client, this.ctx, entity, id);
  }

  find<E extends BaseEntity>(entity: Type<E>, id: string) {
    return this.reader.find(this.client, this.ctx, entity, id);
  }

  list<E extends BaseEntity>(entity: Type<E>, where?: Where<E>, ...conditions: Condition[]) {
    return this.reader.list(this.client, this.ctx, entity, where, conditions);
  }

  async target<E extends BaseEntity>(entity: Type<E>, id: string): Promise<E> {
    const row = await this.lock(entity, id);
    if (this.ctx.ifMatch && !this.ctx.ifMatch.includes(row.version)) {
      throw CommonErrors.versionConflict({ param: 'If-Match', headers: { ETag: `"${row.version}"` } });
    }
    return row;
  }

  lock<E extends BaseEntity>(entity: Type<E>, id: string): Promise<E> {
    return this.reader.get(this.client, this.ctx, entity, id, ' FOR UPDATE');
  }

  lockAll<E extends BaseEntity>(entity: Type<E>, ids: readonly string[]): Promise<E[]> {
    return this.reader.list(this.client, this.ctx, entity, { id: ids } as unknown as Where<E>, [], ' FOR UPDATE');
  }

  async insert<E extends BaseEntity>(entity: Type<E>, given: Partial<E>): Promise<E> {
    const plan = this.reader.plan(entity);
    const row: Record<string, unknown> = { ...given, id: given.id ?? uuidv7(), organization_id: this.ctx.organizationId };
    if (plan.scoping === 'business') row.mode = this.ctx.mode;
    if (plan.scoping !== 'organization') row.project_id = this.ctx.projectId ?? row.project_id;
    const values = new Values();
    const columns: string[] = [];
    const placeholders: string[] = [];
    for (const [column, value] of Object.entries(row)) {
      if (value === undefined) continue;
      columns.push(`"${column}"`);
      placeholders.push(values.add(this.toDatabase(plan, column, value)));
    }
    const text = `INSERT INTO ${plan.table} AS t (${columns.join(', ')}) VALUES (${placeholders.join(', ')}) RETURNING ${plan.select}`;
    const { rows } = await run(this.client, { text, values: values.list });
    return hydrate(plan, rows[0]);
  }

  async update<E extends BaseEntity>(row: E, changes: Partial<E>): Promise<E> {
    const plan = this.reader.plan(row.constructor as Type<E>);
    const values = new Values();
    const sets: string[] = [];
    for (const [column, value] of Object.entries(changes)) {
      if (value === undefined || SET_BY_STORE.has(column) || same((row as Record<string, unknown>)[column], value)) continue;
      sets.push(`"${column}" = ${values.add(this.toDatabase(plan, column, value))}`);
    }
    if (sets.length === 0) return row;
    sets.push('"version" = t."version" + 1', '"updated_at" = now()');
    const where = `t."id" = ${values.add(row.id)} AND t."version" = ${values.add(row.version)} AND ${narrow(plan, this.ctx, values, 'write')}`;
    const { rows } = await run(this.client, { text: `UPDATE ${plan.table} t SET ${sets.join(', ')} WHERE ${where} RETURNING ${plan.select}`, values: values.list });
    // only a row that was read without a lock can have changed since
    if (rows.length === 0) throw CommonErrors.resourceConflict();
    return hydrate(plan, rows[0]);
  }

  async delete<E extends BaseEntity>(row: E): Promise<void> {
    const plan = this.reader.plan(row.constructor as Type<E>);
    const values = new Values();
    const where = `t."id" = ${values.add(row.id)} AND ${narrow(plan, this.ctx, values, 'write')}`;
    const { rowCount } = await run(this.client, { text: `DELETE FROM ${plan.table} t WHERE ${where}`, values: values.list });
    if (rowCount === 0) throw CommonErrors.notFound();
  }

  next(series: string, projectId: string): Promise<number> {
    return this.numbers.next(this.ctx.organizationId, projectId, this.ctx.mode, series);
  }

  async nextGapless(series: string, projectId: string): Promise<number> {
    const { rows } = await run<{ last: number }>(this.client, {
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
    await runUnprepared(this.client, { text: `SAVEPOINT ${savepoint}` });
    try {
      const result = await part();
      await runUnprepared(this.client, { text: `RELEASE SAVEPOINT ${savepoint}` });
      return result;
    } catch (error) {
      await runUnprepared(this.client, { text: `ROLLBACK TO SAVEPOINT ${savepoint}` });
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
    return (await run<R>(this.client, { text: sql, values: [...values] })).rows;
  }

  /** COMMIT or ROLLBACK is on its way: nothing may follow. */
  close(): void {
    this.ended = true;
  }

  /** Writes what was emitted; called once, by the unit of work, in the same pipeline as COMMIT. */
  flushEvents(): Promise<unknown> | undefined {
    if (this.events.length === 0) return undefined;
    const events = this.events.length;
    const written = Promise.all([insertEvents(this.client, this.events), addListenerJobs(this.client, this.events, this.outbox.listeners)]);
    return written.then(([deliveries, jobs]) => this.afterCommit(() => this.outbox.announce({ events, deliveries, jobs })));
  }

  async runAfterCommit(): Promise<void> {
    for (const action of this.afterCommitActions) await action();
  }

  private toDatabase(plan: EntityPlan, column: string, value: unknown): unknown {
    const known = plan.columns.get(column);
    if (!known) throw new Error(`${plan.name} has no column "${column}".`);
    return known.json && value !== null ? JSON.stringify(value) : value;
  }
}

function same(before: unknown, after: unknown): boolean {
  if (before === after) return true;
  if (before instanceof Date && after !== null) return before.getTime() === new Date(after as string | Date).getTime();
  return typeof before === 'object' && before !== null && JSON.stringify(before) === JSON.stringify(after);
}
