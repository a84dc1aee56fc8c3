import type { Type } from '@nestjs/common';
import type { Ctx } from '../callers/ctx.js';
import type { AdvancedTx } from './advanced.js';
import type { CustomFieldChecks } from './custom-fields.js';
import type { BaseEntity } from './entities.js';
import type { EventData, EventDefinition } from './events.js';
import type { ListQuery, Page } from '../fields/list-query.js';
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
export interface SqlReader {
  sql<R extends object>(statement: Sql): Promise<R[]>;
}

/**
 * The only access to business rows. Every method restricts its statement to the caller's organization, project pin and mode, so a row
 * outside them is not found, not counted and not changed.
 *
 * @example
 * ```ts
 * import { Injectable } from '@nestjs/common';
 * import { Store, type Ctx } from 'work-suite/kit';
 * import { TripEvents, tripView, type CreateTripDto } from './trip.dto.js';
 * import { Trip } from './trip.entity.js';
 *
 * @Injectable()
 * export class TripsService {
 *   constructor(private readonly store: Store) {}
 *
 *   create(ctx: Ctx, project_id: string, { title, starts_on }: CreateTripDto): Promise<Trip> {
 *     return this.store.write(ctx, async (tx) => {
 *       const trip = await tx.insert(Trip, { project_id, title, starts_on });
 *       tx.emit(TripEvents.created, { projectId: project_id, object: tripView(trip) });
 *       return trip;
 *     });
 *   }
 * }
 * ```
 */
export abstract class Store {
  /**
   * The row, or `not_found`. `get`, `find` and `page` also read the entity's virtual columns (TypeORM's `@VirtualColumn`), in the same
   * statement. `list`, and methods that lock or write rows, leave them out. Columns with `select: false` are for answers only, such as
   * names of the rows to which ids lead: `get` and `find` of a `Tx` leave those out as well.
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
   * statement is a SELECT, also after WITH, that neither writes nor locks. Like with `Tx.sql`, `own` restricts it to the caller.
   */
  abstract reader(ctx: Ctx): SqlReader;
  /** Whether the call is only tried out: what it writes is rolled back, and what it does outside of the database must be left out. */
  abstract isDryRun(ctx: Ctx): boolean;
  /**
   * Runs a change in the request's transaction: opened by the first write, committed by the pipeline together with the
   * events emitted and the idempotency record, or not at all. Outside a request (jobs, commands) it commits at the end.
   * A write inside a write joins it; with another caller's context it throws.
   */
  abstract write<R>(ctx: Ctx, change: (tx: Tx) => Promise<R>): Promise<R>;
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
   * a foreign key is enough.
   */
  lock?: 'key share' | 'update' | 'none';
}

/** How `tx.delete` deletes. */
export interface DeleteOptions {
  /** The row cannot be restored. */
  forGood?: boolean;
  /** The ids of the rows that referred to it and that the change has detached: the handler that restores it gets them. */
  detached?: readonly string[];
  /** Callers know no such rows: a dry run does not list it. */
  isInternal?: boolean;
}

/** How the next number of a series is drawn. */
export interface NumberOptions {
  /**
   * Without gaps, as the law requires for invoices: changes that use the same series run one after the other. By default a change that
   * fails does not give its number back.
   */
  gapless?: boolean;
}

/** What a statement does. */
export interface SqlOptions {
  /** It is a SELECT that neither writes nor locks, nor calls a function that does: it needs no transaction until something was written. */
  onlyReads?: boolean;
}

/**
 * What can be done inside a transaction. Nothing outside the database is called from in here.
 *
 * @example
 * ```ts
 * import { changedFrom, type Ctx, type Store } from 'work-suite/kit';
 * import { TripEvents, tripView } from './trip.dto.js';
 * import { Trip } from './trip.entity.js';
 *
 * export const rename = (store: Store, ctx: Ctx, id: string, title: string) =>
 *   store.write(ctx, async (tx) => {
 *     const before = await tx.target(Trip, id);
 *     const after = await tx.update(before, { title });
 *     if (after.version > before.version) {
 *       const [object, previous] = [tripView(after), changedFrom(tripView(before), tripView(after))];
 *       tx.emit(TripEvents.updated, { projectId: after.project_id, object, previous });
 *     }
 *     return after;
 *   });
 * ```
 */
