import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApp } from '../../../../test/kit/app.js';
import { Note, NoteEvents } from '../../../../test/kit/notes.fixture.js';
import { createNotesApp } from '../../../../test/kit/notes-app.js';
import type { Workspace } from '../../../../test/kit/workspace.js';
import { Store, type Ctx, type Tx } from '../../../kit/index.js';

let app: TestApp;
let workspace: Workspace;
let store: Store;
let ctx: Ctx;
let release = (): void => undefined;

beforeAll(async () => {
  app = await createNotesApp();
  workspace = await app.workspace();
  store = app.app.get(Store);
  ctx = workspace.ctx();
});
afterAll(() => app.close());

const insert = (tx: Tx, title: string) => tx.insert(Note, { project_id: workspace.eng.id, title, body: null, extra: {} });
const titles = async (like: string) =>
  (await app.sql.query<{ title: string }>('SELECT title FROM notes_fixture WHERE title LIKE $1 ORDER BY 1', [like])).rows.map(
    ({ title }) => title,
  );
/** Connections of the application that are inside a transaction. */
const openTransactions = async () =>
  (
    await app.sql.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'work-suite' AND xact_start IS NOT NULL`,
    )
  ).rows[0].n;

describe('Tx.prepared', () => {
  it('runs the work with no transaction open and the change once more with its result', async () => {
    let runs = 0;
    const times: Date[] = [];
    const result = await store.write(ctx, async (tx) => {
      runs++;
      times.push(tx.startedAt);
      await insert(tx, 'prepared one');
      const open = await tx.prepared('count', openTransactions);
      await insert(tx, 'prepared two');
      return open;
    });
    expect([result, runs]).toEqual([0, 2]);
    expect(times[1]).toEqual(times[0]);
    expect(await titles('prepared %')).toEqual(['prepared one', 'prepared two']);
  });

  it('gives each run the numbers of the run before', async () => {
    const drawn: number[][] = [];
    await store.write(ctx, async (tx) => {
      drawn.push([await tx.next('prepared', workspace.eng.id), await tx.next('prepared', workspace.eng.id)]);
      await tx.prepared('any', () => Promise.resolve());
    });
    expect(drawn).toEqual([
      [1, 2],
      [1, 2],
    ]);
    expect(await store.write(ctx, (tx) => tx.next('prepared', workspace.eng.id))).toBe(3);
  });

  it('throws the error of the work where the result is asked for', async () => {
    const seen: string[] = [];
    await store.write(ctx, async (tx) => {
      await tx
        .attempt(async () => {
          await insert(tx, 'failed part');
          await tx.prepared('fails', () => Promise.reject(new Error('no paper')));
        })
        .catch((error: Error) => seen.push(error.message));
      await insert(tx, 'failed rest');
    });
    expect(seen.at(-1)).toBe('no paper');
    expect(await titles('failed %')).toEqual(['failed rest']);
  });

  it('runs the change again although it hides the error that ended the run', async () => {
    const outcomes: string[] = [];
    await store.write(ctx, async (tx) => {
      const outcome = await tx.prepared('hidden', () => Promise.resolve('done')).catch(() => 'lost');
      outcomes.push(outcome);
      await insert(tx, `hidden ${outcome}`);
    });
    expect(outcomes).toEqual(['lost', 'done']);
    expect(await titles('hidden %')).toEqual(['hidden done']);
  });

  it('fails with 503 and writes nothing when each run asks for other work', async () => {
    let runs = 0;
    const change = store.write(ctx, async (tx) => {
      await insert(tx, 'endless');
      await tx.prepared(`run ${runs++}`, () => Promise.resolve());
    });
    await expect(change).rejects.toMatchObject({ spec: { status: 503, code: 'unavailable' } });
    expect(runs).toBe(20);
    expect(await titles('endless')).toEqual([]);
  });

  it('keeps code that a run left behind out of the runs that follow', async () => {
    let runs = 0;
    const late: Promise<unknown>[] = [];
    const done: string[] = [];
    const works = await store.write(ctx, async (tx) => {
      if (runs++ === 0) {
        const secondRun = Promise.withResolvers<void>();
        const leftBehind = (way: () => Promise<unknown>) => late.push(secondRun.promise.then(way));
        leftBehind(() => store.write(ctx, (joined) => insert(joined, 'left behind')));
        leftBehind(() => store.list(ctx, Note));
        leftBehind(() => insert(tx, 'left behind'));
        leftBehind(() => tx.next('left behind', workspace.eng.id));
        leftBehind(() => tx.prepared('left behind', async () => done.push('left behind')));
        leftBehind(async () => tx.emit(NoteEvents.created, { object: {} as never, projectId: workspace.eng.id }));
        leftBehind(async () => tx.afterCommit(() => void done.push('after commit')));
        release = secondRun.resolve;
      }
      await insert(tx, `run ${runs}`);
      if (runs === 2) release();
      await Promise.allSettled(runs === 2 ? late : []);
      await tx.prepared('wanted', async () => done.push('wanted'));
      return runs;
    });
    expect([works, done]).toEqual([2, ['wanted']]);
    for (const { status, reason } of (await Promise.allSettled(late)) as PromiseRejectedResult[])
      expect([status, String(reason)]).toEqual(['rejected', expect.stringMatching(/has ended|runs again/)]);
    expect(late).toHaveLength(7);
    expect(await titles('left behind')).toEqual([]);
    expect(await titles('run %')).toEqual(['run 2']);
    // once the change has ended, too
    const afterwards = Promise.withResolvers<void>();
    let last: Promise<unknown> = Promise.resolve();
    await store.write(ctx, async (tx) => {
      last = runs++ === 2 ? afterwards.promise.then(() => store.write(ctx, (own) => insert(own, 'left behind'))) : last;
      await tx.prepared('afterwards', () => Promise.resolve());
    });
    afterwards.resolve();
    await expect(last).rejects.toThrow('runs again');
    expect(await titles('left behind')).toEqual([]);
  });
});
