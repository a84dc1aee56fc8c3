/** For so long a lease is taken and renewed. */
export const LEASE_MS = 20_000;
export const RENEW_EVERY_MS = 5_000;

/** The lease under which a worker runs a job, renewed until `end`. */
export class Lease {
  private readonly lost = new AbortController();
  private readonly timer: NodeJS.Timeout;

  /**
   * `renew` resolves to whether this worker still held the lease. `renewedAt` is when the lease was asked for, by
   * `performance.now()`: so it ends here before it ends in the database.
   */
  constructor(
    private readonly renew: () => Promise<boolean>,
    private renewedAt: number,
  ) {
    this.timer = setInterval(() => void this.extend(), RENEW_EVERY_MS);
  }

  /** Aborted once the lease is lost: another worker may run the job by then. */
  get signal(): AbortSignal {
    return this.lost.signal;
  }

  /** Throws if the lease is lost. Compares with the clock, because timers are late when the process was blocked. */
  requireHeld(): void {
    if (performance.now() - this.renewedAt >= LEASE_MS) this.lose('it could not be renewed in time');
    this.signal.throwIfAborted();
  }

  end(): void {
    clearInterval(this.timer);
  }

  private async extend(): Promise<void> {
    const renewedAt = performance.now();
    if (renewedAt - this.renewedAt >= LEASE_MS) return this.lose('it could not be renewed in time');
    try {
      if (await this.renew()) this.renewedAt = renewedAt;
      else this.lose('another worker has taken the job over');
    } catch {
      // the next attempt may come before the lease expires
    }
  }

  private lose(why: string): void {
    this.end();
    this.lost.abort(new Error(`The lease of this job was lost: ${why}.`));
  }
}
