import fc from 'fast-check';
import type { Admission, Bucket } from '../../src/platform/rate-limit/limiter.js';

/** A naive implementation of Limiter's rules: it stores every admitted call, and each query reads all of them. */
export class LimiterModel {
  private readonly calls = new Map<string, number[]>();

  admit(buckets: readonly Bucket[], now: number): Omit<Admission, 'keysChangedAt'> {
    const exhausted = buckets.filter((bucket) => this.live(bucket, now).length >= bucket.limit);
    if (exhausted.length === 0) for (const bucket of buckets) this.of(bucket).push(now);
    const views = (exhausted.length > 0 ? exhausted : buckets).map((bucket) => this.view(bucket, now));
    const tightest = views.reduce((best, view) => {
      const tighter = exhausted.length > 0 ? view.resetSeconds > best.resetSeconds : view.remaining < best.remaining;
      return tighter ? view : best;
    });
    const admitted = exhausted.length === 0;
    return { admitted, tightest, retryAfterSeconds: admitted ? 0 : tightest.resetSeconds };
  }

  /** The maximum number of calls in any span of the bucket's window. */
  mostInAnyWindow(bucket: Bucket): number {
    const calls = this.of(bucket);
    const counts = calls.map((end) => calls.filter((at) => at > end - bucket.windowSeconds * 1000 && at <= end).length);
    return Math.max(0, ...counts);
  }

  private of({ name, id }: Bucket): number[] {
    const key = `${name}:${id}`;
    if (!this.calls.has(key)) this.calls.set(key, []);
    return this.calls.get(key)!;
  }

  /** When each current call expires: with the last call of its second. */
  private live(bucket: Bucket, now: number): number[] {
    const calls = this.of(bucket);
    const second = (at: number) => Math.floor(at / 1000);
    return calls
      .map((at) => Math.max(...calls.filter((other) => second(other) === second(at))) + bucket.windowSeconds * 1000)
      .filter((leaves) => leaves > now);
  }

  private view(bucket: Bucket, now: number): Admission['tightest'] {
    const live = this.live(bucket, now);
    const remaining = Math.max(0, bucket.limit - live.length);
    const opening = live.find((leaves) => Math.max(0, bucket.limit - live.filter((other) => other > leaves).length) > remaining);
    return {
      limit: bucket.limit,
      remaining,
      resetSeconds: opening === undefined ? bucket.windowSeconds : Math.ceil((opening - now) / 1000),
    };
  }
}

export interface Call {
  pauseMs: number;
  buckets: Bucket[];
}

const WINDOW = { key: 3, org: 5 };

/** Calls of three keys in two organizations, with changing limits, in bursts and across window boundaries. */
export const calls: fc.Arbitrary<Call[]> = fc.array(
  fc.record({
    pauseMs: fc.oneof(
      { weight: 6, arbitrary: fc.integer({ min: 0, max: 30 }) },
      { weight: 3, arbitrary: fc.integer({ min: 0, max: 1500 }) },
      { weight: 1, arbitrary: fc.constantFrom(1000, 2999, 3000, 3001, 5000, 12_000) },
    ),
    buckets: fc
      .record({ key: fc.integer({ min: 0, max: 2 }), limit: fc.constantFrom(5, 5, 5, 2, 0), orgLimit: fc.constant(8) })
      .map(({ key, limit, orgLimit }): Bucket[] => [
        { name: 'key', id: `k${key}`, limit, windowSeconds: WINDOW.key },
        { name: 'org', id: `o${key % 2}`, limit: orgLimit, windowSeconds: WINDOW.org },
      ]),
  }),
  { minLength: 1, maxLength: 120 },
);
