import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Client } from '../harness/client.js';
import { eventually } from '../harness/eventually.js';
import { FaultHarness, type Worker } from './fault-harness.js';
import { through, type SilenceableProxy } from './silenceable-proxy.js';

const TASKS = '/api/v1/ext/tasks/tasks';

let harness: FaultHarness;
let proxy: SilenceableProxy | undefined;
let api: Worker;

beforeAll(async () => {
  harness = await FaultHarness.start();
});
afterEach(() => proxy?.close());
afterAll(() => harness.stop());

/** Starts an API whose connections to the database can be silenced. */
async function startApi(): Promise<void> {
  const { proxy: opened, url } = await through(harness.app.databaseUrl);
  proxy = opened;
  api = await harness.worker({ APP_ROLE: 'api', DATABASE_URL: url });
}

const titled = (subject: string) => [1, 2, 3].map((number) => ({ title: `${subject} ${number}`, key: randomUUID() }));
const create = (client: Client, { title, key }: { title: string; key: string }) =>
  client.post(TASKS, { project_id: harness.space.eng.id, title }, { 'idempotency-key': key });

/** The tasks with the number of their events. */
async function written(subject: string): Promise<{ id: string; title: string; events: number }[]> {
  const { rows } = await harness.app.sql.query<{ id: string; title: string; events: number }>(
    `SELECT t.id, t.title, count(e.id)::int AS events FROM tasks t
     LEFT JOIN outbox_events e ON e.type = 'task.created' AND e.body LIKE '%' || t.id || '%'
     WHERE t.title LIKE $1 GROUP BY t.id ORDER BY t.title`,
    [`${subject} %`],
  );
  return rows;
}

/** Sends creates to an API that loses a part of its commits, kills it then, and repeats each of them twice at another one. */
async function killedWhile(part: 'statement' | 'result', subject: string, isLost: () => Promise<boolean>) {
  const tasks = titled(subject);
  await startApi();
  const client = harness.key.client.at(api.url);
  // what it reads first is known to it, and its connections are open
  expect((await create(client, { title: `Warm-up of ${subject}`, key: randomUUID() })).status).toBe(201);
  proxy?.lose(part, `${subject} `);
  const sent = Promise.allSettled(tasks.map((task) => create(client, task)));
  expect(await eventually(isLost, (lost) => lost)).toBe(true);
  await api.kill('SIGKILL');
  expect((await sent).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  const before = await written(subject);
  const repeat = () => Promise.all(tasks.map((task) => create(harness.key.client, task)));
  return { before, repeats: [await repeat(), await repeat()], after: await written(subject) };
}

test('a process that is killed between the commit and the response: repeats get the response of what was written', async () => {
  const isWritten = async () => (await written('Committed')).length > 0;
  const { before, repeats, after } = await killedWhile('result', 'Committed', isWritten);
  expect(after.map(({ title, events }) => [title, events])).toEqual([1, 2, 3].map((number) => [`Committed ${number}`, 1]));
  expect(after).toEqual(expect.arrayContaining(before));
  const replayed = repeats.map((responses) => responses.map(({ headers }) => headers['idempotent-replayed'] === 'true'));
  // PostgreSQL may still commit others after the process has ended
  expect(after.filter(({ id }, at) => !replayed[0][at] && before.some((row) => row.id === id))).toEqual([]);
  expect(replayed[1]).toEqual([true, true, true]);
  for (const responses of repeats) {
    expect(responses.map(({ status, headers, body }) => [status, headers.etag, body.object, body.id, body.title])).toEqual(
      after.map(({ id, title }) => [201, '"1"', 'task', id, title]),
    );
  }
  expect(repeats[1].map(({ text }) => text)).toEqual(repeats[0].map(({ text }) => text));
});

test('a process that is killed before the commit: the first repeat writes, and the next gets its response', async () => {
  const { before, repeats, after } = await killedWhile('statement', 'Uncommitted', () => Promise.resolve((proxy?.silenced ?? 0) > 0));
  expect([before, after.map(({ events }) => events)]).toEqual([[], [1, 1, 1]]);
  expect(repeats.map((responses) => responses.map(({ status, headers }) => [status, headers['idempotent-replayed']]))).toEqual([
    Array(3).fill([201, undefined]),
    Array(3).fill([201, 'true']),
  ]);
  expect(repeats[1].map(({ text }) => text)).toEqual(repeats[0].map(({ text }) => text));
  expect(after.map(({ id }) => id)).toEqual(repeats[0].map(({ body }) => body.id));
});
