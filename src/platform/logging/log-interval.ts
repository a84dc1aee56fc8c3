/** Limits how often a fault is logged that every request or job meets. */
export class LogInterval {
  private readonly loggedAt = new Map<string, number>();

  constructor(private readonly everyMs: number) {}

  /** Whether to log now, because a fault of this kind was not logged within the interval. Counts as logged then. */
  allows(kind = ''): boolean {
    const now = performance.now();
    if (now - (this.loggedAt.get(kind) ?? -Infinity) < this.everyMs) return false;
    this.loggedAt.set(kind, now);
    return true;
  }
}
