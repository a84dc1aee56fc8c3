import type { Type } from '@nestjs/common';
import {
  CommonErrors,
  invalid,
  notOfProject,
  restorableUntil,
  Tx,
  type BaseEntity,
  type Condition,
  type EventData,
  type EventDefinition,
  type Sql,
} from '../../../kit/index.js';
import {
  newId,
  restorableOf,
  type DeleteOptions,
  type NumberOptions,
  type ReferenceOptions,
  type SqlOptions,
  type Where,
} from '../../../kit/internal.js';
import { AuditNotes } from './audit-notes.js';
import type { AuditTrail } from './audit-trail.js';
import { requireVersion, type CallContext } from './call-context.js';
import { ChangeRetry } from './change-retry.js';
import { CustomFieldChanges } from './custom-field-changes.js';
import type { ChangeRuns } from './change-runs.js';
import { keepDeleted } from '../rows/deleted-rows.js';
import { hydrate, type EntityPlan } from '../rows/entity-plan.js';
import type { FrozenEvent } from './frozen-event.js';
import { freezeEvent, type OutboxWriter } from './outbox-writer.js';
import type { Queryable } from '../rows/queryable.js';
import { run, runUnprepared, type Reader } from '../rows/reader.js';
import { drawGapless, keyOf, type NumberSeries, type Series } from './number-series.js';
import { PgAdvancedTx } from './pg-advanced-tx.js';
import { changedIn, insertText, updateText, type Changed } from '../rows/row-sql.js';
import { requireReadOnly } from '../rows/read-only-text.js';
import { toDomainError } from '../database/pg-errors.js';
import { narrow, Values } from '../rows/sql.js';
import type { TxConnection } from './tx-connection.js';
import type { WriteHooks } from './write-hooks.js';

const LOCKS = { 'key share': ' FOR KEY SHARE', update: ' FOR UPDATE' };

/** One transaction of one caller. */
export class PgTx extends Tx {
  readonly notes = new AuditNotes();
  private readonly events: FrozenEvent[] = [];
  private readonly afterCommitActions: (() => void | Promise<void>)[] = [];
  private depth = 0;
  /** Of the change, or of the part of it that is attempted. */
  retry: ChangeRetry;
  readonly advanced: PgAdvancedTx;
  readonly customFields: CustomFieldChanges;

  constructor(
    readonly connection: TxConnection,
    readonly reader: Reader,
    readonly numbers: NumberSeries,
    readonly ctx: CallContext,
    private readonly outbox: OutboxWriter,
    private readonly trail: AuditTrail,
    readonly runs: ChangeRuns,
    readonly hooks: WriteHooks,
  ) {
    super();
    this.retry = runs.retry;
    this.advanced = new PgAdvancedTx(this);
    this.customFields = new CustomFieldChanges(this);
  }

  get startedAt(): Date {
    return this.runs.startedAt;
  }

  /** For the platform's own statements. */
  get on(): Queryable {
    return this.connection.on;
  }

  get<E extends BaseEntity>(entity: Type<E>, id: string) {
    return this.reader.get(this.connection.reads, this.ctx, entity, id, '');
  }

  find<E extends BaseEntity>(entity: Type<E>, id: string) {
    return this.reader.find(this.connection.reads, this.ctx, entity, id, '');
  }

  list<E extends BaseEntity>(entity: Type<E>, where?: Where<E>, ...conditions: Condition<NoInfer<E>>[]) {
    return this.reader.list(this.connection.reads, this.ctx, entity, where, conditions);
  }

  /** Events of the change so far. */
  get emitted(): readonly FrozenEvent[] {
    return this.events;
  }

  async target<E extends BaseEntity>(entity: Type<E>, id: string): Promise<E> {
    const row = await this.lock(entity, id);
    requireVersion(this.ctx, row.version);
    return row;
  }

  async lock<E extends BaseEntity>(entity: Type<E>, id: string): Promise<E> {
    const row = await this.reader.get(this.on, this.ctx, entity, id, ' FOR UPDATE');
    this.saw(row);
    return row;
  }

  /** For the plan of the call. */
  saw(row: BaseEntity): void {
    const { effects } = this.ctx.owner;
    if (effects) effects.saw(this.reader.plan(row.constructor as Type<BaseEntity>).table, row);
  }

