import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { createTestApp, type TestApp } from '../../../test/kit/app.js';
import { eventually } from '../../../test/kit/eventually.js';
import type { Workspace } from '../../../test/kit/workspace.js';
import { Ctx, DomainModule, Job, Jobs, Store, type JobHandler, type JobRun } from '../../kit/index.js';

interface Payload {
  name: string;
  fails?: number;
}

const runs: { ctx: Ctx; payload: Payload; run: JobRun }[] = [];

@Injectable()
@Job({ name: 'chores.do_chore', attempts: 2 })
class DoChore implements JobHandler<Payload> {
  run(ctx: Ctx, payload: Payload, run: JobRun): Promise<void> {
    runs.push({ ctx, payload, run });
    return run.attempt <= (payload.fails ?? 0) ? Promise.reject(new Error('not yet')) : Promise.resolve();
  }
}

@DomainModule({
  name: 'chores',
  title: 'Chores',
  guide: 'Chores are for the test of jobs.',
  scopes: {},
  entities: [],
  controllers: [],
  providers: [],
  jobs: [DoChore],
})
class ChoresModule {}

let app: TestApp;
let space: Workspace;

beforeAll(async () => {
  app = await createTestApp({ modules: [ChoresModule], env: { QUEUE_RECONCILE_MS: '200' } });
  space = await app.workspace();
}, 60_000);
afterAll(() => app.close());

function add(payload: Payload, options: { dueAt?: Date; key?: string } = {}, undo = false): Promise<void> {
  const ctx = space.ctx('test');
  return app.app.get(Store).write(ctx, async (tx) => {
    await app.app.get(Jobs).add(ctx, tx, DoChore, payload, options);
    if (undo) throw new Error('undone');
  });
}

const runsOf = (name: string) => runs.filter(({ payload }) => payload.name === name);
const rowsOf = async (name: string) =>
  (await app.sql.query(`SELECT status, attempts, last_error FROM jobs WHERE payload->>'name' = $1`, [name])).rows;

describe('a job', () => {
  test('runs after the commit, on behalf of the caller that added it', async () => {
    await add({ name: 'dishes' });
    const [{ ctx }] = await eventually(
      async () => runsOf('dishes'),
      (all) => all.length > 0,
    );
    expect(ctx).toMatchObject({ organizationId: space.organizationId, mode: 'test', actor: { type: 'system' } });
    expect(
      await eventually(
        () => rowsOf('dishes'),
        ([row]) => row.status === 'done',
      ),
    ).toEqual([{ status: 'done', attempts: 1, last_error: null }]);
  });

  test('of a change that was undone does not exist', async () => {
    await expect(add({ name: 'ghost' }, {}, true)).rejects.toThrow('undone');
    expect(await rowsOf('ghost')).toEqual([]);
  });

  test('that throws runs again, and fails after its last attempt', async () => {
    await add({ name: 'stubborn', fails: 5 });
    expect(
      await eventually(
        () => rowsOf('stubborn'),
        ([row]) => row.last_error !== null,
      ),
    ).toEqual([{ status: 'due', attempts: 1, last_error: 'not yet' }]);
    await app.sql.query(`UPDATE jobs SET due_at = now() WHERE payload->>'name' = 'stubborn'`);
    expect(
      await eventually(
        () => rowsOf('stubborn'),
        ([row]) => row.status === 'failed',
      ),
    ).toEqual([{ status: 'failed', attempts: 2, last_error: 'not yet' }]);
  });

  test('waits for its time, and is there once per key', async () => {
    const later = new Date(Date.now() + 3_600_000);
    await add({ name: 'monthly' }, { dueAt: later, key: 'k' });
    await add({ name: 'monthly' }, { dueAt: later, key: 'k' });
    expect(await rowsOf('monthly')).toHaveLength(1);
    expect(runsOf('monthly')).toEqual([]);
  });

  test('whose worker fell silent is taken over', async () => {
    await add({ name: 'orphan' }, { dueAt: new Date(Date.now() + 3_600_000) });
    await app.sql.query(
      `UPDATE jobs SET due_at = now(), attempts = 1, leased_until = now() - interval '1 s' WHERE payload->>'name' = 'orphan'`,
    );
    expect(
      await eventually(
        () => rowsOf('orphan'),
        ([row]) => row.status === 'done',
      ),
    ).toEqual([{ status: 'done', attempts: 2, last_error: null }]);
  });

  test('whose worker ended runs on another worker immediately, and interrupted runs do not count as attempts', async () => {
    await add({ name: 'bereft', fails: 1 }, { dueAt: new Date(Date.now() + 3_600_000) });
    await app.sql.query(
      `UPDATE jobs SET due_at = now(), attempts = 9, leased_until = now() + interval '1 h', leased_by = gen_random_uuid()
       WHERE payload->>'name' = 'bereft'`,
    );
    await eventually(
      () => rowsOf('bereft'),
      ([row]) => row.last_error === 'not yet',
    );
    // the first of two attempts
    expect(await rowsOf('bereft')).toEqual([{ status: 'due', attempts: 10, last_error: 'not yet' }]);
    expect(runsOf('bereft').map(({ run }) => run.attempt)).toEqual([1]);
  });
});
