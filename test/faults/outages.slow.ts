import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../src/platform/persistence/embedded-postgres/embedded-postgres.js';
import { hasRedis, startOwnRedis, type OwnRedis } from '../harness/redis.js';
import { SilenceableProxy } from './silenceable-proxy.js';
import { createSchema } from '../harness/template-database.js';
import { FaultHarness } from './fault-harness.js';

/** Creates tasks, retrying until each succeeds. */
async function createWithRetries(harness: FaultHarness, count: number): Promise<void> {
  for (let created = 0; created < count;) {
    const { status } = await harness.key.client
      .post(
        '/api/v1/ext/tasks/tasks',
        { project_id: harness.space.eng.id, title: `Task ${created}` },
        { 'idempotency-key': `t-${created}-${count}` },
      )
      .catch(() => ({ status: 0 }));
    if (status === 201) created++;
    else await sleep(200);
  }
}

(hasRedis() ? describe : describe.skip)('a Redis outage of 40 s', () => {
  let redis: OwnRedis;
  let harness: FaultHarness;

  beforeAll(async () => {
    redis = (await startOwnRedis()) as OwnRedis;
    harness = await FaultHarness.start({ env: { REDIS_URL: redis.url, QUEUE_RECONCILE_MS: '5000' } });
  }, 120_000);
  afterAll(() => harness.stop());
  // also if the harness was not set up
  afterAll(() => redis.stop());

  test('does not stop deliveries, which are immediate again after the outage', async () => {
    await harness.worker();
    await harness.worker();
    await harness.endpoint('/redis');
    await harness.createTasks(50);
    expect(await harness.arrived('/redis', 10_000)).toEqual({ missing: [], repeated: [], sameBodies: true });

    const { port } = redis;
    await redis.stop();
    const outageStart = Date.now();
    const since = new Date();
    await createWithRetries(harness, 30);
    expect(await harness.arrived('/redis', 30_000, since)).toEqual({ missing: [], repeated: [], sameBodies: true });
    await sleep(Math.max(0, 40_000 - (Date.now() - outageStart)));

    redis = (await startOwnRedis(port)) as OwnRedis;
    await sleep(5_000);
    const restored = new Date();
    await createWithRetries(harness, 31);
    expect(await harness.arrived('/redis', 4_000, restored)).toEqual({ missing: [], repeated: [], sameBodies: true });
    await harness.settled();
  }, 180_000);
});

describe('a restart of PostgreSQL', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'work-suite-faults-pg-'));
  let postgres: EmbeddedPostgres;
  let proxy: SilenceableProxy;
  let harness: FaultHarness;

  beforeAll(async () => {
    postgres = await startEmbeddedPostgres(dataDir);
    await createSchema(postgres.url);
    proxy = await SilenceableProxy.open(Number(new URL(postgres.url).port));
    const url = new URL(postgres.url);
    url.port = String(proxy.port);
    harness = await FaultHarness.start({ databaseUrl: url.href });
  }, 120_000);
  afterAll(async () => {
    await harness.stop();
    await proxy.close();
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  test('during deliveries loses no event, and deliveries resume within 30 s', async () => {
    await harness.worker();
    harness.receiver.on('/postgres', (_request, response) => void setTimeout(() => response.end(), 20));
    await harness.endpoint('/postgres');
    harness.app.sql.on('error', () => undefined);
    const creating = createWithRetries(harness, 200);
    await sleep(500);
    await postgres.stop();
    await sleep(3_000);
    postgres = await startEmbeddedPostgres(dataDir);
    proxy.target = Number(new URL(postgres.url).port);
    await creating;
    const { missing, repeated, sameBodies } = await harness.arrived('/postgres', 30_000);
    expect([missing, sameBodies]).toEqual([[], true]);
    expect(repeated.length).toBeLessThanOrEqual(10);
    expect(await harness.settled()).toEqual({ delivered: 200 });
  }, 120_000);
});