  async reference<E extends BaseEntity>(
    entity: Type<E>,
    id: string,
    param: string,
    { projectId, where, message, lock = 'key share' }: ReferenceOptions<E> = {},
  ): Promise<E> {
    const row = await (lock === 'none' ? this.find(entity, id) : this.reader.find(this.on, this.ctx, entity, id, LOCKS[lock]));
    if (row) this.saw(row);
    if (row && isOfProject(row, projectId) && (where?.(row) ?? true)) return row;
    if (projectId === undefined) throw invalid(param, message ?? `must be ${withArticle(entity.name)}`);
    throw notOfProject(param, message ?? `must be ${withArticle(entity.name)} of the same project`);
  }

  async lockWhere<E extends BaseEntity>(entity: Type<E>, where?: Where<E>, ...conditions: Condition<NoInfer<E>>[]): Promise<E[]> {
    const rows = await this.reader.list(this.on, this.ctx, entity, where, conditions, ' FOR UPDATE');
    for (const row of rows) this.saw(row);
    return rows;
  }

  async insert<E extends BaseEntity>(entity: Type<E>, given: Partial<E>): Promise<E> {
    const plan = this.reader.plan(entity);
    const row = this.hooks.has(entity) ? await this.hookedRow(entity, given) : this.newRow(plan, given);
    const values = new Values();
    const text = `${insertText(plan, row, values)} RETURNING ${plan.select}`;
    const { rows } = await run(this.on, { text, values: values.list, prototype: plan.prototype });
    const inserted = hydrate(plan, rows[0]);
    this.notes.created(plan, inserted);
    this.ctx.owner.effects?.wrote(plan.table, inserted);
    return inserted;
  }

  /** The new row after the handlers of `@BeforeWrite`. They cannot move it out of the tenant. */
  async hookedRow<E extends BaseEntity>(entity: Type<E>, given: Partial<E>): Promise<Record<string, unknown>> {
    const plan = this.reader.plan(entity);
    const values = this.newRow(plan, given) as Partial<E>;
    return this.newRow(plan, await this.hooks.run(this.ctx, this, entity, { kind: 'insert', before: null, values }));
  }

  newRow(plan: EntityPlan, given: object): Record<string, unknown> {
    const row: Record<string, unknown> = {
      id: this.ctx.owner.newId?.(plan.scoping) ?? newId(),
      ...given,
      organization_id: this.ctx.organizationId,
    };
    if (plan.customFields !== null) row.custom_fields ??= {};
    if (plan.scoping === 'business') row.mode = this.ctx.mode;
    if (plan.scoping !== 'organization') row.project_id = this.ctx.projectId ?? row.project_id;
    return row;
  }

  async update<E extends BaseEntity>(row: E, changes: Partial<E>): Promise<E> {
    const changed = await this.hookedChanges(row, changes);
    return changed.length === 0 ? row : this.write(row, changed);
  }

  /** The changed columns after the handlers of `@BeforeWrite`, which nothing calls if none changes. */
  async hookedChanges<E extends BaseEntity>(row: E, changes: Partial<E>): Promise<Changed> {
    const changed = this.changedIn(row, changes);
    const entity = row.constructor as Type<E>;
    if (changed.length === 0 || !this.hooks.has(entity)) return changed;
    const values = Object.fromEntries(changed) as Partial<E>;
    return this.changedIn(row, await this.hooks.run(this.ctx, this, entity, { kind: 'update', before: row, values }));
  }

  changedIn<E extends BaseEntity>(row: E, changes: Partial<E>): Changed {
    return changedIn(this.reader.plan(row.constructor as Type<E>), row, changes);
  }

  async write<E extends BaseEntity>(row: E, changed: Changed): Promise<E> {
    this.saw(row);
    const plan = this.reader.plan(row.constructor as Type<E>);
    const values = new Values();
    const text = `${updateText(plan, this.ctx, row, changed, values)} RETURNING ${plan.select}`;
    const { rows } = await run(this.on, { text, values: values.list, prototype: plan.prototype });
    if (rows.length === 0) throw CommonErrors.resourceConflict();
    await this.reader.hideDeleted(this.on, this.ctx, plan, rows);
    this.notes.updated(plan, row, changed);
    return hydrate(plan, rows[0]);
  }

