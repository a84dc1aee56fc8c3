import type { Type } from '@nestjs/common';
import type { Ctx, Mode } from '../callers/ctx.js';
import type { Sql } from '../sql/sql.js';

export interface ScheduledJobOptions {
  /** `module.verb_noun`, for example `documents.expire`. Unique across all modules. */
  name: string;
  /** Seconds from the start of one run to the start of the next, at least 1. */
  everySeconds: number;
  /** The job also runs as soon as a mail was sent, or finally could not be. */
  followsMails?: boolean;
}

/** A row that is due, with the tenant it belongs to. A handler may select further columns. */
export interface DueRow {
  /** A UUID, unique within the query's result. */
  id: string;
  organization_id: string;
  project_id: string | null;
  mode: Mode;
}

/** Runs `sql.unscoped`, also such that writes, on the rows of all organizations. Each statement commits by itself. */
export interface UnscopedSql {
  query<R extends object>(statement: Sql): Promise<R[]>;
}

/**
 * Work that falls due by time, or that follows mails. Each run handles all rows that are due, on one worker at a time; runs that were
 * missed while no worker ran are made up for by one.
 *
 * The platform fetches the rows in batches, in the order of their ids, and handles each row at most once per run, even if it
 * stays due. A row whose handler throws is logged and does not hold up the others: the run is reported as failed at its end
 * and the row is retried by a later run, with increasing delays.
 */
export interface ScheduledJobHandler<R extends DueRow = DueRow> {
  /**
   * Runs before `due`: changes that need no handling row by row, over all organizations. Work in batches and look at `signal` in
   * between.
   */
  prepare?(sql: UnscopedSql, now: Date, signal: AbortSignal): Promise<void>;
  /** Selects the due rows of all organizations, with `sql.unscoped`. Without ORDER BY and LIMIT. `now` is the database's time. */
  due(now: Date): Sql;
  /**
   * Handles one row. `ctx` acts as the system within the row's tenant. A run may be interrupted or repeated, and the row may
   * have changed since it was selected: lock it and check again whether it is due.
   *
   * `signal` is aborted when the worker is told to stop or has lost its lease: long work should throw then, and another worker
   * takes the run over. Writes with `ctx` fail once the lease is lost.
   */
  handle(ctx: Ctx, row: R, now: Date, signal: AbortSignal): Promise<void>;
}

const SCHEDULED_JOB = Symbol('scheduled job');

/**
 * Makes a class the handler of a scheduled job. List it in the manifest's `scheduledJobs`, not among the providers.
 *
 * @example
 * ```ts
 * import { Injectable } from '@nestjs/common';
 * import { ScheduledJob, sql, Store, table, type Ctx, type DueRow, type ScheduledJobHandler } from 'work-suite/kit';
 * import { Trip } from './trip.entity.js';
 *
 * @Injectable()
 * @ScheduledJob({ name: 'fleet.end_trips', everySeconds: 300 })
 * export class EndTrips implements ScheduledJobHandler {
 *   constructor(private readonly store: Store) {}
 *
 *   due(now: Date) {
 *     return sql.unscoped('due trips of all organizations')`
 *       SELECT t.id, t.organization_id, t.project_id, t.mode FROM ${table(Trip)} t WHERE t.status = 'planned' AND t.ends_at <= ${now}`;
 *   }
 *
 *   async handle(ctx: Ctx, { id }: DueRow): Promise<void> {
 *     await this.store.write(ctx, async (tx) => tx.update(await tx.lock(Trip, id), { status: 'done' }));
 *   }
 * }
 * ```
 */
export function ScheduledJob(options: ScheduledJobOptions): ClassDecorator {
  return (target) => Reflect.defineMetadata(SCHEDULED_JOB, Object.freeze({ ...options }), target);
}

export function scheduledJobOf(handler: Type): ScheduledJobOptions {
  const options = Reflect.getMetadata(SCHEDULED_JOB, handler) as ScheduledJobOptions | undefined;
  if (!options) throw new Error(`${handler.name} is listed among the scheduled jobs but has no @ScheduledJob.`);
  if (!Number.isInteger(options.everySeconds) || options.everySeconds < 1)
    throw new Error(`everySeconds of the scheduled job ${options.name} must be a whole number of at least 1.`);
  return options;
}
