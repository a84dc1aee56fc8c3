import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { createTestApp, type TestApp } from '../../../test/harness/app.js';
import { eventually } from '../../../test/harness/eventually.js';
import type { Workspace } from '../../../test/harness/workspace.js';
import { Ctx, DomainModule, Job, Jobs, Store, type JobHandler, type JobRun } from '../../kit/index.js';

interface Payload {
  name: string;
  fails?: number;
}

const runs: { ctx: Ctx; payload: Payload; run: JobRun }[] = [];

@Injectable()
@Job({
  name: 'chores.do_chore',
  attempts: 2,
})
class DoChore implements JobHandler<Payload> {
  run(ctx: Ctx, payload: Payload, run: JobRun): Promise<void> {
    runs.push({ ctx, payload, run });
    return run.attempt <= (payload.fails ?? 0) ? Promise.reject(new Error('not yet')) : Promise.resolve();
  }
}

let finishLongChores: () => void;
const longChores = new Promise<void>((resolve) => (finishLongChores = resolve));

@Injectable()
@Job({ name: 'chores.do_long_chore' })
class DoLongChore implements JobHandler<Payload> {
  run(ctx: Ctx, payload: Payload, run: JobRun): Promise<void> {
    runs.push({ ctx, payload, run });
    // the first of each organization ends quickly
    return payload.name === 'short' ? Promise.resolve() : longChores;
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
  jobs: [DoChore, DoLongChore],
})
class ChoresModule {}

let app: TestApp;
let space: Workspace;

beforeAll(async () => {
  app = await createTestApp({ modules: [ChoresModule], env: { QUEUE_RECONCILE_MS: '200' } });
  space = await app.workspace();
});
afterAll(async () => {
  finishLongChores();
  await app.close();
});

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

  test('waits neither for jobs of another kind nor, longer than for its turn, for those of another organization', async () => {
    const other = await app.workspace();
    const addLong = (workspace: Workspace, name: string) => {
      const ctx = workspace.ctx();
      return app.app
        .get(Store)
        .write(ctx, (tx) => app.app.get(Jobs).add(ctx, tx, DoLongChore, { name }, { dueAt: new Date(Date.now() - 1) }));
    };
    for (let index = 0; index < 12; index++) await addLong(space, `long ${index}`);
    const started = () => Promise.resolve(runs.filter(({ payload }) => payload.name.startsWith('long')).length);
    expect(await eventually(started, (count) => count === 3)).toBe(3);
    await add({ name: 'quick' });
    await eventually(
      async () => runsOf('quick'),
      (all) => all.length > 0,
    );
    await addLong(other, 'short');
    expect([await started(), runsOf('short')]).toEqual([3, []]);
    finishLongChores();
    await eventually(
      async () => runsOf('short'),
      (all) => all.length > 0,
    );
    // in order of their times all twelve would come first; some others are claimed with it and may begin before it
    const before = runs.slice(0, runs.indexOf(runsOf('short')[0])).filter(({ payload }) => payload.name.startsWith('long')).length;
    expect(before).toBeLessThanOrEqual(8);
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
