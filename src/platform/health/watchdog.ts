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
 * Ends a process whose pool or queues are stuck although the database has responded to new connections all that time: a restart repairs
 * it. While the database does not respond at all, a restart would not help, so the process keeps running. Times are monotonic, so a clock
 * correction or a suspended machine is not mistaken for a stall.
 */
export class Watchdog implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger('Health');
  private timer: NodeJS.Timeout | undefined;
  private poolRespondedAt = performance.now();
  /** Since when new connections succeed; null while they fail. After an outage, the pool and the queues need time to recover. */
  private respondsSince: number | null = null;
  private asking = false;
  private ending = false;

  constructor(private readonly options: WatchdogOptions) {}

  /** Whether this process is about to end because it is stuck. */
  get stuck(): boolean {
    return this.ending;
  }

  onApplicationBootstrap(): void {
    this.poolRespondedAt = performance.now();
    this.timer = setInterval(() => void this.check(), this.options.everyMs).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private async check(): Promise<void> {
    this.askPool();
    await this.askAfresh();
    const since = performance.now() - this.options.stuckAfterMs;
    const { respondsSince } = this;
    if (this.ending || respondsSince === null || respondsSince > since) return;
    const stopped = this.stoppedSince(since);
    if (stopped.length === 0) return;
    this.ending = true;
    clearInterval(this.timer);
    this.log.fatal(`No progress of ${stopped.join(', ')} for ${this.options.stuckAfterMs / 1_000} s; this process ends.`);
    this.options.end();
  }

  private stoppedSince(since: number): string[] {
    return [...(this.poolRespondedAt < since ? ['the database pool'] : []), ...this.options.progress.stalledSince(since)];
  }

  /** One statement at a time: they must not pile up in a pool that hangs. */
  private askPool(): void {
    if (this.asking) return;
    this.asking = true;
    this.options
      .askPool()
      .then(
        () => (this.poolRespondedAt = performance.now()),
        () => undefined,
      )
      .finally(() => (this.asking = false));
  }

  private async askAfresh(): Promise<void> {
    const answer = this.options.askAfresh().then(
      () => true,
      () => false,
    );
    const responds = await Promise.race([answer, sleep(this.options.everyMs, false, { ref: false })]);
    this.respondsSince = responds ? (this.respondsSince ?? performance.now()) : null;
  }
}
