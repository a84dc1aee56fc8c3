import type { Type } from '@nestjs/common';

export interface SweepOptions {
  /** `module.verb`, for example `documents.expire`. Unique over all modules. */
  name: string;
  /** From one start to the next, at least 1; workers look every few seconds. */
  everySeconds: number;
}

/**
 * Work that falls due by time alone. It runs on the workers, on one process at a time, from the first start on; runs that
 * were missed while nothing ran are caught up by one. A process may die in the middle and another begin again, so a handler
 * finds out from the rows what is still to be done, and narrows each change to its place by `Contexts`.
 */
export interface SweepHandler {
  /**
   * `now` is the database's. Throws, and runs again at its next time. Aborted `signal`: the process is told to stop; end
   * soon by throwing, and another process takes the run over.
   */
  run(now: Date, signal: AbortSignal): Promise<void>;
}

const SWEEP = Symbol('sweep');

/** Makes a provider of a module a sweep's handler; list it in the manifest's `sweeps`, not among the providers. */
export function Sweep(options: SweepOptions): ClassDecorator {
  return (target) => Reflect.defineMetadata(SWEEP, Object.freeze({ ...options }), target);
}

export function sweepOf(handler: Type): SweepOptions {
  const options = Reflect.getMetadata(SWEEP, handler) as SweepOptions | undefined;
  if (!options) throw new Error(`${handler.name} is listed among the sweeps but has no @Sweep.`);
  if (!Number.isInteger(options.everySeconds) || options.everySeconds < 1)
    throw new Error(`The sweep ${options.name} must run every 1 or more whole seconds.`);
  return options;
}
