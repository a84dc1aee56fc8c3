import type { Type } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import {
  CommonErrors,
  invalid,
  Tx,
  type BaseEntity,
  type Condition,
  type Decimal,
  type EventData,
  type EventDefinition,
  type GroupRead,
  type Sql,
  type SqlReader,
} from '../../../kit/index.js';
import {
  newId,
  type Amounts,
  type InsertOptions,
  type ReferenceOptions,
  type TargetOptions,
  type WriteOptions,
  type Where,
} from '../../../kit/internal.js';
import { requireVersion, type CallContext } from './call-context.js';
import type { ChangeRuns } from './change-runs.js';
import { isTaken } from '../database/pg-errors.js';
import { hydrate, type EntityPlan } from '../rows/entity-plan.js';
import { freezeEvent, type FrozenEvent, type OutboxWriter } from './outbox-writer.js';
import { run, runUnprepared, type Queryable, type Reader } from '../rows/reader.js';
import { advanceGapless, drawGapless, gaplessDraw, keyOf, type NumberSeries, type Series } from './number-series.js';
import { changedIn, incrementText, insertText, requireUpdated, updateText, wholeRow, type Changed } from '../rows/row-sql.js';
import { narrow, Values } from '../rows/sql.js';
import type { TxConnection } from './tx-connection.js';
import { entityManagerOn } from './tx-entity-manager.js';

const LOCKS = { 'key share': ' FOR KEY SHARE', update: ' FOR UPDATE' };

/** One transaction of one caller. */
export class PgTx extends Tx {
  private readonly events: FrozenEvent[] = [];
  private readonly afterCommitActions: (() => void | Promise<void>)[] = [];
  private depth = 0;
  /** By the reason why their statements are not restricted. */
  private readonly managers = new Map<string | null, Promise<EntityManager>>();
  /** Whether the change, or the part of it that is attempted, has looked whether unique values are free. */
  private looksForTaken = false;

  constructor(
    readonly connection: TxConnection,
    private readonly reader: Reader,
    private readonly numbers: NumberSeries,
    private readonly ctx: CallContext,
    private readonly outbox: OutboxWriter,
    private readonly runs: ChangeRuns,
  ) {
    super();
  }

  get startedAt(): Date {
    return this.runs.startedAt;
  }

  /** For the platform's own statements. */
  get on(): Queryable {
    return this.connection.on;
  }

  get<E extends BaseEntity>(entity: Type<E>, id: string) {
    return this.reader.get(this.connection.reads, this.ctx, entity, id);
  }

  find<E extends BaseEntity>(entity: Type<E>, id: string) {
    return this.reader.find(this.connection.reads, this.ctx, entity, id);
  }

  list<E extends BaseEntity>(entity: Type<E>, where?: Where<E>, ...conditions: Condition<NoInfer<E>>[]) {
    return this.reader.list(this.connection.reads, this.ctx, entity, where, conditions);
  }

  async target<E extends BaseEntity>(entity: Type<E>, id: string, { locked = true }: TargetOptions = {}): Promise<E> {
    const row = await (locked ? this.lock(entity, id) : this.get(entity, id));
    requireVersion(this.ctx, row.version);
    return row;
  }

  lock<E extends BaseEntity>(entity: Type<E>, id: string): Promise<E> {
    return this.reader.get(this.on, this.ctx, entity, id, ' FOR UPDATE');
  }

  async reference<E extends BaseEntity>(
    entity: Type<E>,
    id: string,
    param: string,
    { projectId, where, message, lock = 'key share' }: ReferenceOptions<E> = {},
  ): Promise<E> {
    const row = await (lock === 'none' ? this.find(entity, id) : this.reader.find(this.on, this.ctx, entity, id, LOCKS[lock]));
    if (row && isOfProject(row, projectId) && (where?.(row) ?? true)) return row;
    throw invalid(param, message ?? `must be ${withArticle(entity.name)}${projectId === undefined ? '' : ' of the same project'}`);
  }

  lockWhere<E extends BaseEntity>(entity: Type<E>, where?: Where<E>, ...conditions: Condition<NoInfer<E>>[]): Promise<E[]> {
    return this.reader.list(this.on, this.ctx, entity, where, conditions, ' FOR UPDATE');
  }

  mutex(...names: string[]): Promise<void> {
    return this.connection.mutex(names);
  }

  async insert<E extends BaseEntity>(entity: Type<E>, given: Partial<E>, { pipelined = false, at }: InsertOptions = {}): Promise<E> {
    const plan = this.reader.plan(entity);
    const row = this.newRow(plan, given);
    const values = new Values();
    if (pipelined) {
      const { stored, read } = wholeRow(plan, row, at ?? (await this.connection.now()));
      this.connection.send({ text: insertText(plan, stored, values), values: values.list }, 'row');
      return hydrate(plan, read);
    }
    const text = `${insertText(plan, row, values)} RETURNING ${plan.select}`;
    const { rows } = await run(this.on, { text, values: values.list, prototype: plan.prototype });
    return hydrate(plan, rows[0]);
  }

