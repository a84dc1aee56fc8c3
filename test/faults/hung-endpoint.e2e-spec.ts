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

/** From an event's creation to its arrival, over all healthy endpoints, in milliseconds, ascending. */
async function latencies(): Promise<number[]> {
  const since = new Date();
  const seen = world.receiver.received.length;
  await world.createTasks(60);
  for (const path of HEALTHY) expect((await world.arrived(path, 15_000, since)).missing).toEqual([]);
  const received = world.receiver.received.slice(seen).filter(({ path }) => HEALTHY.includes(path));
  return received.map(({ at, body }) => at - Date.parse((JSON.parse(body) as { created_at: string }).created_at)).sort((a, b) => a - b);
}

test('one hung endpoint changes nothing for twenty healthy ones', async () => {
  await latencies();
  const alone = await latencies();
  let open = 0;
  let most = 0;
  world.receiver.on('/hung', (request) => {
    most = Math.max(most, ++open);
    request.socket.once('close', () => open--);
  });
  await world.endpoint('/hung', { max_concurrency: 5 });
  const beside = await latencies();
  const later = await latencies();
  expect(most).toBe(5);
  const p95 = (sorted: number[]) => sorted[Math.floor(sorted.length * 0.95)];
  for (const with_hung of [beside, later]) expect(p95(with_hung)).toBeLessThan(2 * p95(alone) + 300);
}, 120_000);
