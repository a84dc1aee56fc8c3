import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { FaultHarness } from './fault-harness.js';

const SLOW_MS = 3_000;
const BACKLOG = 400;

let harness: FaultHarness;

beforeAll(async () => {
  // the default timeouts of production
  harness = await FaultHarness.start({ env: { WEBHOOK_TIMEOUT_MS: '10000', WEBHOOK_LEASE_MS: '20000' } });
  await harness.worker();
}, 120_000);
afterAll(() => harness.stop());

function respondSlowly(path: string): void {
  harness.receiver.on(path, (_request, response) => void setTimeout(() => response.end('at last'), SLOW_MS));
}

/** Creates tasks for `forMs` and returns the sorted milliseconds from each creation to its arrival at the path. */
async function latenciesAt(path: string, forMs: number): Promise<number[]> {
  const until = Date.now() + forMs;
  const since = new Date();
  const seen = harness.receiver.at(path).length;
  while (Date.now() < until) {
    await harness.createTasks(1);
    await sleep(150);
  }
  expect((await harness.arrived(path, 15_000, since)).missing).toEqual([]);
  return harness.receiver
    .at(path)
    .slice(seen)
    .map(({ at, body }) => at - Date.parse((JSON.parse(body) as { created_at: string }).created_at))
    .sort((a, b) => a - b);
}

/** The 95th percentile, because other programs on the machine may slow down single deliveries. */
const p95 = (latencies: readonly number[]) => latencies[Math.floor(latencies.length * 0.95)];

async function remove(ids: readonly string[]): Promise<void> {
  for (const id of ids) expect((await harness.owner.delete(`/api/v1/org/developer/webhook-endpoints/${id}`)).status).toBe(204);
}

test('six hung and six slow endpoints with backlogs and maximum concurrency do not delay a healthy endpoint', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 6; n++) {
    harness.receiver.on(`/hung-${n}`, () => undefined);
    respondSlowly(`/slow-${n}`);
    for (const path of [`/hung-${n}`, `/slow-${n}`]) ids.push(await harness.endpoint(path, { max_concurrency: 100 }));
  }
  await harness.createTasks(BACKLOG);
  ids.push(await harness.endpoint('/healthy'));
  const latencies = await latenciesAt('/healthy', 12_000);
  expect(p95(latencies)).toBeLessThan(1_000);
  // slow endpoints must not starve either
  for (let n = 0; n < 6; n++) expect(harness.receiver.at(`/slow-${n}`).length).toBeGreaterThan(100);
  await remove(ids);
}, 240_000);

test('fifty slow endpoints with default concurrency do not delay a healthy endpoint', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 50; n++) {
    respondSlowly(`/of-fifty-${n}`);
    ids.push(await harness.endpoint(`/of-fifty-${n}`));
  }
  await harness.createTasks(BACKLOG / 4);
  ids.push(await harness.endpoint('/beside-fifty'));
  expect(p95(await latenciesAt('/beside-fifty', 8_000))).toBeLessThan(1_000);
  await remove(ids);
}, 240_000);
