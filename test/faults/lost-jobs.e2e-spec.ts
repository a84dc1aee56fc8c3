import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { World } from './world.js';

let world: World;

beforeAll(async () => {
  world = await World.start({ env: { QUEUE_RECONCILE_MS: '5000' } });
}, 120_000);
afterAll(() => world.stop());

test('a worker is notified of due work at once; polling is only the fallback', async () => {
  await world.worker();
  await world.endpoint('/notified');
  await world.createTasks(1);
  await world.settled();
  const started = Date.now();
  await world.createTasks(3);
  await world.arrived('/notified', 4_000);
  expect(Date.now() - started).toBeLessThan(2_000);
}, 60_000);

test('with every job of the queue deleted, everything moves again by itself', async () => {
  const { rows } = await world.app.sql.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'bullmq' AND table_type = 'BASE TABLE' AND table_name <> 'migration'`,
  );
  await world.app.sql.query(`CREATE FUNCTION flush_queue() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'`);
  // from here on each job vanishes as it is added
  for (const { name } of rows)
    await world.app.sql.query(`CREATE TRIGGER flush_queue BEFORE INSERT ON bullmq."${name}" FOR EACH ROW EXECUTE FUNCTION flush_queue()`);
  await world.app.sql.query(`TRUNCATE ${rows.map(({ name }) => `bullmq."${name}"`).join(', ')} CASCADE`);
  await world.endpoint('/flushed');
  const since = new Date();
  await world.createTasks(20);
  expect(await world.arrived('/flushed', 30_000, since)).toEqual({ missing: [], repeated: [], sameBodies: true });
}, 60_000);
