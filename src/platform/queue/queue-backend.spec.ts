import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { PostgresConnection } from 'bullmq';
import { Client } from 'pg';
import { eventually } from '../../../test/harness/eventually.js';
import { createTestDatabase } from '../../../test/harness/test-database.js';
import { NotificationWorker } from './queue-backend.js';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => void (database = await createTestDatabase()));
afterAll(() => database.drop());

/** The number of active timers of this process. */
const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;

test('a worker that is closed while it waits for a job leaves no timer', async () => {
  const before = timers();
  const worker = new NotificationWorker('probe', () => Promise.resolve(), { connection: { postgresUrl: database.url } });
  const waiting = Reflect.get(worker, 'backend') as { cancelWait?: () => void };
  await eventually(
    () => Promise.resolve(waiting.cancelWait),
    (cancel) => cancel !== undefined,
  );
  await worker.close();
  expect(timers()).toBe(before);
});

test('a connection that is lost before its worker listens to errors, or while it closes, does not end the process', async () => {
  const handled: boolean[] = [];
  const { connect } = Client.prototype;
  const connects = jest.spyOn(Client.prototype, 'connect').mockImplementation(function (this: Client, ...given: []) {
    handled.push(this.listenerCount('error') > 0);
    return Reflect.apply(connect, this, given) as unknown;
  } as never);
  const worker = new NotificationWorker('probe', () => Promise.resolve(), { connection: { postgresUrl: database.url } });
  const { connection } = Reflect.get(worker, 'backend') as unknown as { connection: PostgresConnection };
  const client = (await connection.getListenClient()) as unknown as Client;
  const isListening = connects.mock.contexts.indexOf(client);
  connects.mockRestore();
  const closing = connection.close();
  const whileClosing = client.listenerCount('error') > 0;
  await closing;
  await worker.close();
  expect([handled[isListening], whileClosing]).toEqual([true, true]);
});
