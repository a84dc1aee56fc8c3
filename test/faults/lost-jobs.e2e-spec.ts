import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { FaultHarness } from './fault-harness.js';

let harness: FaultHarness;

beforeAll(async () => {
  harness = await FaultHarness.start({ env: { QUEUE_RECONCILE_MS: '5000' } });
}, 120_000);
afterAll(() => harness.stop());

test('workers are notified of due work immediately instead of waiting for the next poll', async () => {
  await harness.worker();
  await harness.endpoint('/notified');
  await harness.createTasks(1);
  await harness.settled();
  const started = Date.now();
  await harness.createTasks(3);
  await harness.arrived('/notified', 4_000);
  expect(Date.now() - started).toBeLessThan(2_000);
}, 60_000);

test('all events are delivered even if every job of the queue is lost', async () => {
  const { rows } = await harness.app.sql.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables
     WHERE table_schema = 'bullmq' AND table_type = 'BASE TABLE' AND table_name <> 'migration'`,
  );
  await harness.app.sql.query(`CREATE FUNCTION flush_queue() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'`);
  // from now on every job is lost as soon as it is added
  for (const { name } of rows)
    await harness.app.sql.query(`CREATE TRIGGER flush_queue BEFORE INSERT ON bullmq."${name}" FOR EACH ROW EXECUTE FUNCTION flush_queue()`);
  await harness.app.sql.query(`TRUNCATE ${rows.map(({ name }) => `bullmq."${name}"`).join(', ')} CASCADE`);
  await harness.endpoint('/flushed');
  const since = new Date();
  await harness.createTasks(20);
  expect(await harness.arrived('/flushed', 30_000, since)).toEqual({ missing: [], repeated: [], sameBodies: true });
}, 60_000);
