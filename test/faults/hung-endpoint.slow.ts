import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { World } from './world.js';

const HEALTHY = Array.from({ length: 20 }, (_, index) => `/healthy-${index}`);

let world: World;

beforeAll(async () => {
  world = await World.start();
  await world.worker();
  for (const path of HEALTHY) await world.endpoint(path);
}, 120_000);
afterAll(() => world.stop());

/** Of each load: another program's burst on the machine spoils some, a hung endpoint in the way would spoil all. */
const ROUNDS = 3;

/** From an event's creation to its arrival, over all healthy endpoints, in milliseconds: what 95 % stay below. */
async function p95(): Promise<number> {
  const since = new Date();
  const seen = world.receiver.received.length;
  await world.createTasks(60);
  for (const path of HEALTHY) expect((await world.arrived(path, 15_000, since)).missing).toEqual([]);
  const received = world.receiver.received.slice(seen).filter(({ path }) => HEALTHY.includes(path));
  const sorted = received
    .map(({ at, body }) => at - Date.parse((JSON.parse(body) as { created_at: string }).created_at))
    .sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * 0.95)];
}

async function switchTo(action: 'enable' | 'disable', id: string): Promise<void> {
  const { status, text } = await world.owner.post(`/api/v1/org/developer/webhook-endpoints/${id}/${action}`);
  if (status !== 200) throw new Error(text);
}

/** Attempts under way at the same time, by the worker's clock: the receiver may see a new request before the end of an old one. */
async function mostAtOnce(endpointId: string): Promise<number> {
  const { rows } = await world.app.sql.query<{ most: number }>(
    `WITH attempt AS (
       SELECT a.started_at, a.started_at + (a.latency_ms - 5) * interval '1 millisecond' AS ended_at FROM webhook_attempts a JOIN webhook_deliveries d ON d.id = a.delivery_id WHERE d.endpoint_id = $1)
     SELECT max((SELECT count(*) FROM attempt other WHERE other.started_at <= attempt.started_at AND other.ended_at > attempt.started_at))::int AS most FROM attempt`,
    [endpointId],
  );
  return rows[0].most;
}

test('one hung endpoint changes nothing for twenty healthy ones', async () => {
  world.receiver.on('/hung', () => undefined);
  const hung = await world.endpoint('/hung', { max_concurrency: 5 });
  await switchTo('disable', hung);
  await p95();
  const alone: number[] = [];
  const beside: number[] = [];
  const later: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    alone.push(await p95());
    await switchTo('enable', hung);
    beside.push(await p95());
    later.push(await p95());
    await switchTo('disable', hung);
    await world.settled();
  }
  expect(await mostAtOnce(hung)).toBe(5);
  const bound = 2 * Math.min(...alone) + 300;
  for (const loads of [beside, later]) expect(Math.min(...loads)).toBeLessThan(bound);
}, 240_000);
