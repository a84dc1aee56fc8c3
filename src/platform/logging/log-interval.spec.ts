import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { LogInterval } from './log-interval.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

test('a kind of fault is logged once in the interval, each kind for itself', () => {
  const interval = new LogInterval(1_000);
  expect([interval.allows('a'), interval.allows('a'), interval.allows('b')]).toEqual([true, false, true]);
  jest.advanceTimersByTime(999);
  expect(interval.allows('a')).toBe(false);
  jest.advanceTimersByTime(1);
  expect([interval.allows('a'), interval.allows('a')]).toEqual([true, false]);
});
