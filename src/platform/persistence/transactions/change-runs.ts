import { CommonErrors } from '../../../kit/index.js';

/** Runs of one change. More mean that what it prints changes faster than it is printed. */
const MAX_RUNS = 20;

/** Thrown by `Tx.prepared` to end a run; never reaches a caller, whatever the change does with it. */
class NotPrepared extends Error {}

interface Work {
  key: string;
  run: () => Promise<unknown>;
}

/**
 * What one change keeps over its runs. A change that needs long work ends its run: the transaction is rolled back, the
 * work runs without a connection, and the change runs again and finds the result.
 */
export class ChangeRuns {
  /** When the first run began. */
  readonly startedAt = new Date();
  private readonly results = new Map<string, PromiseSettledResult<unknown>>();
  /** The numbers drawn from each series, in order: a rolled-back run used none of them, so the next run gets the same. */
  private numbers: Map<string, Promise<number>[]> | null = null;
  private drawn: Map<string, number> | null = null;
  private pending: Work | null = null;
  /** The first gapless series that the change drew from. */
  gaplessSeries: string | null = null;
  private count = 1;

  /** The result of work that was done before this run; otherwise the run ends. */
  async prepared<R>(key: string, run: () => Promise<R>): Promise<R> {
    const result = this.results.get(key) as PromiseSettledResult<R> | undefined;
    if (result === undefined) {
      this.pending ??= { key, run };
      throw new NotPrepared('The change runs again when its work is done.');
    }
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  }

  /** The next number of a series: the one of the run before, if that drew as many. */
  number(series: string, draw: () => Promise<number>): Promise<number> {
    this.numbers ??= new Map();
    this.drawn ??= new Map();
    let numbers = this.numbers.get(series);
    if (!numbers) this.numbers.set(series, (numbers = []));
    const position = this.drawn.get(series) ?? 0;
    this.drawn.set(series, position + 1);
    return (numbers[position] ??= draw());
  }

  /** Lets the change run again without the work that its last run asked for. */
  forgetWork(): void {
    this.pending = null;
    this.drawn = null;
  }

  get needsWork(): boolean {
    return this.pending !== null;
  }

  /** Does the work that the last run asked for. Call it when no transaction is open. */
  async work(): Promise<void> {
    const { key, run } = this.pending as Work;
    if (this.count++ === MAX_RUNS) {
      throw CommonErrors.unavailable({
        message: 'What this change rests on keeps changing; nothing was written. Repeat the request shortly.',
        headers: { 'Retry-After': '1' },
      });
    }
    const [result] = await Promise.allSettled([run()]);
    this.results.set(key, result);
    this.forgetWork();
  }
}