  async delete<E extends BaseEntity>(row: E, { forGood = false, detached = [], isInternal = false }: DeleteOptions = {}): Promise<void> {
    this.saw(row);
    const entity = row.constructor as Type<E>;
    if (this.hooks.has(entity)) await this.hooks.run(this.ctx, this, entity, { kind: 'delete', before: row, values: {} });
    const plan = this.reader.plan(entity);
    const restorable = forGood ? undefined : restorableOf(entity);
    if (restorable) await keepDeleted(this.on, this.ctx, plan, row, { restorable, detached });
    const values = new Values();
    const where = `t."id" = ${values.add(row.id)} AND ${narrow(plan, this.ctx, values, 'write')}`;
    const { rowCount } = await run(this.on, { text: `DELETE FROM ${plan.table} t WHERE ${where}`, values: values.list });
    if (rowCount === 0) throw CommonErrors.notFound();
    this.notes.deleted(plan, row);
    const until = restorable ? restorableUntil(new Date()) : null;
    if (until) this.ctx.owner.restorableUntil = until;
    if (!isInternal) this.ctx.owner.effects?.removed(entity.name, row, until);
  }

  async next(name: string, projectId: string | null, { gapless = false }: NumberOptions = {}): Promise<number> {
    const series = this.series(name, projectId);
    // in the transaction: the number is not used
    if (this.ctx.owner.dryRun) return drawGapless(this.on, series);
    if (gapless) {
      this.runs.gaplessSeries ??= keyOf(series);
      return drawGapless(this.on, series);
    }
    return this.runs.number(keyOf(series), async () => {
      const { number, now } = await this.numbers.next(series);
      this.connection.beginsAfter(now);
      return number;
    });
  }

  series(name: string, projectId: string | null): Series {
    this.connection.requireOpen();
    const { organizationId, mode } = this.ctx;
    return { organizationId, projectId: projectId ?? organizationId, mode, name };
  }

  emit<P extends object>(event: EventDefinition<P>, data: EventData<P>): void {
    this.connection.requireOpen();
    this.events.push(freezeEvent(this.ctx, event, data));
  }

  async attempt<R>(part: () => Promise<R>): Promise<R> {
    const outside = this.retry;
    this.retry = new ChangeRetry();
    try {
      for (;;) {
        try {
          return await this.inSavepoint(part);
        } catch (error) {
          if (!this.retry.follows(error)) throw error;
        }
      }
    } finally {
      this.retry = outside;
    }
  }

  private async inSavepoint<R>(part: () => Promise<R>): Promise<R> {
    const savepoint = `attempt_${++this.depth}`;
    const events = this.events.length;
    const actions = this.afterCommitActions.length;
    const notes = this.notes.length;
    await runUnprepared(this.on, { text: `SAVEPOINT ${savepoint}` });
    const { unawaited } = this.connection;
    const sent = unawaited.length;
    try {
      const result = await part();
      await runUnprepared(this.on, { text: `RELEASE SAVEPOINT ${savepoint}` });
      return result;
    } catch (error) {
      unawaited.length = sent;
      await runUnprepared(this.on, { text: `ROLLBACK TO SAVEPOINT ${savepoint}` });
      this.events.length = events;
      this.afterCommitActions.length = actions;
      this.notes.truncate(notes);
      throw error;
    } finally {
      this.depth--;
    }
  }

  afterCommit(action: () => void | Promise<void>): void {
    this.connection.requireOpen();
    this.afterCommitActions.push(action);
  }

  async sql<R extends object>(statement: Sql, { onlyReads = false }: SqlOptions = {}): Promise<R[]> {
    const { text, values } = this.reader.statement(this.ctx, statement);
    if (onlyReads) requireReadOnly(text);
    return (await run<R>(onlyReads ? this.connection.reads : this.on, { text, values })).rows;
  }

  /** Called once, by the unit of work. */
  async commit(): Promise<void> {
    if (this.notes.length === 0) return this.connection.commit(this.events, this.outbox);
    // The chain of the organization is the last row that is locked: a change that holds it waits for no other change.
    const { on, connection, outbox } = this;
    const [announce, recorded] = await Promise.all([
      this.events.length === 0 ? null : outbox.write(on, [this.events]),
      this.trail.write(on, this.ctx, this.notes.all()),
    ]).catch((error: unknown) => {
      throw toDomainError(error);
    });
    await connection.commit(recorded, outbox);
    announce?.();
  }

  /** Instead of a commit: finds out whether it would succeed. Resolves to the events that would be emitted. */
  async check(): Promise<readonly FrozenEvent[]> {
    await this.connection.check();
    return this.events;
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
