import type { Type } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Ctx } from '../callers/ctx.js';
import type { BaseEntity } from './entities.js';
import type { EventData, EventDefinition } from './events.js';
import type { ListQuery, Page } from '../fields/list-query.js';
import type { Decimal } from '../values/decimals.js';
import type { Sql } from '../sql/sql.js';

/** Equal to the value, or to one of an array's values; null means IS NULL. */
export type Where<E> = { [K in keyof E]?: E[K] | readonly E[K][] | null };

/** What rows of a list must meet: values of columns, or SQL over the alias `t`. */
export type Condition<E = BaseEntity> = Where<E> | Sql | Through;

/**
 * The rows of a page are those that another table names. It repeats columns of theirs, so that its indexes have the order and the cursor of
 * the list. One of a page's conditions can be this, and only without `q`.
 */
export class Through {
  constructor(
    readonly entity: Type,
    /** Its column that names the rows. */
    readonly key: string,
    readonly columns: readonly string[],
    /** Which of its rows, over the alias `c`; `p` are the rows that it names. */
    readonly where: Sql,
  ) {}
}

/** Runs SQL that reads: a `Tx` in its transaction, `store.reader(ctx)` without one. */
export type SqlReader = Pick<Tx, 'query'>;

/**
 * The only access to business rows. Every method restricts its statement to the caller's organization, project pin and mode, so a row
 * outside them is not found, not counted and not changed.
 */
export abstract class Store {
  /**
   * The row, or `not_found`. `get`, `find` and `page` also read the entity's virtual columns (TypeORM's `@VirtualColumn`), in the same
   * statement. `list`, and methods that lock or write rows, leave them out.
   */
  abstract get<E extends BaseEntity>(ctx: Ctx, entity: Type<E>, id: string): Promise<E>;
  abstract find<E extends BaseEntity>(ctx: Ctx, entity: Type<E>, id: string): Promise<E | null>;
  /** One page by the query's filters, sort and cursor, and the conditions given here. */
  abstract page<E extends BaseEntity>(
    ctx: Ctx,
    entity: Type<E>,
    query: ListQuery,
    ...conditions: Condition<NoInfer<E>>[]
  ): Promise<Page<E>>;
  /** All rows that match, ordered by id; for small sets. More than 10,000 rows are an error, never silently truncated. */
  abstract list<E extends BaseEntity>(ctx: Ctx, entity: Type<E>, where?: Where<E>, ...conditions: Condition<NoInfer<E>>[]): Promise<E[]>;
  /**
   * Runs SQL that the other methods cannot express, without opening a transaction; within a write it sees what that has written. Each
   * statement is a SELECT, also after WITH, that neither writes nor locks. Like with `Tx.query`, `own` restricts it to the caller.
   */
  abstract reader(ctx: Ctx): SqlReader;
  /**
   * Runs a change in the request's transaction: opened by the first write, committed by the pipeline together with the
   * events emitted and the idempotency record, or not at all. Outside a request (jobs, commands) it commits at the end.
   * A write inside a write joins it; with another caller's context it throws.
   */
  abstract write<R>(ctx: Ctx, change: (tx: Tx) => Promise<R>): Promise<R>;
}

/** What is added to numeric columns. */
export type Amounts<E> = { [K in keyof E]?: Decimal };

/** How a row is written. */
export interface WriteOptions {
  /**
   * Sends the statement without waiting for its result, which saves a round trip. The row that comes back is computed here,
   * so an insert must give every column whose default is not null. A constraint violation or `resource_conflict` surfaces at
   * the next statement that is awaited, or at the commit: a `catch` around this call alone sees neither.
   */
  pipelined?: boolean;
}

/** How a new row is written. */
export type InsertOptions =
  | { pipelined?: false; at?: undefined }
  | {
      pipelined: boolean;
      /** The time of the row, if it is pipelined; by default that of the transaction. */
      at?: Date;
    };

/** How the row that the request's path names is read. */
export interface TargetOptions {
  /** False in an optimistic change, which must write the row with `update`: that rejects another version of it. */
  locked?: boolean;
}

/** Which row a field of the body may name, and how the row is read. */
export interface ReferenceOptions<E> {
  /** The project to which it must belong, that of the row which refers to it. Configuration of the organization belongs to every one. */
  projectId?: string;
  /** What else the row must meet; say it in `message`. */
  where?: (row: E) => boolean;
  /** How the error's message goes on after the name of the field. By default it is made of the entity's name: "must be a vehicle". */
  message?: string;
  /**
   * Until the transaction ends, a row that is locked for `key share` is neither deleted nor locked by `target`, `lock` and `lockWhere`, and
   * other references to it do not wait. Take `update` for a row that the change will lock or whose numbers it decides by, and `none` where
   * a foreign key is enough, or in an optimistic change.
   */
  lock?: 'key share' | 'update' | 'none';
}

