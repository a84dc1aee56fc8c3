import { AsyncLocalStorage } from 'node:async_hooks';
import { CommonErrors, currentTime } from '../../../kit/index.js';
import { ChangeRetry } from './change-retry.js';

/** Maximum number of runs of one change. More would mean that its data changes faster than the work finishes. */
const MAX_RUNS = 20;

/** Thrown by `prepared` to end a run. It never reaches a caller, even if the change catches it. */
class NotPrepared extends Error {}

/** One run of a change. */
interface Run {
  /** The context that the change belongs to. */
  owner: object;
  /** The transaction was rolled back; another run follows. */
  abandoned: boolean;
}

/** The run of the executing code, also of code that the run started without awaiting it. */
const running = new AsyncLocalStorage<Run>();

/** Throws in code of an abandoned run, which must neither join the next run nor write on its own. */
export function requireLiveRun(owner: object): void {
  const run = running.getStore();
  if (run?.abandoned && run.owner === owner) {
    throw new Error('This run of the change was rolled back, and the change runs again; this run can do nothing more.');
  }
}

interface Work {
  key: string;
  run: () => Promise<unknown>;
}

/**
 * The state of one change over its runs. A change that needs long work ends its run: the transaction is rolled back, the work runs
 * without a connection, and the change runs again with the result.
 */
export class ChangeRuns {
  /** When the first run began. */
  readonly startedAt = currentTime();
  private readonly results = new Map<string, PromiseSettledResult<unknown>>();
  /** The numbers reserved from each series, in order: a rolled-back run used none of them, so the next run gets the same. */
  private readonly numbers = new Map<string, Promise<number>[]>();
  private readonly drawn = new Map<string, number>();
  private pending: Work | null = null;
  /** The first gapless series that the change used. */
  gaplessSeries: string | null = null;
  private count = 1;
  private current: Run | null = null;
  readonly retry = new ChangeRetry();

  /** Runs the change once. Code of it that still runs after `abandon` is rejected. */
  run<R>(owner: object, change: () => Promise<R>): Promise<R> {
    this.current = { owner, abandoned: false };
    return running.run(this.current, change);
  }

  /** The current run is rolled back and another one will follow. */
  abandon(): void {
    if (this.current) this.current.abandoned = true;
  }

  /** The result of the work if it was done before this run; otherwise the run ends. */
  async prepared<R>(key: string, run: () => Promise<R>): Promise<R> {
    const result = this.results.get(key) as PromiseSettledResult<R> | undefined;
    if (result === undefined) {
      this.pending ??= { key, run };
      throw new NotPrepared('The change runs again once its work is done.');
    }
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  }

  /** The next number of a series: the one of the previous run, if that run used as many. */
  number(series: string, draw: () => Promise<number>): Promise<number> {
    let numbers = this.numbers.get(series);
    if (!numbers) this.numbers.set(series, (numbers = []));
    const position = this.drawn.get(series) ?? 0;
    this.drawn.set(series, position + 1);
    return (numbers[position] ??= draw());
  }

  /** Lets the change run again without the work that its last run requested. */
  forgetWork(): void {
    this.pending = null;
    this.drawn.clear();
  }

  /** Whether the change runs again after this failure of its last run. */
  runsAgainAfter(error: unknown): boolean {
    if (!this.retry.follows(error)) return false;
    this.abandon();
    this.forgetWork();
    return true;
  }

  get needsWork(): boolean {
    return this.pending !== null;
  }

  /** Does the work that the last run requested. Call it while no transaction is open. */
  async work(): Promise<void> {
    const { key, run } = this.pending as Work;
    if (this.count++ === MAX_RUNS) {
      throw CommonErrors.unavailable({
        message: 'The data that this change depends on keeps changing; nothing was written. Repeat the request later.',
        headers: { 'Retry-After': '1' },
      });
    }
    const [result] = await Promise.allSettled([run()]);
    this.results.set(key, result);
    this.forgetWork();
  }
}
