import { setTimeout as sleep } from 'node:timers/promises';
import { Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Progress } from './progress.js';

export interface WatchdogOptions {
  progress: Progress;
  /** A statement on a connection of the application's pool. */
  askPool(): Promise<unknown>;
  /** The same on a new connection. */
  askAfresh(): Promise<unknown>;
  /** Called once. */
  end(): void;
  everyMs: number;
  /** More than the timeout of a statement. */
  stuckAfterMs: number;
}

/**
 * Ends a process whose pool or queues have stopped although the database responds to a new connection: a restart repairs it. While
 * the database does not respond at all, a restart would not help, so the process stays.
 */
export class Watchdog implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger('Health');
  private timer: NodeJS.Timeout | undefined;
  private poolRespondedAt = Date.now();
  private asking = false;
  private ending = false;

  constructor(private readonly options: WatchdogOptions) {}

  /** Whether this process is about to end because it is stuck. */
  get stuck(): boolean {
    return this.ending;
  }

  onApplicationBootstrap(): void {
    this.poolRespondedAt = Date.now();
    this.timer = setInterval(() => void this.check(), this.options.everyMs).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private async check(): Promise<void> {
    this.askPool();
    const stopped = this.stopped();
    if (stopped.length === 0 || this.ending || !(await this.databaseResponds())) return;
    // it may have recovered meanwhile
    const still = this.stopped();
    if (still.length === 0) return;
    this.ending = true;
    clearInterval(this.timer);
    this.log.fatal(`No progress of ${still.join(', ')} for ${this.options.stuckAfterMs / 1_000} s; this process ends.`);
    this.options.end();
  }

  private stopped(): string[] {
    const since = Date.now() - this.options.stuckAfterMs;
    return [...(this.poolRespondedAt < since ? ['the database pool'] : []), ...this.options.progress.stalledSince(since)];
  }

  /** One statement at a time: a pool that hangs must not collect them. */
  private askPool(): void {
    if (this.asking) return;
    this.asking = true;
    this.options
      .askPool()
      .then(
        () => (this.poolRespondedAt = Date.now()),
        () => undefined,
      )
      .finally(() => (this.asking = false));
  }

  private databaseResponds(): Promise<boolean> {
    const answer = this.options.askAfresh().then(
      () => true,
      () => false,
    );
    return Promise.race([answer, sleep(this.options.everyMs, false, { ref: false })]);
  }
}
