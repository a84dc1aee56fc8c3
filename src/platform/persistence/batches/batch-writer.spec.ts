import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { BatchWriter, type BatchWriterOptions } from './batch-writer.js';

let written: number[][];
let failure: Error | null;
let poisoned: Set<number>;

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] });
  for (const level of ['warn', 'error'] as const) jest.spyOn(Logger.prototype, level).mockImplementation(() => undefined);
  written = [];
  failure = null;
  poisoned = new Set();
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

const writer = (options: Partial<BatchWriterOptions<number>> = {}) =>
  new BatchWriter<number>({
    items: 'numbers',
    maxBatch: 3,
    delayMs: 100,
    write: async (batch) => {
      if (failure) throw failure;
      if (batch.some((item) => poisoned.has(item))) throw Object.assign(new Error('not a number'), { code: '22P02' });
      written.push([...batch]);
    },
    ...options,
  });
const add = (to: BatchWriter<number>, ...items: number[]) => items.forEach((item) => to.add(item));
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

describe('a batch writer', () => {
  test('writes after the delay, in batches of bounded size and in order', async () => {
    const numbers = writer();
    add(numbers, 1, 2, 3, 4);
    await jest.advanceTimersByTimeAsync(99);
    expect(written).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(written).toEqual([[1, 2, 3], [4]]);
  });

  test('without a delay writes items of one tick of the event loop together', async () => {
    const numbers = writer({ delayMs: 0 });
    add(numbers, 1, 2);
    await nextTurn();
    add(numbers, 3);
    await nextTurn();
    expect(written).toEqual([[1, 2], [3]]);
  });

  test('writes one batch at a time, and rows added meanwhile in the next one', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const numbers = writer({ write: (batch) => (written.push([...batch]), promise) });
    add(numbers, 1);
    await jest.advanceTimersByTimeAsync(100);
    add(numbers, 2, 3);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(written).toEqual([[1]]);
    resolve();
    await jest.advanceTimersByTimeAsync(0);
    expect(written).toEqual([[1], [2, 3]]);
  });

  test('loses only the items that the database rejects', async () => {
    const numbers = writer({ maxBatch: 100 });
    poisoned = new Set([2, 7]);
    add(numbers, 1, 2, 3, 4, 5, 6, 7, 8);
    await numbers.flush();
    expect(written.flat()).toEqual([1, 3, 4, 5, 6, 8]);
    expect(numbers.lost).toBe(2);
    expect(Logger.prototype.error).toHaveBeenCalledWith('1 numbers are lost (2 since the start): not a number');
  });

  test('bounded by size loses the oldest while the database is away, never the rest', async () => {
    const numbers = writer({ maxBatch: 1, capacity: 10, sizeOf: (item) => item });
    failure = new Error('away');
    add(numbers, 4, 5, 3);
    await jest.advanceTimersByTimeAsync(10_000);
    expect(numbers.lost).toBe(1);
    failure = null;
    await numbers.close();
    expect(written).toEqual([[5], [3]]);
  });

  test('retries a batch for the configured time, and continues with the next', async () => {
    const numbers = writer({ retryForMs: 10_000 });
    failure = new Error('away');
    add(numbers, 1, 2, 3);
    await jest.advanceTimersByTimeAsync(9_000);
    expect(numbers.lost).toBe(0);
    add(numbers, 4);
    await jest.advanceTimersByTimeAsync(10_000);
    expect(numbers.lost).toBe(3);
    failure = null;
    await jest.advanceTimersByTimeAsync(5_000);
    expect(written).toEqual([[4]]);
  });

  test('pauses between its attempts while it closes', async () => {
    let attempts = 0;
    const numbers = writer({ write: () => (++attempts === 1 ? Promise.reject(new Error('away')) : Promise.resolve()) });
    add(numbers, 1, 2);
    const closing = numbers.close();
    for (let turns = 0; turns < 20; turns++) await nextTurn();
    expect(attempts).toBe(1);
    await closing;
    expect([attempts, numbers.lost]).toEqual([2, 0]);
  });

  test('closes when everything is written, or lost', async () => {
    const numbers = writer({ retryForMs: 2_000 });
    failure = new Error('away');
    add(numbers, 1);
    let closed = false;
    const closing = numbers.close().then(() => (closed = true));
    await jest.advanceTimersByTimeAsync(1_000);
    expect(closed).toBe(false);
    failure = null;
    await jest.advanceTimersByTimeAsync(5_000);
    await closing;
    expect([written, numbers.lost]).toEqual([[[1]], 0]);
  });
});