  private newRow(plan: EntityPlan, given: object): Record<string, unknown> {
    const row: Record<string, unknown> = { id: newId(), ...given, organization_id: this.ctx.organizationId };
    if (plan.scoping === 'business') row.mode = this.ctx.mode;
    if (plan.scoping !== 'organization') row.project_id = this.ctx.projectId ?? row.project_id;
    return row;
  }

  async update<E extends BaseEntity>(row: E, changes: Partial<E>, { pipelined = false }: WriteOptions = {}): Promise<E> {
    const changed = this.changedIn(row, changes);
    if (changed.length === 0) return row;
    return pipelined ? this.writePipelined(row, changed) : this.write(row, changed);
  }

  increment<E extends BaseEntity>(entity: Type<E>, id: string, amounts: Amounts<E>, at: Date): void {
    const added = (Object.entries(amounts) as [string, Decimal][]).filter(([, amount]) => Number(amount) !== 0);
    if (added.length === 0) return;
    const plan = this.reader.plan(entity);
    const columns = added.map(([column]) => column);
    const values = new Values([...added.map(([, amount]) => amount), 1, at.toISOString(), id]);
    narrow(plan, this.ctx, values, 'write');
    const textOf = (rows: number) => incrementText(plan, this.ctx, columns, rows);
    this.connection.send({ text: textOf(1), values: values.list }, { table: plan.table, id, amounts: added.length, textOf });
  }

  touch<E extends BaseEntity>(row: E, changes: Partial<E> = {}): Promise<E> {
    return this.write(row, this.changedIn(row, changes));
  }

  private changedIn<E extends BaseEntity>(row: E, changes: Partial<E>): Changed {
    return changedIn(this.reader.plan(row.constructor as Type<E>), row, changes);
  }

  private async write<E extends BaseEntity>(row: E, changed: Changed): Promise<E> {
    const plan = this.reader.plan(row.constructor as Type<E>);
    const values = new Values();
    const text = `${updateText(plan, this.ctx, row, changed, values)} RETURNING ${plan.select}`;
    const { rows } = await run(this.on, { text, values: values.list, prototype: plan.prototype });
    if (rows.length === 0) throw CommonErrors.resourceConflict();
    return hydrate(plan, rows[0]);
  }

  private async writePipelined<E extends BaseEntity>(row: E, changed: Changed): Promise<E> {
    const plan = this.reader.plan(row.constructor as Type<E>);
    const now = await this.connection.now();
    const values = new Values();
    const text = requireUpdated(updateText(plan, this.ctx, row, changed, values, now));
    this.connection.send({ text, values: values.list });
    const written = hydrate(plan, { ...row, ...Object.fromEntries(changed), version: row.version + 1, updated_at: now });
    for (const column of plan.virtual) Reflect.deleteProperty(written, column);
    return written;
  }

  async delete<E extends BaseEntity>(row: E): Promise<void> {
    const plan = this.reader.plan(row.constructor as Type<E>);
    const values = new Values();
    const where = `t."id" = ${values.add(row.id)} AND ${narrow(plan, this.ctx, values, 'write')}`;
    const { rowCount } = await run(this.on, { text: `DELETE FROM ${plan.table} t WHERE ${where}`, values: values.list });
    if (rowCount === 0) throw CommonErrors.notFound();
  }

  async next(name: string, projectId: string | null): Promise<number> {
    const series = this.series(name, projectId);
    return this.runs.number(keyOf(series), async () => {
      const { number, now } = await this.numbers.next(series);
      this.connection.beginsAfter(now);
      return number;
    });
  }

  async advance(name: string, projectId: string | null, last: number, gapless: boolean): Promise<void> {
    const series = this.series(name, projectId);
    await (gapless ? advanceGapless(this.on, series, last) : this.numbers.advance(series, last));
  }

  async nextGapless(name: string, projectId: string | null): Promise<number> {
    const series = this.series(name, projectId);
    this.runs.gaplessSeries ??= keyOf(series);
    if (!this.runs.isOptimistic || !this.connection.canJoinGroup) return drawGapless(this.on, series);
    const drawn = await this.connection.readWithGroup(gaplessDraw(series), null);
    // rows that the change has read must be locked before the series, as other changes do
    if (drawn === null) throw this.connection.member.leave();
    return drawn;
  }

  private series(name: string, projectId: string | null): Series {
    this.connection.requireOpen();
    const { organizationId, mode } = this.ctx;
    return { organizationId, projectId: projectId ?? organizationId, mode, name };
  }

