import { CallWindow } from './call-window.js';
import { type Admission, type Bucket, Limiter } from './limiter.js';

/**
 * Danger: past this many callers of one name within one window, the least recently active are evicted early and regain their quota.
 * Without it, a flood of addresses would fill the heap. Names are separate, so such a flood never evicts a key.
 */
const MAX_CALLERS = 50_000;

/** The windows of one bucket name, in two generations: a window that was untouched for a whole generation is empty and is dropped. */
class Callers {
  private current = new Map<string, CallWindow>();
  private previous = new Map<string, CallWindow>();
  private since: number;

  constructor(now: number) {
    this.since = now;
  }

  window(id: string, now: number, span: number): CallWindow {
    if (now - this.since >= span || this.current.size >= MAX_CALLERS) {
      this.previous = this.current;
      this.current = new Map();
      this.since = now;
    }
    let window = this.current.get(id);
    if (window === undefined) {
      window = this.previous.get(id) ?? new CallWindow();
      this.current.set(id, window);
    }
    return window;
  }

  get size(): number {
    return this.current.size + this.previous.size;
  }
}

/** Limits within a single process. */
export class MemoryLimiter extends Limiter {
  private readonly callers = new Map<string, Callers>();
  private readonly windows: CallWindow[] = [];

  /** `clock`: monotonic milliseconds. */
  constructor(
    private readonly keysChangedAt: (subjects: readonly string[]) => number,
    private readonly clock: () => number = () => performance.now(),
  ) {
    super();
  }

  override admit(buckets: readonly Bucket[], subjects: readonly string[] = []): Admission {
    const now = this.clock();
    let admitted = true;
    for (let i = 0; i < buckets.length; i++) {
      const { limit, windowSeconds } = buckets[i];
      const window = this.window(buckets[i], now);
      window.expireUntil(now - windowSeconds * 1000);
      if (window.used >= limit) admitted = false;
      this.windows[i] = window;
    }
    const tightest = admitted ? this.charge(buckets, now) : this.reject(buckets, now);
    return {
      admitted,
      tightest,
      retryAfterSeconds: admitted ? 0 : tightest.resetSeconds,
      keysChangedAt: this.keysChangedAt(subjects),
    };
  }

  /** The number of windows held, for measurements. */
  get size(): number {
    let size = 0;
    for (const callers of this.callers.values()) size += callers.size;
    return size;
  }

  private window({ name, id, windowSeconds }: Bucket, now: number): CallWindow {
    let callers = this.callers.get(name);
    if (callers === undefined) this.callers.set(name, (callers = new Callers(now)));
    return callers.window(id, now, windowSeconds * 1000);
  }

  private charge(buckets: readonly Bucket[], now: number): Admission['tightest'] {
    let least = Infinity;
    let tightest = 0;
    for (let i = 0; i < buckets.length; i++) {
      this.windows[i].charge(now);
      const remaining = buckets[i].limit - this.windows[i].used;
      if (remaining < least) {
        least = remaining;
        tightest = i;
      }
    }
    const { limit, windowSeconds } = buckets[tightest];
    return { limit, remaining: least, resetSeconds: this.windows[tightest].secondsToReset(now, limit, windowSeconds) };
  }

  private reject(buckets: readonly Bucket[], now: number): Admission['tightest'] {
    const longest = { limit: 0, remaining: 0, resetSeconds: 0 };
    for (let i = 0; i < buckets.length; i++) {
      const { limit, windowSeconds } = buckets[i];
      if (this.windows[i].used < limit) continue;
      const wait = this.windows[i].secondsToReset(now, limit, windowSeconds);
      if (wait > longest.resetSeconds) {
        longest.limit = limit;
        longest.resetSeconds = wait;
      }
    }
    return longest;
  }
}
