import type { Type } from '@nestjs/common';
import type { EntityManager, SelectQueryBuilder } from 'typeorm';
import type { Ctx } from './ctx.js';
import type { BaseEntity } from './entities.js';
import type { EventData, EventDefinition } from './events.js';
import type { ListQuery, Page } from './list-query.js';

/** Equal to the value, or to one of an array's values; null means IS NULL. */
export type Where<E> = { [K in keyof E]?: E[K] | readonly E[K][] | null };

/** An SQL condition over the alias `t` for what `Where` cannot say; values by name, `:name`, `:...name` for a list. */
export interface Condition {
  sql: string;
  values: Record<string, unknown>;
}

/**
 * The one way to business rows. Every method narrows by the caller's organisation, project pin and mode before anything
 * else, so a row outside them is not found, not counted and not changed.
 */
export abstract class Store {
  /** The row, or `not_found`. */
  abstract get<E extends BaseEntity>(ctx: Ctx, entity: Type<E>, id: string): Promise<E>;
  abstract find<E extends BaseEntity>(ctx: Ctx, entity: Type<E>, id: string): Promise<E | null>;
  /** One page by the query's filters, sort and cursor, and the conditions given here. */
  abstract page<E extends BaseEntity>(ctx: Ctx, entity: Type<E>, query: ListQuery, ...conditions: Condition[]): Promise<Page<E>>;
  /** All rows that match, by id; for configuration, which is small. At most 1,000. */
  abstract list<E extends BaseEntity>(ctx: Ctx, entity: Type<E>, where?: Where<E>): Promise<E[]>;
  /** A query builder that is narrowed already, for whatever the other methods cannot say. */
  abstract select<E extends BaseEntity>(ctx: Ctx, entity: Type<E>, alias: string): SelectQueryBuilder<E>;
  /**
   * Runs a change in the request's transaction: opened by the first write, committed by the pipeline together with the
   * events emitted and the idempotency record, or not at all. Outside a request (jobs, commands) it commits at the end.
   */
  abstract write<R>(ctx: Ctx, change: (tx: Tx) => Promise<R>): Promise<R>;
}

/** What can be done inside a transaction. Nothing outside the database is called from in here. */
export abstract class Tx {
  abstract get<E extends BaseEntity>(entity: Type<E>, id: string): Promise<E>;
  abstract find<E extends BaseEntity>(entity: Type<E>, id: string): Promise<E | null>;
  abstract list<E extends BaseEntity>(entity: Type<E>, where?: Where<E>): Promise<E[]>;
  abstract select<E extends BaseEntity>(entity: Type<E>, alias: string): SelectQueryBuilder<E>;
  /** The row that the request's path names: locked, `not_found` if it is not the caller's, checked against `If-Match`. */
  abstract target<E extends BaseEntity>(entity: Type<E>, id: string): Promise<E>;
  /** Another row, locked until the end of the transaction, or `not_found`. Lock several in the order of their ids. */
  abstract lock<E extends BaseEntity>(entity: Type<E>, id: string): Promise<E>;
  /** Writes a new row; id, organisation and mode are set here. A pinned key's project wins over the values'. */
  abstract insert<E extends BaseEntity>(entity: Type<E>, values: Partial<E>): Promise<E>;
  /** Writes changed columns, raises `version` and `updated_at`; returns the row as it is now. Nothing changed: no write. */
  abstract update<E extends BaseEntity>(row: E, changes: Partial<E>): Promise<E>;
  abstract delete<E extends BaseEntity>(row: E): Promise<void>;
  /** The next number of a series, from 1, never given twice; the series is locked until the end of the transaction. */
  abstract next(series: string, projectId: string): Promise<number>;
  /** Records an event with the change; its body is frozen now. */
  abstract emit<P extends object>(event: EventDefinition<P>, data: EventData<P>): void;
  /** Runs a part that may fail on its own: its writes and events are undone, the error is thrown on. */
  abstract attempt<R>(part: () => Promise<R>): Promise<R>;
  /** Runs after the commit; for waking others, not for work that must happen. */
  abstract afterCommit(action: () => void | Promise<void>): void;
  /** Rows of a statement that the other methods cannot say, prepared once per connection. It narrows nothing: that is up to the statement. */
  abstract query<R extends object>(sql: string, values: readonly unknown[]): Promise<R[]>;
  /** TypeORM's manager of this transaction. It narrows nothing: only for SQL that the other methods cannot say. */
  abstract readonly manager: EntityManager;
}
