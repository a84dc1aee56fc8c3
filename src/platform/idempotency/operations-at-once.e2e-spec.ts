import { AsyncLocalStorage } from 'node:async_hooks';
import { createSecretKey } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import type { TestApp } from '../../../test/harness/app.js';
import { Note } from '../../../test/harness/fixtures/notes.fixture.js';
import { createNotesApp } from '../../../test/harness/fixtures/notes-app.js';
import type { Workspace } from '../../../test/harness/workspace.js';
import { sql, Store } from '../../kit/index.js';
import type { CallContext } from '../persistence/transactions/call-context.js';
import type { PgTx } from '../persistence/transactions/pg-tx.js';
import { Idempotency, type Operation } from './idempotency.js';

const RETENTION_HOURS = 24;
/** Runs outside of the write that is being executed. */
const elsewhere = AsyncLocalStorage.snapshot();

let app: TestApp;
let workspace: Workspace;
let store: Store;

beforeAll(async () => {
  app = await createNotesApp();
  workspace = await app.workspace();
  store = app.app.get(Store);
});
afterAll(() => app.close());

/** Each executes operations as a process of its own would. */
const newProcess = () => new Idempotency(RETENTION_HOURS, createSecretKey('secret', 'utf8'), app.app.get(DataSource));
const operation = (key: string, body: unknown = {}): Operation => {
  const ctx = Object.assign(workspace.ctx() as CallContext, { idempotencyKey: key });
  return newProcess().operationOf(ctx, 'a caller', 'POST', '/notes', body);
};
const responseOf = (title: string) => ({ status: 201, body: JSON.stringify({ title }), headers: {} });
const createdIn = (process: Idempotency, op: Operation, title: string, meanwhile?: () => Promise<unknown>) =>
  process.once(op, () =>
    store.write(workspace.ctx(), async (tx) => {
      await meanwhile?.();
      await tx.advanced.pipelined.insert(Note, { project_id: workspace.eng.id, title, body: null, extra: {}, remaining: null });
      process.store(tx as PgTx, op, responseOf(title));
      return responseOf(title);
    }),
  );
const titles = async (like: string) =>
  (
    await app.sql.query<{ title: string; xmin: string }>('SELECT title, xmin::text FROM notes_fixture WHERE title LIKE $1 ORDER BY title', [
      like,
    ])
  ).rows;

it('two processes that execute one operation at once write once, and both answer with what was written', async () => {
  const [one, other] = [newProcess(), newProcess()];
  const op = operation('in two processes');
  const answers: unknown[] = [];
  const late = await createdIn(one, op, 'late of two', async () => {
    answers.push(await elsewhere(() => createdIn(other, op, 'early of two')));
  });
  answers.push(late);
  expect(answers).toEqual([
    { response: responseOf('early of two'), isRepeat: false },
    { response: expect.objectContaining(responseOf('early of two')), isRepeat: true },
  ]);
  expect((await titles('% of two')).map(({ title }) => title)).toEqual(['early of two']);
});

it('an error that the work of the other process causes is answered with its response', async () => {
  const op = operation('fails');
  const answer = await newProcess().once(op, async () => {
    await createdIn(newProcess(), op, 'made by the other');
    throw new Error('the title is taken');
  });
  expect(answer).toMatchObject({ response: responseOf('made by the other'), isRepeat: true });
  // another body under the same key is told as such
  const reused = newProcess().once(operation('fails', { other: true }), () => Promise.reject(new Error('never executed')));
  await expect(reused).rejects.toMatchObject({ spec: { code: 'idempotency_key_reused' } });
});

it('an operation that waits for another process executes if the other one rolls back', async () => {
  const op = operation('rolled back');
  const [one, other] = [newProcess(), newProcess()];
  let waiting: Promise<unknown> = Promise.resolve();
  const first = one.once(op, () =>
    store.write(workspace.ctx(), async (tx) => {
      one.store(tx as PgTx, op, responseOf('never written'));
      // the record is written when this has been answered
      await tx.sql(sql`SELECT 1`);
      waiting = elsewhere(() => createdIn(other, op, 'written by the waiting one'));
      await sleep(300);
      throw new Error('rolled back');
    }),
  );
  // its error, or the response of the other one if that has been faster
  await first.catch((error: Error) => expect(error.message).toBe('rolled back'));
  expect(await waiting).toEqual({ response: responseOf('written by the waiting one'), isRepeat: false });
  expect((await titles('written by the waiting one')).length).toBe(1);
});

it('an error of an action after the commit is not hidden by the record; a repeat gets the response', async () => {
  const op = operation('after commit');
  const failing = newProcess();
  const execute = () =>
    failing.once(op, () =>
      store.write(workspace.ctx(), async (tx) => {
        failing.store(tx as PgTx, op, responseOf('committed'));
        tx.afterCommit(() => Promise.reject(new Error('the notification failed')));
        return responseOf('committed');
      }),
    );
  await expect(execute()).rejects.toThrow('the notification failed');
  expect(await execute()).toMatchObject({ response: responseOf('committed'), isRepeat: true });
});

it('operations commit together, each with its record', async () => {
  const process = newProcess();
  await Promise.all(Array.from({ length: 20 }, (_, n) => createdIn(process, operation(`together ${n}`), `together ${n}`)));
  const rows = await titles('together %');
  expect(rows).toHaveLength(20);
  expect(new Set(rows.map(({ xmin }) => xmin)).size).toBeLessThan(10);
  const again = await createdIn(process, operation('together 7'), 'never written');
  expect(again).toMatchObject({ response: responseOf('together 7'), isRepeat: true });
});

it('an operation whose record has expired is executed again', async () => {
  const process = newProcess();
  await createdIn(process, operation('expired'), 'before it expired');
  await app.sql.query(`UPDATE idempotency_records SET created_at = now() - interval '25 hours' WHERE scope = $1`, [
    operation('expired').scope,
  ]);
  expect(await createdIn(process, operation('expired'), 'after it expired')).toMatchObject({ isRepeat: false });
  expect(await createdIn(process, operation('expired'), 'never written')).toMatchObject({ response: responseOf('after it expired') });
});
