import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { calls, LimiterModel } from '../../../test/harness/limiter-model.js';
import type { Bucket } from './limiter.js';
import { MemoryLimiter } from './memory-limiter.js';

function limiterAt(start: number) {
  const clock = { now: start };
  return {
    clock,
    limiter: new MemoryLimiter(
      () => 7,
      () => clock.now,
    ),
  };
}

const key: Bucket = { name: 'key', id: 'k', limit: 60, windowSeconds: 60 };
const org: Bucket = { name: 'org', id: 'o', limit: 600, windowSeconds: 60 };

test('decides and counts as the naive model does, call for call', () => {
  fc.assert(
    fc.property(calls, fc.nat(100_000), (sequence, start) => {
      const { clock, limiter } = limiterAt(start);
      const model = new LimiterModel();
      const seen = new Map<string, Bucket>();
      for (const { pauseMs, buckets } of sequence) {
        clock.now += pauseMs;
        expect(limiter.admit(buckets)).toEqual({ ...model.admit(buckets, clock.now), keysChangedAt: 7 });
        for (const bucket of buckets) seen.set(bucket.id, { ...bucket, limit: Math.max(bucket.limit, seen.get(bucket.id)?.limit ?? 0) });
      }
      for (const bucket of seen.values()) expect(model.mostInAnyWindow(bucket)).toBeLessThanOrEqual(bucket.limit);
    }),
    { numRuns: 400 },
  );
});

test('a burst before a window boundary leaves nothing for one after it, and the quota is back after one window', () => {
  const { clock, limiter } = limiterAt(59_900);
  for (let i = 0; i < 60; i++) expect(limiter.admit([key]).admitted).toBe(true);
  clock.now = 60_100;
  expect(limiter.admit([key])).toMatchObject({ admitted: false, retryAfterSeconds: 60 });
  clock.now = 119_899;
  expect(limiter.admit([key])).toMatchObject({ admitted: false, retryAfterSeconds: 1 });
  clock.now = 119_900;
  expect(limiter.admit([key])).toMatchObject({ admitted: true, tightest: { limit: 60, remaining: 59, resetSeconds: 60 } });
});

test('a call that one bucket rejects is charged to none', () => {
  const { limiter } = limiterAt(0);
  for (let i = 0; i < 100; i++) limiter.admit([key, org]);
  expect(limiter.admit([org])).toMatchObject({ admitted: true, tightest: { remaining: 600 - 61 } });
});

test('returns the bucket with the least remaining, and of several exhausted ones that with the longest wait', () => {
  const { clock, limiter } = limiterAt(0);
  const small = { ...org, limit: 2 };
  expect(limiter.admit([key, small]).tightest).toEqual({ limit: 2, remaining: 1, resetSeconds: 60 });
  clock.now = 20_000;
  limiter.admit([small]);
  expect(limiter.admit([{ ...key, limit: 1 }, small])).toMatchObject({ retryAfterSeconds: 40, tightest: { limit: 1 } });
});

test('removes only callers without recent calls', () => {
  const { clock, limiter } = limiterAt(0);
  for (let i = 0; i < 1000; i++) limiter.admit([{ ...key, id: `k${i}`, limit: 2 }]);
  for (let second = 0; second < 180; second += 20) {
    clock.now += 20_000;
    limiter.admit([key]);
  }
  expect(limiter.size).toBeLessThan(5);
  expect(limiter.admit([key]).tightest.remaining).toBe(60 - 4);
});

test('a flood of callers is bounded, and frees no caller of another name', () => {
  const { limiter } = limiterAt(0);
  const one = { ...key, limit: 1 };
  limiter.admit([one]);
  for (let i = 0; i < 250_000; i++) limiter.admit([{ ...key, name: 'address', id: `a${i}` }]);
  expect(limiter.size).toBeLessThanOrEqual(100_002);
  expect(limiter.admit([one]).admitted).toBe(false);
});
