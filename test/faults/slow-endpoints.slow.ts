import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { World } from './world.js';

const SLOW_MS = 3_000;
const BACKLOG = 400;

let world: World;

beforeAll(async () => {
  // attempts as long as the real ones
  world = await World.start({ env: { WEBHOOK_TIMEOUT_MS: '10000', WEBHOOK_LEASE_MS: '20000' } });
  await world.worker();
}, 120_000);
afterAll(() => world.stop());

function slowly(path: string): void {
  world.receiver.on(path, (_request, response) => void setTimeout(() => response.end('at last'), SLOW_MS));
}

/** Tasks one after the other for so long; what each took from its creation to the healthy endpoint, in milliseconds. */
async function latenciesAt(path: string, forMs: number): Promise<number[]> {
  const until = Date.now() + forMs;
  const since = new Date();
  const seen = world.receiver.at(path).length;
  while (Date.now() < until) {
    await world.createTasks(1);
    await sleep(150);
  }
  expect((await world.arrived(path, 15_000, since)).missing).toEqual([]);
  return world.receiver
    .at(path)
    .slice(seen)
    .map(({ at, body }) => at - Date.parse((JSON.parse(body) as { created_at: string }).created_at))
    .sort((a, b) => a - b);
}

/** Another program's burst on the machine may spoil one or two; endpoints in the way would spoil most. */
const almostAll = (latencies: readonly number[]) => latencies[Math.floor(latencies.length * 0.95)];

async function remove(ids: readonly string[]): Promise<void> {
  for (const id of ids) expect((await world.owner.delete(`/api/v1/org/developer/webhook-endpoints/${id}`)).status).toBe(204);
}

test('six hung and six slow endpoints with long backlogs and all the concurrency there is leave a healthy one as it was', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 6; n++) {
    world.receiver.on(`/hung-${n}`, () => undefined);
    slowly(`/slow-${n}`);
    for (const path of [`/hung-${n}`, `/slow-${n}`]) ids.push(await world.endpoint(path, { max_concurrency: 100 }));
  }
  await world.createTasks(BACKLOG);
  ids.push(await world.endpoint('/healthy'));
  const latencies = await latenciesAt('/healthy', 12_000);
  expect(almostAll(latencies)).toBeLessThan(1_000);
  // the slow ones are not starved either
  for (let n = 0; n < 6; n++) expect(world.receiver.at(`/slow-${n}`).length).toBeGreaterThan(100);
  await remove(ids);
}, 240_000);

test('fifty slow endpoints with the concurrency that is the default leave a healthy one as it was', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 50; n++) {
    slowly(`/of-fifty-${n}`);
    ids.push(await world.endpoint(`/of-fifty-${n}`));
  }
  await world.createTasks(BACKLOG / 4);
  ids.push(await world.endpoint('/beside-fifty'));
  expect(almostAll(await latenciesAt('/beside-fifty', 8_000))).toBeLessThan(1_000);
  await remove(ids);
}, 240_000);
