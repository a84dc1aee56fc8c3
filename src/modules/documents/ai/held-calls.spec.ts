import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import type { Ctx, Store } from '../../../kit/index.js';
import { HeldCalls } from './held-calls.js';

const WITH_KEY = { idempotencyKey: 'k' } as Ctx;
const WITHOUT = { idempotencyKey: null } as Ctx;

let touched: number;
let calls: HeldCalls;

beforeEach(() => {
  jest.useFakeTimers();
  touched = 0;
  calls = new HeldCalls({ write: async () => void touched++ } as unknown as Store);
});
afterEach(() => void jest.useRealTimers());

const pending = () => {
  let end!: (value: string) => void;
  return { work: () => new Promise<string>((resolve) => (end = resolve)), end: () => end('done') };
};

it('keeps the transaction of a request with an Idempotency-Key alive for as long as it waits', async () => {
  const { work, end } = pending();
  const done = calls.during(WITH_KEY, work);
  jest.advanceTimersByTime(61_000);
  expect(touched).toBe(3);
  end();
  expect(await done).toBe('done');
  jest.advanceTimersByTime(61_000);
  expect(touched).toBe(3);
});

it('lets four of them wait at once, refuses the fifth without asking anybody, and takes the next when one has ended or failed', async () => {
  const held = Array.from({ length: 4 }, () => pending());
  const waiting = held.map(({ work }) => calls.during(WITH_KEY, work));
  const fifth = jest.fn(async () => 'never');
  await expect(calls.during(WITH_KEY, fifth)).rejects.toMatchObject({ name: 'AiFailure' });
  expect(fifth).not.toHaveBeenCalled();
  held[0].end();
  await waiting[0];
  await expect(calls.during(WITH_KEY, async () => { throw new Error('failed'); })).rejects.toThrow('failed');
  expect(await calls.during(WITH_KEY, async () => 'next')).toBe('next');
  for (const one of held) one.end();
  await Promise.all(waiting);
});

it('neither counts nor touches a request without one', async () => {
  const held = Array.from({ length: 10 }, () => pending());
  const waiting = held.map(({ work }) => calls.during(WITHOUT, work));
  jest.advanceTimersByTime(61_000);
  expect(touched).toBe(0);
  for (const one of held) one.end();
  expect(await Promise.all(waiting)).toEqual(Array(10).fill('done'));
});
