/** The duration of a lease from when it is taken or renewed. */
export const LEASE_MS = 20_000;
export const RENEW_EVERY_MS = 5_000;

/** The lease under which a process does work that another one could do, such as a job; renewed until `end`. */
export class Lease {
  private readonly lost = new AbortController();
  private readonly timer: NodeJS.Timeout;

  /**
   * `renew` resolves to whether this worker still held the lease. `renewedAt` is when the lease was requested, by `performance.now()`, so
   * that it ends here before it ends in the database.
   */
  constructor(
    private readonly renew: () => Promise<boolean>,
    private renewedAt: number,
    private readonly durationMs = LEASE_MS,
    renewEveryMs = RENEW_EVERY_MS,
  ) {
    this.timer = setInterval(() => void this.extend(), renewEveryMs);
  }

  /** Aborted once the lease is lost: another process may do the work by then. */
  get signal(): AbortSignal {
    return this.lost.signal;
  }

  /** Throws if the lease is lost. Compares with the clock, because timers are late when the process was blocked. */
  requireHeld(): void {
    if (performance.now() - this.renewedAt >= this.durationMs) this.lose('it could not be renewed in time');
    this.signal.throwIfAborted();
  }

  /** Renews the lease now and throws if it is lost: for work that must notice immediately if another process has taken it over. */
  async requireRenewed(): Promise<void> {
    await this.extend();
    this.requireHeld();
  }

  end(): void {
    clearInterval(this.timer);
  }

  private async extend(): Promise<void> {
    const renewedAt = performance.now();
    if (renewedAt - this.renewedAt >= this.durationMs) return this.lose('it could not be renewed in time');
    try {
      if (await this.renew()) this.renewedAt = renewedAt;
      else this.lose('another process has taken the work over');
    } catch {
      // the next attempt may come before the lease expires
    }
  }

  private lose(why: string): void {
    this.end();
    this.lost.abort(new Error(`The lease of this work was lost: ${why}.`));
  }
}
