import { describe, expect, test } from '@jest/globals';
import { RowBackoff } from './row-backoff.js';

const at = (seconds: number) => new Date(seconds * 1_000);

describe('a row that failed', () => {
  test('is retried by the next run, and then after twice the time each, at most after an hour', () => {
    const backoff = new RowBackoff(60);
    const delays = Array.from({ length: 8 }, () => backoff.failed('a', at(0)));
    expect(delays).toEqual([60, 120, 240, 480, 960, 1_920, 3_600, 3_600]);
    expect([backoff.delays('a', at(3_599)), backoff.delays('a', at(3_600)), backoff.delays('b', at(0))]).toEqual([true, false, false]);
  });

  test('of a job that runs every day is retried every day', () => {
    const backoff = new RowBackoff(86_400);
    expect([backoff.failed('a', at(0)), backoff.failed('a', at(86_400))]).toEqual([86_400, 86_400]);
  });

  test('begins again after a success, or once it is no longer due', () => {
    const backoff = new RowBackoff(60);
    for (const id of ['a', 'b', 'c']) backoff.failed(id, at(0));
    backoff.succeeded('a');
    expect(backoff.delays('b', at(10))).toBe(true);
    backoff.forgetBefore(at(10));
    expect(['a', 'b', 'c'].map((id) => backoff.failed(id, at(20)))).toEqual([60, 120, 60]);
  });
});
