import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'pg';
import { PooledClient } from '../../src/platform/persistence/database/pooled-client.js';
import { eventually } from '../harness/eventually.js';
import { hasRedis, startOwnRedis, type OwnRedis } from '../harness/redis.js';
import { through, type SilenceableProxy } from './silenceable-proxy.js';
import { createTestDatabase } from '../harness/test-database.js';
import { FaultHarness } from './fault-harness.js';

const RECOVERED_MS = 30_000;

/** Calls the API continuously, because a connection that is idle when it goes silent would only be replaced. */
function keepBusy(harness: FaultHarness): () => Promise<void> {
  const ended = new AbortController();
  const call = async () => {
    while (!ended.signal.aborted) {
      await harness.key.client.get('/api/v1/ext/tasks/tasks').catch(() => undefined);
      await sleep(20);
    }
  };
  const calls = Promise.all(Array.from({ length: 8 }, call));
  return async () => {
    ended.abort();
    await calls;
  };
}

/** The milliseconds until requests and health checks succeed and a new event arrives. */
async function recovery(harness: FaultHarness, since: number): Promise<number> {
  const create = (attempt: number) =>
    harness.key.client
      .post('/api/v1/ext/tasks/tasks', { project_id: harness.space.eng.id, title: 'After' }, { 'idempotency-key': `a-${since}-${attempt}` })
      .catch(() => ({ status: 0 }));
  for (let attempt = 0; (await create(attempt)).status !== 201; attempt++) await sleep(200);
  const ready = () => fetch(`${harness.app.url}/health/ready`).then(({ status }) => status);
  await eventually(ready, (status) => status === 200, RECOVERED_MS);
  const { missing } = await harness.arrived('/silent', RECOVERED_MS);
  expect(missing).toEqual([]);
  return performance.now() - since;
}

describe('connections to PostgreSQL that go silent', () => {
  let proxy: SilenceableProxy;
  let proxiedUrl: string;
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let harness: FaultHarness;

  beforeAll(async () => {
    database = await createTestDatabase();
    const proxied = await through(database.url);
    proxy = proxied.proxy;
    proxiedUrl = proxied.url;
    harness = await FaultHarness.start({ databaseUrl: proxiedUrl });
    harness.app.sql.on('error', () => undefined);
    await harness.worker();
    await harness.endpoint('/silent');
  }, 120_000);
  afterAll(async () => {
    await harness.stop();
    await proxy.close();
    await database.drop();
  });

  test('are replaced within 30 s, by the API and by a worker', async () => {
    await harness.createTasks(20);
    expect((await harness.arrived('/silent', 10_000)).missing).toEqual([]);
    const rest = keepBusy(harness);
    await sleep(500);
    expect(proxy.silence()).toBeGreaterThan(4);
    const since = performance.now();
    expect(await recovery(harness, since)).toBeLessThan(RECOVERED_MS);
    await rest();
    await harness.settled();
  }, 180_000);

  test('are not confused with statements that take long, and are found beside them', async () => {
    const options = { Client: PooledClient as unknown as new () => PooledClient };
    const direct = new Pool({ ...options, connectionString: database.url });
    const proxied = new Pool({ ...options, connectionString: proxiedUrl });
    proxied.on('error', () => undefined);
    try {
      const slow = direct.query('SELECT pg_sleep(16)');
      await proxied.query('SELECT 1');
      proxy.silence();
      const since = performance.now();
      await expect(proxied.query('SELECT 1')).rejects.toThrow('it gave no answer');
      expect(performance.now() - since).toBeLessThan(13_500);
      expect((await slow).rowCount).toBe(1);
    } finally {
      await Promise.all([direct.end(), proxied.end()]);
    }
  }, 40_000);

  test('fail requests within 15 s, also those that need several of them', async () => {
    await harness.createTasks(20);
    const title = 'In the silence';
    const link = proxy.silenceFor(12_000);
    const timed = async () => {
      const since = performance.now();
      const { status } = await harness.key.client.post('/api/v1/ext/tasks/tasks', { project_id: harness.space.eng.id, title });
      return { status, ms: performance.now() - since };
    };
    const ended = await Promise.all(Array.from({ length: 24 }, timed));
    expect(ended.filter(({ status, ms }) => status !== 503 || ms > 15_000)).toEqual([]);
    await link;
    await recovery(harness, performance.now());
    const { rows } = await harness.app.sql.query('SELECT 1 FROM tasks WHERE title = $1', [title]);
    expect(rows).toEqual([]);
  }, 120_000);
});

(hasRedis() ? describe : describe.skip)('connections to Redis that go silent', () => {
  let redis: OwnRedis;
  let proxy: SilenceableProxy;
  let harness: FaultHarness;

  beforeAll(async () => {
    redis = (await startOwnRedis()) as OwnRedis;
    const proxied = await through(redis.url);
    proxy = proxied.proxy;
    harness = await FaultHarness.start({ env: { REDIS_URL: proxied.url, QUEUE_RECONCILE_MS: '10000' } });
  }, 120_000);
  afterAll(async () => {
    await harness.stop();
    await proxy.close();
  });
  // also if the others were not set up
  afterAll(() => redis.stop());

  test('delay neither requests nor, after 30 s, deliveries', async () => {
    await harness.worker();
    await harness.endpoint('/silent');
    await harness.createTasks(20);
    expect((await harness.arrived('/silent', 20_000)).missing).toEqual([]);
    const rest = keepBusy(harness);
    await sleep(500);
    expect(proxy.silence()).toBeGreaterThan(2);
    const since = performance.now();
    await harness.createTasks(5);
    expect(performance.now() - since).toBeLessThan(10_000);
    await sleep(RECOVERED_MS - 5_000);
    await harness.createTasks(1);
    expect((await harness.arrived('/silent', 10_000)).missing).toEqual([]);
    await rest();
    await sleep(5_000);
    // polls every 10 s: what arrives sooner was notified
    const again = new Date();
    for (let round = 0; round < 3; round++) {
      await harness.createTasks(1);
      expect((await harness.arrived('/silent', 2_000, again)).missing).toEqual([]);
    }
  }, 180_000);
});
