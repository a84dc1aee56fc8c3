import type { Type } from '@nestjs/common';
import type { Actor, Ctx } from '../callers/ctx.js';
import type { InternalEvent } from '../store/events.js';
import type { Tx } from '../store/store.js';

export interface JobOptions {
  /** `module.verb_noun`, for example `crm.import_leads`. Unique across all modules. */
  name: string;
  /**
   * Number of runs after which the job fails permanently. Default 10, with delays of 5 s, 15 s, 45 s ... up to an hour. A run that ends
   * with `FileUnavailable` does not count.
   */
  attempts?: number;
  /**
   * Its runs call servers outside of the installation. It waits while the operator holds such calls back (`OUTBOUND=off`, or a copied
   * database). Default false.
   */
  outbound?: boolean;
}

/** One run of a job. */
export interface JobRun {
  id: string;
  /** From 1. */
  attempt: number;
  /**
   * Aborted when the worker is told to stop or has lost its lease: long work should throw then, and another worker runs the job
   * again. Writes with the context fail once the lease is lost.
   */
  signal: AbortSignal;
}

/**
 * Work that runs after the request, at least once. If a worker dies during a run, another one runs the job again, so handlers
 * must be idempotent. A handler that throws is retried later.
 */
export interface JobHandler<P extends object = object> {
  /** `ctx` has the organization, project and mode of the caller that added the job, and acts on that caller's behalf. */
  run(ctx: Ctx, payload: P, run: JobRun): Promise<void>;
}

/** The handler of events: the manifest's `onInternalEvent`. */
export interface EventListener extends JobHandler<InternalEvent> {
  /**
   * What it will do about an event, for the answer to a dry run of the call that would emit it: one sentence each, such as "Accounting
   * issues the invoice of order O-42." It only reads.
   */
  foresee?(ctx: Ctx, event: InternalEvent): Promise<readonly string[]>;
}

const JOB = Symbol('job');

/**
 * Makes a class the handler of a job. List it in the manifest's `jobs`, not among the providers.
 *
 * @example
 * ```ts
 * import { Job, type Ctx, type JobHandler, type JobRun } from 'work-suite/kit';
 *
 * @Job({ name: 'notes.index' })
 * export class IndexNote implements JobHandler<{ noteId: string }> {
 *   async run(ctx: Ctx, { noteId }: { noteId: string }, run: JobRun): Promise<void> {}
 * }
 * ```
 */
export function Job(options: JobOptions): ClassDecorator {
  return (target) => Reflect.defineMetadata(JOB, Object.freeze({ ...options }), target);
}

export function jobOf(handler: Type): JobOptions {
  const options = Reflect.getMetadata(JOB, handler) as JobOptions | undefined;
  if (!options) throw new Error(`${handler.name} is listed among the jobs but has no @Job.`);
  return options;
}

/**
 * Adds jobs.
 *
 * @example
 * ```ts
 * import type { Ctx, JobHandler, Jobs, Tx } from 'work-suite/kit';
 *
 * abstract class PlanRoute implements JobHandler<{ tripId: string }> {
 *   abstract run(ctx: Ctx, payload: { tripId: string }): Promise<void>;
 * }
 *
 * export const planLater = (jobs: Jobs, ctx: Ctx, tx: Tx, tripId: string) =>
 *   jobs.add(ctx, tx, PlanRoute as never, { tripId }, { key: `route ${tripId}` });
 * ```
 */
export abstract class Jobs {
  /**
   * Adds a job in the transaction of a change, so that it exists only if the change commits. While a job with the same `key`
   * has not started, no second one is added.
   */
  abstract add<P extends object>(
    ctx: Ctx,
    tx: Tx,
    job: Type<JobHandler<P>>,
    payload: P,
    options?: { dueAt?: Date; key?: string },
  ): Promise<void>;
  /**
   * Adds the job unless one with its key is due, runs, or waits to run again: for a scheduled job that looks after rows whose job was lost.
   * It acts on behalf of `actor`, or else of the caller.
   */
  abstract ensure<P extends object>(
    ctx: Ctx,
    tx: Tx,
    job: Type<JobHandler<P>>,
    payload: P,
    options: { key: string; actor?: Actor },
  ): Promise<void>;
}
