import type { Type } from '@nestjs/common';
import type { Ctx } from './ctx.js';
import type { Tx } from './store.js';

export interface JobOptions {
  /** `module.verb_noun`, for example `crm.import_leads`. Unique over all modules. */
  name: string;
  /** Runs after which the job has failed for good. Default 10, with waits of 5 s, 15 s, 45 s ... up to an hour between them. */
  attempts?: number;
}

/** What a run of a job knows of itself. */
export interface JobRun {
  id: string;
  /** From 1. */
  attempt: number;
  /** Aborted when the process is told to stop; throw then, and the job runs again elsewhere. */
  signal: AbortSignal;
}

/**
 * Work that happens after the request, at least once: a worker that dies in the middle leaves it to another, so a handler
 * does nothing twice that must happen once. It throws to be run again later.
 */
export interface JobHandler<P extends object = object> {
  /** `ctx` is narrowed to the organisation, mode and project of whoever added the job, and acts in their name. */
  run(ctx: Ctx, payload: P, run: JobRun): Promise<void>;
}

const JOB = Symbol('job');

/** Makes a provider of a module a job's handler; list it in the manifest's `jobs`, not among the providers. */
export function Job(options: JobOptions): ClassDecorator {
  return (target) => Reflect.defineMetadata(JOB, Object.freeze({ ...options }), target);
}

export function jobOf(handler: Type): JobOptions {
  const options = Reflect.getMetadata(JOB, handler) as JobOptions | undefined;
  if (!options) throw new Error(`${handler.name} is listed among the jobs but has no @Job.`);
  return options;
}

/** Where modules leave work for later. */
export abstract class Jobs {
  /**
   * Adds a job with the change: it is there when the transaction commits, and not otherwise. A second one with the same
   * `key` is left out as long as the first has not begun.
   */
  abstract add<P extends object>(
    ctx: Ctx,
    tx: Tx,
    job: Type<JobHandler<P>>,
    payload: P,
    options?: { dueAt?: Date; key?: string },
  ): Promise<void>;
}