export abstract class Tx {
  abstract get<E extends BaseEntity>(entity: Type<E>, id: string): Promise<E>;
  abstract find<E extends BaseEntity>(entity: Type<E>, id: string): Promise<E | null>;
  abstract list<E extends BaseEntity>(entity: Type<E>, where?: Where<E>, ...conditions: Condition<NoInfer<E>>[]): Promise<E[]>;
  /** The row that the request's path names: locked, `not_found` if it is not the caller's, checked against `If-Match`. */
  abstract target<E extends BaseEntity>(entity: Type<E>, id: string): Promise<E>;
  /** Another row, locked until the end of the transaction, or `not_found`. */
  abstract lock<E extends BaseEntity>(entity: Type<E>, id: string): Promise<E>;
  /**
   * The caller's rows that match, locked until the end of the transaction in the order of their ids, so that two callers
   * cannot deadlock. Rows that stop matching while this waits for their locks are left out.
   */
  abstract lockWhere<E extends BaseEntity>(entity: Type<E>, where?: Where<E>, ...conditions: Condition<NoInfer<E>>[]): Promise<E[]>;
  /**
   * The row that a field of the request names, locked against deletion by default; 400 `validation_failed` for the field if it is not the
   * caller's: `tx.reference(Vehicle, body.vehicle_id, 'vehicle_id', { projectId: trip.project_id })`.
   */
  abstract reference<E extends BaseEntity>(entity: Type<E>, id: string, param: string, options?: ReferenceOptions<E>): Promise<E>;
  /** Writes a new row; id, organization and mode are set here. A pinned key's project wins over the values'. */
  abstract insert<E extends BaseEntity>(entity: Type<E>, values: Partial<E>): Promise<E>;
  /**
   * Writes changed columns, raises `version` and `updated_at`; returns the row as it is now. Nothing changed: no write.
   * `resource_conflict` when the row was changed or deleted since it was read; lock it to rule that out.
   */
  abstract update<E extends BaseEntity>(row: E, changes: Partial<E>): Promise<E>;
  /** A row of a restorable resource (the manifest's `restorable`) goes to the bin, unless `forGood`. */
  abstract delete<E extends BaseEntity>(row: E, options?: DeleteOptions): Promise<void>;
  /**
   * The next number of a series, from 1, never given twice. Each project has its own series; null is the series of the organization. Test
   * mode has series of its own. A series must always be used with the same options.
   */
  abstract next(series: string, projectId: string | null, options?: NumberOptions): Promise<number>;
  /** Records an event with the change. Its body is serialized now, so later changes of the objects do not affect it. */
  abstract emit<P extends object>(event: EventDefinition<P>, data: EventData<P>): void;
  /**
   * Runs a part of the change in a savepoint: if it fails, its writes and events are undone and the error is rethrown. Parts must not run
   * concurrently.
   */
  abstract attempt<R>(part: () => Promise<R>): Promise<R>;
  /** Runs after the commit. For notifications, not for work that must happen: a crash before it loses it. */
  abstract afterCommit(action: () => void | Promise<void>): void;
  /**
   * SQL that the other methods cannot express: a call of the module's own function, a statement over a set. Each table in it must be
   * restricted to the caller with `own`, or be joined by its composite key to one that is. Tests parse every statement and fail one that
   * is not restricted.
   */
  abstract sql<R extends object>(statement: Sql, options?: SqlOptions): Promise<R[]>;
  /** Checks the custom fields of rows that are written. Read `custom-fields.md` first. */
  abstract readonly customFields: CustomFieldChecks;
  /** When the change began, by this process's clock; the same when the change runs again. */
  abstract readonly startedAt: Date;
  /** Audit, mutexes, pipelined writes, long work, TypeORM. Read `advanced.md` first. */
  abstract readonly advanced: AdvancedTx;
}
