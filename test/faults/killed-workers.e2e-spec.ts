import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { World, type Worker } from './world.js';

let world: World;
let worker: Worker;

beforeAll(async () => {
  world = await World.start();
  worker = await world.worker();
}, 120_000);
afterAll(() => world.stop());

/** The next worker; the one before was killed. */
async function anotherWorker(): Promise<void> {
  worker = await world.worker();
}

test('killed before the POST was read: it is made again, once', async () => {
  const deaf = createServer((socket) => {
    process.kill(worker.pid, 'SIGKILL');
    socket.destroy();
  }).listen(0, '127.0.0.1');
  await once(deaf, 'listening');
  const id = await world.endpoint('/before', { url: `http://127.0.0.1:${(deaf.address() as { port: number }).port}/before` });
  const since = new Date();
  await world.createTasks(1);
  await worker.ended;
  deaf.close();
  await world.owner.patch(`/api/v1/org/developer/webhook-endpoints/${id}`, { url: world.receiver.url('/before') });
  await anotherWorker();
  expect(await world.arrived('/before', 15_000, since)).toEqual({ missing: [], repeated: [], sameBodies: true });
}, 60_000);

test('killed while the receiver works: it is made again, with the same id and body', async () => {
  let calls = 0;
  world.receiver.on('/during', (_request, response) => {
    if (calls++ > 0) return void response.end();
    process.kill(worker.pid, 'SIGKILL');
  });
  await world.endpoint('/during');
  const since = new Date();
  await world.createTasks(1);
  await worker.ended;
  await anotherWorker();
  await world.settled();
  const { missing, repeated, sameBodies } = await world.arrived('/during', 1_000, since);
  expect([missing, repeated.length, sameBodies]).toEqual([[], 1, true]);
}, 60_000);

test('killed after the answer, before it was written down: it is made again, and the log says why', async () => {
  let calls = 0;
  world.receiver.on('/after', (_request, response) => {
    response.end();
    if (calls++ === 0) process.kill(worker.pid, 'SIGKILL');
  });
  const id = await world.endpoint('/after');
  const since = new Date();
  await world.createTasks(1);
  await worker.ended;
  await anotherWorker();
  await world.settled();
  const { missing, repeated, sameBodies } = await world.arrived('/after', 1_000, since);
  expect([missing, repeated.length, sameBodies]).toEqual([[], 1, true]);
  const [delivery] = (await world.owner.get(`/api/v1/org/developer/deliveries?endpoint_id=${id}`)).body.data;
  const { attempts } = (await world.owner.get(`/api/v1/org/developer/deliveries/${delivery.id}`)).body;
  expect(attempts.map(({ status, error }: { status: number | null; error: string | null }) => [status, error !== null])).toEqual([
    [null, true],
    [200, false],
  ]);
}, 60_000);

test('killed again and again under load: nothing is missing, and only what was on its way comes twice', async () => {
  world.receiver.on('/load', (_request, response) => void setTimeout(() => response.end(), 20));
  await world.endpoint('/load', { max_concurrency: 10 });
  const since = new Date();
  const creating = world.createTasks(400);
  for (const afterMs of [300, 700, 400]) {
    await new Promise((resolve) => setTimeout(resolve, afterMs));
    await worker.kill('SIGKILL');
    await anotherWorker();
  }
  await creating;
  const { missing, repeated, sameBodies } = await world.arrived('/load', 30_000, since);
  expect([missing, sameBodies]).toEqual([[], true]);
  expect(repeated.length).toBeLessThanOrEqual(3 * 10);
  await world.settled();
}, 90_000);
