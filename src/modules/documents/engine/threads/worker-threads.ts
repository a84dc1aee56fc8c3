import { Logger } from '@nestjs/common';
import pLimit, { type LimitFunction } from 'p-limit';
import { CommonErrors, inSpan, Lazy } from '../../../../kit/index.js';
import { compileCache } from './compile-cache.js';
import { OUT_OF_TIME, WorkerProcesses } from './worker-processes.js';

/** Clients retry by themselves if it is short. */
const RETRY_AFTER_SECONDS = '5';

export interface ThreadOptions {
  /** The result of a job, as error messages name it. */
  what: string;
  /** The file that the threads run. */
  worker: URL;
  threads: number;
  /** A thread that is idle for this long is stopped to free its memory. */
  idleMs: number;
  /** On the clock. A job that takes longer fails with 503, so it is a multiple of what the largest job needs on an idle machine. */
  timeoutMs: number;
  /** The CPU time of a job in a process. A job that needs more fails; the clock says nothing about a file while the machine is busy. */
  maxCpuMs?: number;
  /** Jobs that may wait for a thread. More are rejected with 503. A waiting request holds no database connection. */
  maxWaiting: number;
  /** The largest heap of a process. A job that needs more fails. */
  maxHeapMb?: number;
  /** The most memory of a process: its heap, Node itself, buffers, and what native code and WebAssembly allocate. */
  maxMemoryMb?: number;
  /** Whether the jobs run in processes, because they read files from outside, which can end a process. */
  inProcesses?: boolean;
}

interface Pool {
  run(input: object, options: { name: string; signal: AbortSignal }): Promise<unknown>;
  destroy(): Promise<void>;
}

/** A pool of worker threads, or of processes. */
export class WorkerThreads {
  private readonly logger = new Logger(WorkerThreads.name);
  private readonly pool: Lazy<Pool>;
  /** Gives the pool only as many jobs as it can run at once, so that waiting does not count toward the time limit. */
  private readonly limit: LimitFunction;

  /** `sharing`: whose pool of processes runs the jobs, so that what another kind of job has started and loaded is ready. */
  constructor(
    private readonly options: ThreadOptions,
    private readonly sharing?: WorkerThreads,
  ) {
    this.limit = pLimit(options.threads);
    this.pool = sharing?.pool ?? new Lazy<Pool>(() => this.start());
  }

  async run<R>(name: string, input: object): Promise<R> {
    const { what, maxWaiting } = this.options;
    if (this.limit.pendingCount >= maxWaiting)
      throw this.unavailable(`Too many requests wait for a result of this kind (${what}). Retry the request shortly.`);
    return this.limit(async () => {
      const signal = AbortSignal.timeout(this.options.timeoutMs);
      try {
        return (await inSpan(`${what}: ${name}`, async () => (await this.pool.get()).run(input, { name, signal }))) as R;
      } catch (error) {
        if (!signal.aborted || tookTooLong(error)) throw error;
        const seconds = this.options.timeoutMs / 1000;
        const why = 'because the service is busy or the document is large';
        throw this.unavailable(`The ${what} was not ready within ${seconds} s, ${why}. Retry the request.`, signal.reason);
      }
    });
  }

  async close(): Promise<void> {
    if (!this.sharing) await (await this.pool.ifLoaded())?.destroy();
  }

  private async start(): Promise<Pool> {
    const { worker, threads, idleMs, inProcesses = false } = this.options;
    if (inProcesses) return new WorkerProcesses({ ...this.options, entry: compiledWorker(new URL('./process-entry.js', import.meta.url)) });
    const { Piscina } = await import('piscina');
    const pool = new Piscina({
      filename: worker.href,
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: idleMs,
      atomics: 'disabled',
      env: compileCache(),
    });
    // If a thread cannot start, its job ends by the timeout.
    pool.on('error', (error) => this.logger.error(error));
    return pool;
  }

  private unavailable(message: string, cause?: unknown): Error {
    return CommonErrors.unavailable({ message, cause, headers: { 'Retry-After': RETRY_AFTER_SECONDS } });
  }
}

/** Whether a job was stopped because it needed more time than its limits. */
export function tookTooLong(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === OUT_OF_TIME;
}

/** Whether a job needed more memory than its limits, or ended its process. */
export function tookTooMuchMemory(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
}

/** Threads and processes run compiled code. An application that runs from source, as in tests, uses the worker of the last build. */
export function compiledWorker(worker: URL): URL {
  if (!import.meta.url.endsWith('.ts')) return worker;
  return new URL(worker.href.replace(/\/src\/(?=modules\/documents\/)/, '/dist/src/'));
}
