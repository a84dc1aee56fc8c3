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
  jest.useFakeTimers({ now: new Date('2026-11-21T09:30:10Z'), doNotFake: ['setImmediate', 'nextTick', 'performance'] });
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
    organization_id: 'o1',
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
    dry_run: false,
    user_agent: null,
  };
}

describe('refused calls', () => {
  const counted: (Pick<RequestLogEntry, 'address' | 'tool' | 'dry_run' | 'organization_id'> & { id: string; calls: number })[] = [];
  beforeEach(() => {
    counted.length = 0;
    const { query } = pool;
    pool.query = async (statement) => {
      await query.call(pool, statement);
      if (statement.name === 'count_request_logs') counted.push(...(JSON.parse(statement.values[0] as string) as typeof counted));
    };
  });
  const refuse = (address: string, more: Partial<RequestLogEntry> = {}) =>
    log.record({ ...entry('r'), organization_id: null, status: 401, code: 'invalid_api_key', address, ...more });
  const sums = () => {
    const byId = new Map<string, number>();
    for (const { id, calls } of counted) byId.set(id, (byId.get(id) ?? 0) + calls);
    return [...byId.values()].sort((one, other) => other - one);
  };

  test('from any number of addresses are a bounded number of rows, and each call is counted', async () => {
    for (let i = 0; i < 5_000; i++) refuse(`203.0.${i >> 8}.${i & 255}`);
    await log.flush();
    for (let i = 0; i < 50; i++) refuse('203.0.0.0');
    for (let i = 0; i < 7; i++) refuse('198.51.100.1');
    await log.flush();
    expect([sums().length, sums().slice(0, 2)]).toEqual([101, [4_907, 51]]);
    expect(counted.filter(({ address }) => address === 'several')).toHaveLength(2);
  });

  test('from one IPv6 network are one row, and each minute and key has its own', async () => {
    jest.setSystemTime(new Date('2026-11-21T09:30:10Z'));
    for (let i = 1; i < 200; i++) refuse(`2001:db8::${i.toString(16)}`);
    const limited = { organization_id: 'o1', status: 429, code: 'rate_limited' };
    for (let i = 1; i < 200; i++) refuse(`203.0.113.${i}`, { ...limited, api_key_id: i % 2 ? 'k1' : 'k2' });
    await log.flush();
    expect(sums()).toEqual([199, 100, 99]);
    jest.setSystemTime(new Date('2026-11-21T09:31:00Z'));
    refuse('2001:db8::1');
    await log.flush();
    expect(sums()).toEqual([199, 100, 99, 1]);
    expect(counted.at(-1)!.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  test('over the limit of a key are a row for each tool, as long as the key has few; dry runs are apart', async () => {
    const limited = { organization_id: 'o1', status: 429, code: 'rate_limited', via: 'mcp' } as const;
    for (let i = 0; i < 6; i++) refuse('203.0.113.1', { ...limited, tool: `tool_${i % 3}` });
    await log.flush();
    expect(counted.map(({ tool, calls }) => [tool, calls]).sort()).toEqual([0, 1, 2].map((i) => [`tool_${i}`, 2]));
    for (let i = 0; i < 1_000; i++) refuse('203.0.113.1', { ...limited, tool: `other_${i}` });
    await log.flush();
    expect([sums().length, sums()[0]]).toEqual([21, 983]);
    expect(counted.find(({ calls }) => calls === 983)?.tool).toBeNull();
    refuse('203.0.113.1', { ...limited, tool: 'other_999', api_key_id: 'k2' });
    refuse('203.0.113.1', { ...limited, tool: 'tool_0', dry_run: true });
    await log.flush();
    const last = counted.slice(-2).map(({ tool, dry_run, calls }) => [tool, dry_run, calls]);
    expect(last.sort()).toEqual([
      ['other_999', false, 1],
      ['tool_0', true, 1],
    ]);
  });

  test('are counted although the database fails', async () => {
    pool.failure = new Error('away');
    for (let i = 0; i < 10; i++) refuse('203.0.113.1');
    await jest.advanceTimersByTimeAsync(1_000);
    for (let i = 0; i < 10; i++) refuse('203.0.113.1');
    pool.failure = null;
    await jest.advanceTimersByTimeAsync(30_000);
    expect(sums()).toEqual([20]);
  });

  test('are written soon at first, and rarely while they continue', async () => {
    refuse('203.0.113.1');
    await jest.advanceTimersByTimeAsync(300);
    expect(sums()).toEqual([1]);
    const before = pool.queries;
    for (let i = 0; i < 200; i++) {
      refuse('203.0.113.1');
      await jest.advanceTimersByTimeAsync(100);
    }
    expect(pool.queries - before).toBeLessThan(10);
  });
});

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
