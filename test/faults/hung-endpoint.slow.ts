import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { FaultHarness } from './fault-harness.js';

const HEALTHY = Array.from({ length: 20 }, (_, index) => `/healthy-${index}`);

let harness: FaultHarness;

beforeAll(async () => {
  harness = await FaultHarness.start();
  await harness.worker();
  for (const path of HEALTHY) await harness.endpoint(path);
}, 120_000);
afterAll(() => harness.stop());

/** Repetitions per load: other programs on the machine may slow down some of them, a hung endpoint would slow down all. */
const ROUNDS = 3;

/** The 95th percentile, over all healthy endpoints, of the milliseconds from an event's creation to its arrival. */
async function p95(): Promise<number> {
  const since = new Date();
  const seen = harness.receiver.received.length;
  await harness.createTasks(60);
  for (const path of HEALTHY) expect((await harness.arrived(path, 15_000, since)).missing).toEqual([]);
  const received = harness.receiver.received.slice(seen).filter(({ path }) => HEALTHY.includes(path));
  const sorted = received
    .map(({ at, body }) => at - Date.parse((JSON.parse(body) as { created_at: string }).created_at))
    .sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * 0.95)];
}

async function setEnabled(action: 'enable' | 'disable', id: string): Promise<void> {
  const { status, text } = await harness.owner.post(`/api/v1/org/developer/webhook-endpoints/${id}/${action}`);
  if (status !== 200) throw new Error(text);
}

/** The maximum number of concurrent attempts by the worker's clock. At the receiver, requests may overlap a little more. */
async function maxConcurrentAttempts(endpointId: string): Promise<number> {
  const { rows } = await harness.app.sql.query<{ most: number }>(
    `WITH attempt AS (
       SELECT a.started_at, a.started_at + (a.latency_ms - 5) * interval '1 millisecond' AS ended_at
       FROM webhook_attempts a JOIN webhook_deliveries d ON d.id = a.delivery_id WHERE d.endpoint_id = $1)
     SELECT max((SELECT count(*) FROM attempt other
                 WHERE other.started_at <= attempt.started_at AND other.ended_at > attempt.started_at))::int AS most
     FROM attempt`,
    [endpointId],
  );
  return rows[0].most;
}

test('a hung endpoint does not delay deliveries to twenty healthy ones', async () => {
  harness.receiver.on('/hung', () => undefined);
  const hung = await harness.endpoint('/hung', { max_concurrency: 5 });
  await setEnabled('disable', hung);
  await p95();
  const alone: number[] = [];
  const beside: number[] = [];
  const later: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    alone.push(await p95());
    await setEnabled('enable', hung);
    beside.push(await p95());
    later.push(await p95());
    await setEnabled('disable', hung);
    await harness.settled();
  }
  expect(await maxConcurrentAttempts(hung)).toBe(5);
  const bound = 2 * Math.min(...alone) + 300;
  for (const loads of [beside, later]) expect(Math.min(...loads)).toBeLessThan(bound);
}, 240_000);