/** What a group of changes reads once for all of them, with locks that it holds until it commits them. */
export interface GroupRead<Q, S> {
  /** Whose rows are read: requests of one read differ at most in the project to which their callers are pinned. */
  tenant: Pick<Ctx, 'organizationId' | 'mode'>;
  /**
   * Changes share a read by this name. It must name everything but the requests that the read depends on, and reads of different names
   * must never read the same rows.
   */
  name: string;
  /** The other changes of the group depend on each that gets a result: if it fails then, none is committed. */
  requiresCommit?: boolean;
  /** Reads for these requests, in this order. A result is null if the change must read for itself; it may be shared by requests. */
  read(tx: SqlReader, requests: readonly Q[]): Promise<{ now: Date; results: readonly (S | null)[] }>;
}

/** What can be done inside a transaction. Nothing outside the database is called from in here. */
export abstract class Tx {
  /** When the change began, by this process's clock; the same when `prepared` makes the change run again. */
  abstract readonly startedAt: Date;
  abstract get<E extends BaseEntity>(entity: Type<E>, id: string): Promise<E>;
  abstract find<E extends BaseEntity>(entity: Type<E>, id: string): Promise<E | null>;
  abstract list<E extends BaseEntity>(entity: Type<E>, where?: Where<E>, ...conditions: Condition<NoInfer<E>>[]): Promise<E[]>;
  /** The row that the request's path names: locked, `not_found` if it is not the caller's, checked against `If-Match`. */
  abstract target<E extends BaseEntity>(entity: Type<E>, id: string, options?: TargetOptions): Promise<E>;
  /** Another row, locked until the end of the transaction, or `not_found`. */
  abstract lock<E extends BaseEntity>(entity: Type<E>, id: string): Promise<E>;
  /**
   * The row that a field of the request names, locked against deletion by default; 400 `validation_failed` for the field if it is not the
   * caller's: `tx.reference(Vehicle, body.vehicle_id, 'vehicle_id', { projectId: trip.project_id })`.
   */
  abstract reference<E extends BaseEntity>(entity: Type<E>, id: string, param: string, options?: ReferenceOptions<E>): Promise<E>;
  /**
   * The caller's rows that match, locked until the end of the transaction in the order of their ids, so that two callers
   * cannot deadlock. Rows that stop matching while this waits for their locks are left out.
   */
  abstract lockWhere<E extends BaseEntity>(entity: Type<E>, where?: Where<E>, ...conditions: Condition<NoInfer<E>>[]): Promise<E[]>;
  /**
   * Locks mutexes by name until the end of the transaction, waiting for whoever holds one. One call locks its names in a fixed
   * order, so that two such calls cannot deadlock; several calls in one transaction can. Names are global: put an id in them.
   * Statements after it see what earlier holders committed.
   */
  abstract mutex(...names: string[]): Promise<void>;
  /** Writes a new row; id, organization and mode are set here. A pinned key's project wins over the values'. */
  abstract insert<E extends BaseEntity>(entity: Type<E>, values: Partial<E>, options?: InsertOptions): Promise<E>;
  /**
   * Writes changed columns, raises `version` and `updated_at`; returns the row as it is now. Nothing changed: no write.
   * `resource_conflict` when the row was changed or deleted since it was read; lock it to rule that out.
   */
  abstract update<E extends BaseEntity>(row: E, changes: Partial<E>, options?: WriteOptions): Promise<E>;
  /**
   * Adds amounts to columns of a row, whatever they are, and raises `version`; `updated_at` becomes at least `at`. Amounts of 0 change
   * nothing. It is pipelined, as `WriteOptions` explains. Changes that commit together update the row once.
   * A constraint rejects a result that is not valid; `resource_conflict` if the row does not exist.
   */
  abstract increment<E extends BaseEntity>(entity: Type<E>, id: string, amounts: Amounts<E>, at: Date): void;
  /** `update` that also writes when no column changes: for a row whose representation shows other rows that have changed. */
  abstract touch<E extends BaseEntity>(row: E, changes?: Partial<E>): Promise<E>;
  abstract delete<E extends BaseEntity>(row: E): Promise<void>;
  /**
   * The next number of a series, from 1, never given twice. A change that fails does not give it back: there may be gaps.
   * Each project has its own series; null is the series of the organization. Test mode has series of its own.
   */
  abstract next(series: string, projectId: string | null): Promise<number>;
  /**
   * The next number of a series without gaps, as the law requires for invoices. Changes that use the same series run one after the other.
   * The number of an optimistic change is drawn by a group, as `readWithGroup` explains; if none can, the change runs again.
   * A series must use either this method or `next`, never both.
   */
  abstract nextGapless(series: string, projectId: string | null): Promise<number>;
  /** Makes the next number of a series greater than `last`. A gapless series is advanced in the transaction, any other immediately. */
  abstract advance(series: string, projectId: string | null, last: number, gapless: boolean): Promise<void>;
  /** Records an event with the change. Its body is serialized now, so later changes of the objects do not affect it. */
  abstract emit<P extends object>(event: EventDefinition<P>, data: EventData<P>): void;
  /**
   * Runs a part of the change in a savepoint: if it fails, its writes and events are undone and the error is rethrown. Parts must not run
   * concurrently.
   */
  abstract attempt<R>(part: () => Promise<R>): Promise<R>;
  /**
   * The result of work that takes too long for a transaction, such as typesetting. When it is not there yet, the transaction
   * is rolled back, the work runs without a database connection, and the whole change runs again and gets the result here;
   * an error of the work is thrown here, too. The key must name everything that the result depends on, and the change must
   * take its time from `startedAt`. Nothing that a change does outside of its transaction may depend on how often it runs.
   * After 20 runs it fails with `unavailable`.
   */
  abstract prepared<R>(key: string, work: () => Promise<R>): Promise<R>;
  /**
   * Whether the change may decide about rows that it read without locking them. It may if its statements fail once the decision no longer
   * holds: by a constraint, or by `raise_stale_row()`. If they do, the transaction is rolled back and the whole change runs again, as for
   * `prepared`; then this is false, and the change must lock the rows. Not within `attempt`, which handles the failure itself.
   */
  abstract optimistic(): boolean;
  /**
   * Call it before looking whether a unique value is free. If another transaction takes the value before this one writes it, so that a
   * unique index refuses the row, the whole change runs once more, as for `prepared`, and finds the row that has the value. Within
   * `attempt`, only the part runs again.
   */
  abstract repeatIfTaken(): void;
  /**
   * Whether the change may be optimistic and join a group later, with `readWithGroup` or `nextGapless`. It may not if it has written or
   * locked something, such as a request with an idempotency key.
   */
  abstract mayJoinGroup(): boolean;
  /**
   * Lets a group of changes that commit together read for this one, too. Such a change is optimistic: if the group fails, the change runs
   * again by itself. Returns null in that run, after a write, or if the group cannot read for the change; then the change locks what it
   * needs. Otherwise the change must not wait for anything after this call, and its further writes must be pipelined. The changes of a
   * group run one after the other between the read and their ends. A change that fails then is answered when the group has been committed;
   * if it is not, the change runs again, because what it has seen never existed.
   */
  abstract readWithGroup<Q, S>(read: GroupRead<Q, S>, request: Q): Promise<S | null>;
  /**
   * Call it before altering what the changes of a group share: if this change fails then, none of them is committed. Has no effect if no
   * group has read for the change.
   */
  abstract requireCommit(): void;
  /** Runs after the commit. For notifications, not for work that must happen: a crash before it loses it. */
  abstract afterCommit(action: () => void | Promise<void>): void;
  /**
   * SQL that the other methods cannot express: a call of the module's own function, a statement over a set. Each table in it must be
   * restricted to the caller with `own`, or be joined by its composite key to one that is. Tests parse every statement and fail one that
   * is not restricted.
   */
  abstract query<R extends object>(statement: Sql): Promise<R[]>;
  /** SQL like that of `query` that reads without a lock: it needs no transaction until something was written. */
  abstract read<R extends object>(statement: Sql): Promise<R[]>;
  /**
   * A statement like that of `query` whose result nobody needs, sent without waiting for it. An error surfaces at the next statement
   * that is awaited, or at the commit. It must not change the transaction's settings, which other changes may share.
   */
  abstract send(statement: Sql): void;
  /**
   * A statement like that of `send` that changes nothing that callers see, and fails if the change may not be made. It runs after all other
   * statements of the change. Of changes that commit together, equal ones run once.
   */
  abstract check(statement: Sql): void;
  /**
   * TypeORM's `EntityManager` on this transaction, for what the other methods cannot express: relations, query builders, repositories.
   * Its writes commit or roll back with all others; its `transaction` is a savepoint, and it cannot end the transaction itself. A
   * statement is one command. It restricts nothing: each statement must name the caller's organization, mode and project pin, or tests fail
   * it. `unscoped` tells why those of the returned one need not, for example because `save` finds rows by id, and these were read through
   * the store. It emits no events and checks no `If-Match`.
   */
  abstract entityManager(unscoped?: string): Promise<EntityManager>;
}