  emit<P extends object>(event: EventDefinition<P>, data: EventData<P>): void {
    this.connection.requireOpen();
    this.events.push(freezeEvent(this.ctx, event, data));
  }

  async attempt<R>(part: () => Promise<R>): Promise<R> {
    const outside = this.looksForTaken;
    this.looksForTaken = false;
    try {
      return await this.inSavepoint(part);
    } catch (error) {
      if (!this.looksForTaken || !isTaken(error)) throw error;
      return await this.inSavepoint(part);
    } finally {
      this.looksForTaken = outside;
    }
  }

  private async inSavepoint<R>(part: () => Promise<R>): Promise<R> {
    const savepoint = `attempt_${++this.depth}`;
    const events = this.events.length;
    const actions = this.afterCommitActions.length;
    await runUnprepared(this.on, { text: `SAVEPOINT ${savepoint}` });
    const { unawaited, checks } = this.connection;
    const [sent, checked] = [unawaited.length, checks.length];
    try {
      const result = await part();
      await runUnprepared(this.on, { text: `RELEASE SAVEPOINT ${savepoint}` });
      return result;
    } catch (error) {
      unawaited.length = sent;
      checks.length = checked;
      await runUnprepared(this.on, { text: `ROLLBACK TO SAVEPOINT ${savepoint}` });
      this.events.length = events;
      this.afterCommitActions.length = actions;
      throw error;
    } finally {
      this.depth--;
    }
  }

  async prepared<R>(key: string, work: () => Promise<R>): Promise<R> {
    this.connection.requireOpen();
    return this.runs.prepared(key, work);
  }

  mayJoinGroup(): boolean {
    return this.connection.canJoinGroup && this.optimistic();
  }

  optimistic(): boolean {
    this.connection.requireOpen();
    return this.runs.optimistic();
  }

  repeatIfTaken(): void {
    this.connection.requireOpen();
    this.looksForTaken = true;
  }

  get hasLookedForTaken(): boolean {
    return this.looksForTaken;
  }

  async readWithGroup<Q, S>(read: GroupRead<Q, S>, request: Q): Promise<S | null> {
    if (!this.mayJoinGroup()) return null;
    const caller = { ...read.tenant, projectId: null };
    const readerOn = (on: Queryable): SqlReader => ({
      query: async <R extends object>(sql: Sql) => (await run<R>(on, this.reader.statement(caller, sql))).rows,
    });
    const onClient = { ...read, read: (on: Queryable, requests: readonly Q[]) => read.read(readerOn(on), requests) };
    return this.connection.readWithGroup(onClient, request);
  }

  requireCommit(): void {
    this.connection.member.requireCommit();
  }

  afterCommit(action: () => void | Promise<void>): void {
    this.connection.requireOpen();
    this.afterCommitActions.push(action);
  }

  async query<R extends object>(statement: Sql): Promise<R[]> {
    return (await run<R>(this.on, this.reader.statement(this.ctx, statement))).rows;
  }

  async read<R extends object>(statement: Sql): Promise<R[]> {
    return (await run<R>(this.connection.reads, this.reader.statement(this.ctx, statement))).rows;
  }

  send(statement: Sql): void {
    this.connection.send(this.reader.statement(this.ctx, statement));
  }

  check(statement: Sql): void {
    const { text, values } = this.reader.statement(this.ctx, statement);
    this.connection.check(text, values);
  }

  entityManager(unscoped: string | null = null): Promise<EntityManager> {
    const inspect = (text: string, values: readonly unknown[]) =>
      this.reader.inspect?.({ caller: this.ctx, text, values, unscoped, beyond: [] });
    let manager = this.managers.get(unscoped);
    if (!manager) this.managers.set(unscoped, (manager = entityManagerOn(this.reader.dataSource, this.connection, inspect)));
    return manager;
  }

  /** Called once, by the unit of work. */
  commit(): Promise<void> {
    return this.connection.commit(this.events, this.outbox);
  }

  async runAfterCommit(): Promise<void> {
    const failures: unknown[] = [];
    for (const action of this.afterCommitActions) {
      try {
        await action();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}

/** Configuration of the whole organization belongs to every project. */
function isOfProject(row: BaseEntity, projectId: string | undefined): boolean {
  const { project_id } = row as { project_id?: string | null };
  return projectId === undefined || project_id === projectId || project_id === null;
}

/** `LeaveType`: "a leave type". */
function withArticle(entity: string): string {
  const words = entity.replace(/(?<=[a-z0-9])(?=[A-Z])/g, ' ').toLowerCase();
  return `${/^[aeiou]/.test(words) ? 'an' : 'a'} ${words}`;
}
