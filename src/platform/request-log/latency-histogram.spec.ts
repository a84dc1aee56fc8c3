import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { CallStats } from './latency-histogram.js';

/** What stepSql computes in the database. */
const stepOf = (ms: number) => Math.floor(Math.log(Math.max(ms, 0.01)) / Math.log(1.05));

test('percentiles are off by 2.5 % at most, sums not at all', () => {
  const latencies = fc.array(fc.double({ min: 0.02, max: 60_000, noNaN: true }), { minLength: 1, maxLength: 300 });
  fc.assert(
    fc.property(latencies, (all) => {
      const stats = new CallStats();
      all.forEach((ms, index) => stats.add(stepOf(ms), 1, index % 2));
      const counted = new CallStats();
      counted.addCounted(all.map((ms) => `${stepOf(ms)}:1`).join(','), stats.errors);
      expect(counted).toEqual(stats);
      const sorted = [...all].sort((one, other) => one - other);
      const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1];
      const dto = stats.toDto();
      expect([dto.calls, dto.errors]).toEqual([all.length, Math.floor(all.length / 2)]);
      for (const [found, exact] of [
        [dto.latency_ms_p50, at(0.5)],
        [dto.latency_ms_p95, at(0.95)],
      ] as const) {
        // half a thousandth for the rounding
        expect(Math.abs((found as number) - exact)).toBeLessThanOrEqual(exact * 0.0251 + 0.0005);
      }
    }),
  );
});

test('no calls: no latency, no error rate', () => {
  expect(new CallStats().toDto()).toEqual({
    calls: 0,
    errors: 0,
    error_rate: 0,
    latency_ms_p50: null,
    latency_ms_p95: null,
    latency_ms_p99: null,
  });
});
