import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { FaultHarness } from './fault-harness.js';

let harness: FaultHarness;

beforeAll(async () => {
  harness = await FaultHarness.start({ env: { QUEUE_RECONCILE_MS: '4000' } });
  await harness.worker();
});
afterAll(() => harness.stop());

// if workers only polled, the rounds would take more than 30 s; they take about one
test('workers are notified of due work instead of waiting for the next poll', async () => {
  await harness.endpoint('/notified');
  for (let round = 0; round < 10; round++) {
    await harness.createTasks(1);
    expect((await harness.arrived('/notified', 60_000)).missing).toEqual([]);
  }
});

test('all events are delivered even if every job of the queue is lost', async () => {
  const { rows } = await harness.app.sql.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables
     WHERE table_schema = 'bullmq' AND table_type = 'BASE TABLE' AND table_name <> 'migration'`,
  );
  await harness.app.sql.query(`CREATE FUNCTION flush_queue() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'`);
  // from now on every job is lost as soon as it is added
  for (const { name } of rows)
    await harness.app.sql.query(`CREATE TRIGGER flush_queue BEFORE INSERT ON bullmq."${name}" FOR EACH ROW EXECUTE FUNCTION flush_queue()`);
  const flush = () => harness.app.sql.query(`TRUNCATE ${rows.map(({ name }) => `bullmq."${name}"`).join(', ')} CASCADE`);
  // the workers lock the same tables in another order: once in a while that is a deadlock
  await flush().catch(flush);
  await harness.endpoint('/flushed');
  const since = new Date();
  await harness.createTasks(20);
  expect(await harness.arrived('/flushed', 60_000, since)).toEqual({ missing: [], repeated: [], sameBodies: true });
});
