/** The admitted calls of one bucket as a queue of one-second groups; see Limiter for the rules. Times in milliseconds. */
export class CallWindow {
  used = 0;
  private ends = new Float64Array(4);
  private counts = new Uint32Array(4);
  private head = 0;
  private groups = 0;

  /** Drops the groups whose last call was at `edge` or before. */
  expireUntil(edge: number): void {
    while (this.groups > 0 && this.ends[this.head] <= edge) {
      this.used -= this.counts[this.head];
      this.head = this.at(1);
      this.groups--;
    }
  }

  charge(now: number): void {
    const newest = this.at(this.groups - 1);
    if (this.groups > 0 && Math.floor(this.ends[newest] / 1000) === Math.floor(now / 1000)) {
      this.ends[newest] = now;
      this.counts[newest]++;
    } else {
      if (this.groups === this.ends.length) this.grow();
      const next = this.at(this.groups);
      this.ends[next] = now;
      this.counts[next] = 1;
      this.groups++;
    }
    this.used++;
  }

  /** Until enough groups have expired that `remaining` increases; several must if the limit was lowered below `used`. */
  secondsToReset(now: number, limit: number, windowSeconds: number): number {
    const target = Math.min(limit, this.used);
    let left = this.used;
    for (let i = 0; i < this.groups; i++) {
      const group = this.at(i);
      left -= this.counts[group];
      if (left < target) return Math.ceil((this.ends[group] - now) / 1000 + windowSeconds);
    }
    return windowSeconds;
  }

  private at(offset: number): number {
    return (this.head + offset) & (this.ends.length - 1);
  }

  /** The length must stay a power of two, see `at`. */
  private grow(): void {
    const ends = new Float64Array(this.ends.length * 2);
    const counts = new Uint32Array(ends.length);
    for (let i = 0; i < this.groups; i++) {
      ends[i] = this.ends[this.at(i)];
      counts[i] = this.counts[this.at(i)];
    }
    this.ends = ends;
    this.counts = counts;
    this.head = 0;
  }
}
