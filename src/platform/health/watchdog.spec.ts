import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Progress } from './progress.js';
import { Watchdog } from './watchdog.js';

Logger.overrideLogger(false);
const never = () => new Promise<never>(() => undefined);
const responds = async () => undefined;
const rejects = async () => Promise.reject(new Error('connection refused'));

let progress: Progress;
let ended: number;
let watchdog: Watchdog | undefined;

beforeEach(() => {
  jest.useFakeTimers();
  progress = new Progress();
  ended = 0;
});
afterEach(() => {
  watchdog?.onApplicationShutdown();
  jest.useRealTimers();
});

async function watch(askPool: () => Promise<unknown>, askAfresh: () => Promise<unknown>): Promise<void> {
  watchdog = new Watchdog({ progress, askPool, askAfresh, end: () => ended++, everyMs: 10_000, stuckAfterMs: 60_000 });
  watchdog.onApplicationBootstrap();
  await jest.advanceTimersByTimeAsync(65_000);
}

test('ends a process whose pool never responds although the database does', async () => {
  await watch(never, responds);
  expect([ended, watchdog?.stuck]).toEqual([0, false]);
  await jest.advanceTimersByTimeAsync(60_000);
  expect([ended, watchdog?.stuck]).toEqual([1, true]);
});

test('ends a process of which one queue stopped', async () => {
  progress.expect('stopped');
  progress.expect('working');
  const working = setInterval(() => progress.made('working'), 1_000);
  await watch(responds, responds);
  await jest.advanceTimersByTimeAsync(10_000);
  clearInterval(working);
  expect(ended).toBe(1);
});

test('does not end a process whose clock is corrected', async () => {
  progress.expect('queue');
  const working = setInterval(() => progress.made('queue'), 30_000);
  await watch(responds, responds);
  jest.setSystemTime(Date.now() + 86_400_000);
  await jest.advanceTimersByTimeAsync(10_000);
  expect(Date.now() - progress.lastClaims().queue.getTime()).toBeLessThanOrEqual(30_000);
  clearInterval(working);
  expect(ended).toBe(0);
});

test('does not end a process that works or whose database is down', async () => {
  progress.expect('queue');
  const working = setInterval(() => progress.made('queue'), 1_000);
  await watch(responds, responds);
  await jest.advanceTimersByTimeAsync(200_000);
  expect(ended).toBe(0);
  clearInterval(working);
  watchdog?.onApplicationShutdown();
  await watch(rejects, rejects);
  watchdog?.onApplicationShutdown();
  await watch(never, never);
  await jest.advanceTimersByTimeAsync(200_000);
  expect(ended).toBe(0);
});

test('does not end a process that works again soon after an outage of its database', async () => {
  let away = true;
  const ask = () => (away ? rejects() : responds());
  progress.expect('queue');
  await watch(ask, ask);
  await jest.advanceTimersByTimeAsync(139_000);
  away = false;
  await jest.advanceTimersByTimeAsync(7_000);
  progress.made('queue');
  const working = setInterval(() => progress.made('queue'), 1_000);
  await jest.advanceTimersByTimeAsync(200_000);
  expect(ended).toBe(0);
  clearInterval(working);
  await jest.advanceTimersByTimeAsync(75_000);
  expect(ended).toBe(1);
});
