/** The admitted calls of one bucket as a queue of one-second groups, at most 61; see Limiter for the rules. Times in milliseconds. */
export class CallWindow {
  used = 0;
  /** Of each group, the oldest first: the time of its last call, and the number of its calls. */
  private readonly ends: number[] = [];
  private readonly counts: number[] = [];

  /** Drops the groups whose last call was at `edge` or before. */
  expireUntil(edge: number): void {
    while (this.ends.length > 0 && this.ends[0] <= edge) {
      this.ends.shift();
      this.used -= this.counts.shift() as number;
    }
  }

  charge(now: number): void {
    const newest = this.ends.length - 1;
    if (newest >= 0 && Math.floor(this.ends[newest] / 1000) === Math.floor(now / 1000)) {
      this.ends[newest] = now;
      this.counts[newest]++;
    } else {
      this.ends.push(now);
      this.counts.push(1);
    }
    this.used++;
  }

  /** Until enough groups have expired that `remaining` increases; several must if the limit was lowered below `used`. */
  secondsToReset(now: number, limit: number, windowSeconds: number): number {
    const target = Math.min(limit, this.used);
    let left = this.used;
    for (const [group, count] of this.counts.entries()) {
      left -= count;
      if (left < target) return Math.ceil((this.ends[group] - now) / 1000 + windowSeconds);
    }
    return windowSeconds;
  }
}
