const LONGEST_DELAY_SECONDS = 60 * 60;

interface FailedRow {
  failures: number;
  retryAt: number;
  /** When a run last selected the row. */
  seenAt: number;
}

/**
 * Delays of rows that failed repeatedly: the first retry is made by the next run, each further one after twice the time. Kept
 * in memory, so each worker has its own; a restart retries everything once.
 */
export class RowBackoff {
  private readonly rows = new Map<string, FailedRow>();

  constructor(private readonly everySeconds: number) {}

  /** Whether the run of `now` skips the row. */
  delays(id: string, now: Date): boolean {
    const row = this.rows.get(id);
    if (!row) return false;
    row.seenAt = now.getTime();
    return now.getTime() < row.retryAt;
  }

  succeeded(id: string): void {
    this.rows.delete(id);
  }

  /** Returns the seconds until the retry. */
  failed(id: string, now: Date): number {
    const failures = (this.rows.get(id)?.failures ?? 0) + 1;
    const longest = Math.max(LONGEST_DELAY_SECONDS, this.everySeconds);
    const seconds = Math.min(this.everySeconds * 2 ** (failures - 1), longest);
    this.rows.set(id, { failures, retryAt: now.getTime() + seconds * 1_000, seenAt: now.getTime() });
    return seconds;
  }

  /** Removes rows that the run of `now` has not selected: they are no longer due. */
  forgetBefore(now: Date): void {
    for (const [id, { seenAt }] of this.rows) if (seenAt < now.getTime()) this.rows.delete(id);
  }
}
