import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { FaultHarness } from './fault-harness.js';

const POLL_MS = 6_000;

let harness: FaultHarness;

beforeAll(async () => {
  harness = await FaultHarness.start({ env: { QUEUE_RECONCILE_MS: `${POLL_MS}` } });
  await harness.worker();
});
afterAll(() => harness.stop());

test('workers are notified of due work instead of waiting for the next poll', async () => {
  await harness.endpoint('/notified');
  const waits: number[] = [];
  for (let round = 0; round < 5; round++) {
    await harness.createTasks(1);
    const start = performance.now();
    expect((await harness.arrived('/notified', 60_000)).missing).toEqual([]);
    waits.push(performance.now() - start);
  }
  // If workers only polled, each round but the first would begin just after a poll and wait for the next one. A machine may be busy for
  // some of the rounds.
  expect(waits.sort((one, other) => one - other)[2]).toBeLessThan(POLL_MS / 2);
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
