import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { bounded, type RequestLogEntry } from './request-log-entry.js';
import { RequestLog } from './request-log.js';

/** Stores the inserted rows in memory, or throws `failure`. */
class FakePool {
  failure: Error | null = null;
  readonly rows = new Map<string, string>();
  readonly touched: string[][] = [];
  queries = 0;

  async query({ name, values }: { name: string; values: unknown[] }) {
    this.queries++;
    if (this.failure) throw this.failure;
    if (name === 'touch_api_keys') this.touched.push(values[0] as string[]);
    else for (const row of JSON.parse(values[0] as string) as { id: string; request_id: string }[]) this.rows.set(row.id, row.request_id);
  }
}

let pool: FakePool;
let log: RequestLog;

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'performance'] });
  jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
  pool = new FakePool();
  log = new RequestLog({ driver: { master: pool } } as unknown as DataSource);
});

afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

function record(count: number, from = 0): void {
  for (let i = from; i < from + count; i++) log.record(entry(`r${i}`));
}

function entry(request_id: string): RequestLogEntry {
  return {
    time: new Date(),
    organization_id: null,
    project_id: null,
    mode: null,
    api_key_id: 'k1',
    member_id: null,
    plane: 'keyed',
    method: 'GET',
    route: null,
    operation: null,
    tool: null,
    via: 'http',
    status: 200,
    code: null,
    latency_ms: 1,
    address: '::1',
    request_id,
    idempotent_replay: false,
    user_agent: null,
  };
}

describe('the request log', () => {
  test('writes after 250 ms, many rows with one statement', async () => {
    record(20);
    await jest.advanceTimersByTimeAsync(249);
    expect(pool.rows.size).toBe(0);
    await jest.advanceTimersByTimeAsync(1);
    expect([pool.rows.size, pool.queries]).toEqual([20, 2]);
  });

  test('does not wait for the time when there is much', async () => {
    record(500);
    await new Promise((resolve) => setImmediate(resolve));
    await jest.advanceTimersByTimeAsync(0);
    expect(pool.rows.size).toBe(500);
  });

  test('retries failed writes with increasing delays, and writes each entry once', async () => {
    pool.failure = new Error('away');
    record(3);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(pool.queries).toBeGreaterThan(10);
    expect(pool.queries).toBeLessThan(25);
    pool.failure = null;
    record(2, 3);
    await jest.advanceTimersByTimeAsync(5_000);
    expect([...pool.rows.values()].sort()).toEqual(['r0', 'r1', 'r2', 'r3', 'r4']);
    expect(log.lost).toBe(0);
  });

  test('an overflow drops the oldest entries and counts them', async () => {
    pool.failure = new Error('away');
    record(50_010);
    expect(log.lost).toBe(1_000);
    pool.failure = null;
    await log.flush();
    expect(pool.rows.size).toBe(49_010);
    expect([...pool.rows.values()]).not.toContain('r999');
    expect([...pool.rows.values()]).toContain('r1000');
    expect(Logger.prototype.error).toHaveBeenCalledWith(expect.stringContaining('1000 rows of the request log are lost'));
  });

  test('touches the keys at most once a second, and the last use is not forgotten', async () => {
    record(1);
    await jest.advanceTimersByTimeAsync(250);
    record(1, 1);
    await jest.advanceTimersByTimeAsync(250);
    expect([pool.rows.size, pool.touched.length]).toEqual([2, 1]);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(pool.touched).toEqual([['k1'], ['k1']]);
  });

  test('writes everything at the shutdown, and stops if the database is down', async () => {
    record(5);
    await log.onApplicationShutdown();
    expect(pool.rows.size).toBe(5);
    pool.failure = new Error('away');
    record(2, 5);
    await log.onApplicationShutdown();
    expect(log.lost).toBe(2);
  });
});

test('text from clients is truncated and made storable', () => {
  expect(bounded(null)).toBeNull();
  expect(bounded('curl/8')).toBe('curl/8');
  expect(bounded('x'.repeat(1_000))).toHaveLength(200);
  expect(bounded('a\0b\ud800')).toBe('ab\ufffd');
  expect(bounded(`${'x'.repeat(199)}\u{1f600}`)).toBe(`${'x'.repeat(199)}\ufffd`);
});
