import type { Type } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { BaseEntity } from './entities.js';
import type { Sql } from '../sql/sql.js';
import type { Decimal } from '../values/decimals.js';

/** What is added to numeric columns. */
export type Amounts<E> = { [K in keyof E]?: Decimal };

/** What was done to an object. `before` and `after` must contain no secrets. */
export interface AuditRecord {
  /** In the past tense, such as `exported`. */
  action: string;
  /** Such as `webhook_endpoint`. */
  objectType: string;
  objectId: string | null;
  before?: object | null;
  after?: object | null;
}

/** What `tx.advanced` has. `advanced.md` explains for each method the reason, the danger and what it gains. */
export abstract class AdvancedTx {
  /** Writes without waiting for their results. */
  abstract readonly pipelined: PipelinedWrites;
  /**
   * Writes an entry of the audit log, in this transaction. Changes of organization and configuration entities by the store have theirs
   * without it; call it for what else concerns access, configuration or administration, such as an export.
   */
  abstract audit(record: AuditRecord): void;
  /** Runs work whose changes have no entries in the audit log of their own, because one entry describes them all. */
  abstract unaudited<R>(work: () => Promise<R>): Promise<R>;
  /** `update` that also writes when no column changes: for a row whose representation shows other rows that have changed. */
  abstract touch<E extends BaseEntity>(row: E, changes?: Partial<E>): Promise<E>;
  /**
   * Deletes a row for callers but keeps it, with `changes` that say so, as an operation restores it within 30 days (`undoneBy` of the
   * manifest). The module leaves such rows out of what it reads, and its `retention` deletes them.
   */
  abstract remove<E extends BaseEntity>(row: E, changes: Partial<E>): Promise<void>;
  /**
   * Locks mutexes by name until the end of the transaction, waiting for whoever holds one. One call locks its names in a fixed
   * order, so that two such calls cannot deadlock; several calls in one transaction can. Names are global: put an id in them.
   * Statements after it see what earlier holders committed.
   */
  abstract mutex(...names: string[]): Promise<void>;
  /**
   * Call it before deciding about what was read without a lock, such as whether a unique value is free. If the change then fails because
   * of what others have written, it is rolled back and runs again: once if a unique value was taken, and once if another constraint,
   * `raise_stale_row()` or a deadlock shows that what it read was stale. Returns whether this is the first run: if not, lock what the
   * change decides about. Within `attempt`, only the part runs again.
   */
  abstract retryOnConflict(): boolean;
  /**
   * The result of work that takes too long for a transaction, such as typesetting. When it is not there yet, the transaction
   * is rolled back, the work runs without a database connection, and the whole change runs again and gets the result here;
   * an error of the work is thrown here, too. The key must name everything that the result depends on, and the change must
   * take its time from `startedAt`. Nothing that a change does outside of its transaction may depend on how often it runs.
   * After 20 runs it fails with `unavailable`.
   */
  abstract prepared<R>(key: string, work: () => Promise<R>): Promise<R>;
  /**
   * Makes the next number of a series greater than `last`. A gapless series is advanced in the transaction, any other immediately.
   */
  abstract advance(series: string, projectId: string | null, last: number, gapless: boolean): Promise<void>;
  /**
   * Call it before writing hundreds of rows. Prepared statements and checks of foreign keys that were planned while a table had few rows
   * read it as a whole, and PostgreSQL would plan them again only when it has analyzed the table, which it cannot do while the rows are
   * being written: each row would read all those before it.
   */
  abstract expectManyRows(): Promise<void>;
  /** Whether the whole call is only tried out, so that the platform rolls it back at its end. */
  abstract readonly isDryRun: boolean;
  /**
   * TypeORM's `EntityManager` on this transaction, for what the other methods cannot express: relations, query builders, repositories.
   * Its writes commit or roll back with all others; its `transaction` is a savepoint, and it cannot end the transaction itself. A
   * statement is one command. It restricts nothing: each statement must name the caller's organization, mode and project pin, or tests fail
   * it. `unscoped` tells why those of the returned one need not, for example because `save` finds rows by id, and these were read through
   * the store. It emits no events and checks no `If-Match`.
   */
  abstract entityManager(unscoped?: string): Promise<EntityManager>;
}

/**
 * Writes that are sent without waiting for their results: those of one tick share a packet, and a change that waits for none of its writes
 * commits together with others. A constraint violation or `resource_conflict` surfaces at the next statement that is awaited, or at the
 * commit: a `catch` around these calls sees neither.
 */
export abstract class PipelinedWrites {
  /**
   * The row that comes back is computed here, so the values must include every column whose default is not null. `at` is the time of the
   * row, by default that of the transaction.
   */
  abstract insert<E extends BaseEntity>(entity: Type<E>, values: Partial<E>, at?: Date): Promise<E>;
  abstract update<E extends BaseEntity>(row: E, changes: Partial<E>): Promise<E>;
  /**
   * Adds amounts to columns of a row, whatever they are, and raises `version`; `updated_at` becomes at least `at`. Amounts of 0 change
   * nothing. A constraint rejects a result that is not valid; `resource_conflict` if the row does not exist. Increments with which a
   * change begins are sent in the order of their rows' ids, table by table as the change first used them. A change of more than 30
   * statements sends the others as they come: call it in that order.
   */
  abstract increment<E extends BaseEntity>(entity: Type<E>, id: string, amounts: Amounts<E>, at: Date): void;
  /** A statement like that of `Tx.sql`. It must not change the transaction's settings, which other changes may share. */
  abstract sql(statement: Sql): void;
}
