import type { Type } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { restorableUntil, type BaseEntity, type Decimal, type Sql } from '../../../kit/index.js';
import { AdvancedTx, PipelinedWrites, type Amounts, type AuditRecord } from '../../../kit/internal.js';
import { hydrate, type EntityPlan } from '../rows/entity-plan.js';
import type { Queryable } from '../rows/queryable.js';
import { runUnprepared, type Reader } from '../rows/reader.js';
import { incrementText, insertText, requireUpdated, updateText, wholeRow, type Changed } from '../rows/row-sql.js';
import { Values } from '../rows/sql.js';
import type { AuditNotes } from './audit-notes.js';
import type { CallContext } from './call-context.js';
import type { ChangeRetry } from './change-retry.js';
import type { ChangeRuns } from './change-runs.js';
import { advance, type NumberSeries, type Series } from './number-series.js';
import type { TxConnection } from './tx-connection.js';
import { entityManagerOn } from './tx-entity-manager.js';
import type { WriteHooks } from './write-hooks.js';

/** What `PgAdvancedTx` needs of the transaction to which it belongs. */
interface Owner {
  readonly connection: TxConnection;
  readonly reader: Reader;
  readonly numbers: NumberSeries;
  readonly ctx: CallContext;
  readonly runs: ChangeRuns;
  readonly retry: ChangeRetry;
  readonly on: Queryable;
  readonly notes: AuditNotes;
  series(name: string, projectId: string | null): Series;
  readonly hooks: WriteHooks;
  newRow(plan: EntityPlan, given: object): Record<string, unknown>;
  hookedRow<E extends BaseEntity>(entity: Type<E>, given: Partial<E>): Promise<Record<string, unknown>>;
  changedIn<E extends BaseEntity>(row: E, changes: Partial<E>): Changed;
  hookedChanges<E extends BaseEntity>(row: E, changes: Partial<E>): Promise<Changed>;
  write<E extends BaseEntity>(row: E, changed: Changed): Promise<E>;
  saw(row: BaseEntity): void;
}

/** Implements `Tx.advanced`. */
export class PgAdvancedTx extends AdvancedTx {
  readonly pipelined: PgPipelinedWrites;
  /** By the reason why their statements are not restricted. */
  private readonly managers = new Map<string | null, Promise<EntityManager>>();

  constructor(private readonly tx: Owner) {
    super();
    this.pipelined = new PgPipelinedWrites(tx);
  }

  audit(record: AuditRecord): void {
    this.tx.connection.requireOpen();
    this.tx.notes.add(record);
  }

  unaudited<R>(work: () => Promise<R>): Promise<R> {
    return this.tx.notes.silently(work);
  }

  async touch<E extends BaseEntity>(row: E, changes: Partial<E> = {}): Promise<E> {
    return this.tx.write(row, await this.tx.hookedChanges(row, changes));
  }

  async remove<E extends BaseEntity>(row: E, changes: Partial<E>): Promise<void> {
    await this.touch(row, changes);
    const { owner } = this.tx.ctx;
    owner.restorableUntil = restorableUntil(new Date());
    owner.effects?.removed(row.constructor.name, row, owner.restorableUntil);
  }

  mutex(...names: string[]): Promise<void> {
    return this.tx.connection.mutex(names);
  }

  retryOnConflict(): boolean {
    this.tx.connection.requireOpen();
    return this.tx.retry.want();
  }

  async prepared<R>(key: string, work: () => Promise<R>): Promise<R> {
    this.tx.connection.requireOpen();
    return this.tx.runs.prepared(key, work);
  }

  async advance(name: string, projectId: string | null, last: number, gapless: boolean): Promise<void> {
    const series = this.tx.series(name, projectId);
    await advance(gapless || this.isDryRun ? this.tx.on : this.tx.numbers.pool, series, last);
  }

  get isDryRun(): boolean {
    return this.tx.ctx.owner.dryRun;
  }

  async expectManyRows(): Promise<void> {
    await runUnprepared(this.tx.on, { text: 'SET LOCAL enable_seqscan = off' });
    await runUnprepared(this.tx.on, { text: 'DISCARD PLANS' });
  }

  entityManager(unscoped: string | null = null): Promise<EntityManager> {
    const { reader, ctx, connection } = this.tx;
    const inspect = (text: string, values: readonly unknown[]) => reader.inspect?.({ caller: ctx, text, values, unscoped, beyond: [] });
    let manager = this.managers.get(unscoped);
    if (!manager) this.managers.set(unscoped, (manager = entityManagerOn(reader.dataSource, connection, inspect)));
    return manager;
  }
}

class PgPipelinedWrites extends PipelinedWrites {
  constructor(private readonly tx: Owner) {
    super();
  }

  async insert<E extends BaseEntity>(entity: Type<E>, given: Partial<E>, at?: Date): Promise<E> {
    const { reader, connection } = this.tx;
    const plan = reader.plan(entity);
    // the values as they are at the call
    const row = this.tx.hooks.has(entity) ? await this.tx.hookedRow(entity, given) : this.tx.newRow(plan, given);
    const { stored, read } = wholeRow(plan, row, at ?? (await connection.now()));
    const values = new Values();
    connection.send({ text: insertText(plan, stored, values), values: values.list }, 'row');
    const inserted = hydrate(plan, read);
    this.tx.notes.created(plan, inserted);
    this.tx.ctx.owner.effects?.wrote(plan.table, inserted);
    return inserted;
  }

  async update<E extends BaseEntity>(row: E, changes: Partial<E>): Promise<E> {
    const { reader, connection, ctx } = this.tx;
    const isHooked = this.tx.hooks.has(row.constructor as Type<E>);
    const changed = isHooked ? await this.tx.hookedChanges(row, changes) : this.tx.changedIn(row, changes);
    this.tx.saw(row);
    if (changed.length === 0) return row;
    const plan = reader.plan(row.constructor as Type<E>);
    const now = await connection.now();
    const values = new Values();
    const text = requireUpdated(updateText(plan, ctx, row, changed, values, now));
    connection.send({ text, values: values.list });
    this.tx.notes.updated(plan, row, changed);
    const written = hydrate(plan, { ...row, ...Object.fromEntries(changed), version: row.version + 1, updated_at: now });
    await reader.hideDeleted(connection.reads, ctx, plan, [written]);
    for (const column of plan.virtual) Reflect.deleteProperty(written, column);
    return written;
  }

  increment<E extends BaseEntity>(entity: Type<E>, id: string, amounts: Amounts<E>, at: Date): void {
    const added = (Object.entries(amounts) as [string, Decimal][]).filter(([, amount]) => Number(amount) !== 0);
    if (added.length === 0) return;
    const { reader, connection, ctx } = this.tx;
    const plan = reader.plan(entity);
    const values = new Values();
    const text = incrementText(plan, ctx, id, added, at, values);
    connection.send({ text, values: values.list }, { table: plan.table, id });
  }

  sql(statement: Sql): void {
    this.tx.connection.send(this.tx.reader.statement(this.tx.ctx, statement));
  }
}
