import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { AsyncLocalStorage } from 'node:async_hooks';
import { DataSource } from 'typeorm';
import type { TestApp } from '../../../../test/harness/app.js';
import { eventually } from '../../../../test/harness/eventually.js';
import { NOTES } from '../../../../test/harness/fixtures/fixture-apps.js';
import { Note, NoteEvents } from '../../../../test/harness/fixtures/notes.fixture.js';
import { createNotesApp } from '../../../../test/harness/fixtures/notes-app.js';
import type { Workspace } from '../../../../test/harness/workspace.js';
import { defineErrors, sql, Store, writeRows, type Ctx, type Tx } from '../../../kit/index.js';
import { declareConstraints, platformSql } from '../../../kit/internal.js';
import { poolOf } from '../database/pool.js';
import type { CallContext } from './call-context.js';
import type { PgStore } from './pg-store.js';

/** Runs as a concurrent caller would, outside of the write around it. */
const elsewhere = AsyncLocalStorage.snapshot();

let app: TestApp;
let workspace: Workspace;
let store: Store;
let ctx: Ctx;

beforeAll(async () => {
  app = await createNotesApp();
  workspace = await app.workspace();
  store = app.app.get(Store);
  ctx = workspace.ctx();
});
afterAll(() => app.close());

const note = (title: string) => ({ project_id: workspace.eng.id, title, body: null, extra: {} });
const titlesLike = async (like: string) =>
  (await app.sql.query<{ title: string }>('SELECT title FROM notes_fixture WHERE title LIKE $1 ORDER BY 1', [like])).rows.map(
    ({ title }) => title,
  );

it('a request fails in tests if it takes a second connection inside its write', async () => {
  const { client } = await workspace.key();
  const write = store.write.bind(store);
  const errors = jest.spyOn(console, 'error').mockReturnValue();
  jest.spyOn(store, 'write').mockImplementationOnce((ctx, change) =>
    write(ctx, async (tx) => {
      await tx.lockWhere(Note, { title: 'none' });
      await poolOf(app.app.get(DataSource)).query('SELECT 1');
      return change(tx);
    }),
  );
  const { status } = await client.post(NOTES, { project_id: workspace.eng.id, title: 'on two connections' });
  const [[error]] = errors.mock.calls;
  jest.restoreAllMocks();
  expect([status, String(error)]).toEqual([500, expect.stringContaining('a second connection')]);
  expect(await titlesLike('on two connections')).toEqual([]);
});

it('writeRows does not read a table as a whole for each row, though its statements were planned while the table was small', async () => {
  await app.sql.query('ANALYZE notes_fixture');
  const read = await store.write(ctx, async (tx) => {
    const writeNote = async (title: string) => {
      const { id } = await tx.advanced.pipelined.insert(Note, note(title));
      await tx.get(Note, id);
    };
    const rows = Array.from({ length: 300 }, (_, index) => `many ${index}`);
    for (const title of rows.splice(0, 10)) await writeNote(title);
    await writeRows(tx, rows, writeNote, { isDryRun: true, together: true, onRefusal: (_, error) => expect(error).toBeNull() });
    const [{ count }] = await tx.sql<{ count: string }>(
      sql.unscoped('statistics of a table')`SELECT pg_stat_get_xact_tuples_returned('notes_fixture'::regclass) AS count`,
    );
    return Number(count);
  });
  expect(read).toBeLessThan(2_000);
});

describe('a constraint that a manifest declares', () => {
  const { crowded } = defineErrors({ crowded: { code: 'crowded', type: 'conflict_error', status: 409, message: 'One body is enough.' } });
  const refused = { spec: crowded.spec, occurrence: { param: 'body' } };
  const crowd = (change: (tx: Tx) => Promise<unknown>) => store.write(workspace.ctx(), change);
  const another = (tx: Tx, pipelined: boolean) =>
    (pipelined ? tx.advanced.pipelined : tx).insert(Note, { ...note('one more'), title: `${Math.random()}`, body: 'crowded' });

  beforeAll(async () => {
    declareConstraints({ notes_fixture_crowded_excl: { error: crowded, param: 'body' } });
    await app.sql.query(
      `ALTER TABLE notes_fixture ADD CONSTRAINT notes_fixture_crowded_excl EXCLUDE (body WITH =) WHERE (body = 'crowded')`,
    );
    await crowd((tx) => another(tx, false));
  });

  it('is its error at the statement, at a later one and at the commit', async () => {
    await expect(crowd((tx) => another(tx, false))).rejects.toMatchObject(refused);
    const later = crowd(async (tx) => {
      await another(tx, true);
      await tx.lockWhere(Note, { title: 'none' });
    });
    await expect(later).rejects.toMatchObject(refused);
    await expect(crowd((tx) => another(tx, true))).rejects.toMatchObject(refused);
    const both = await Promise.allSettled([
      crowd((tx) => another(tx, true)),
      crowd((tx) => tx.advanced.pipelined.insert(Note, note('with the crowd'))),
    ]);
    expect(both).toMatchObject([{ status: 'rejected', reason: refused }, { status: 'fulfilled' }]);
  });

  it('is its error in an attempt, after which the change goes on', async () => {
    await crowd(async (tx) => {
      await expect(tx.attempt(() => another(tx, false))).rejects.toMatchObject(refused);
      await tx.insert(Note, note('beside the crowd'));
    });
    expect(await titlesLike('beside the crowd')).toHaveLength(1);
  });
});

describe('a pipelined write', () => {
  const found = (id: string) => store.find(workspace.ctx(), Note, id);

  it('returns the row as it will be read, and the next statement sees it', async () => {
    const ctx = workspace.ctx();
    const [inserted, seen, updated] = await store.write(ctx, async (tx) => {
      const first = await tx.advanced.pipelined.insert(Note, { ...note('later'), extra: { a: 1 } });
      const locked = await tx.lock(Note, first.id);
      return [first, locked, await tx.advanced.pipelined.update(locked, { title: 'later still', body: 'new' })];
    });
    expect(seen).toEqual(inserted);
    expect(inserted).toMatchObject({ version: 1, body: null, mode: 'live' });
    expect(updated).toMatchObject({ version: 2, body: 'new', extra: { a: 1 } });
    expect(await found(inserted.id)).toEqual(updated);
  });

  it('that cannot be sent writes nothing, whatever was sent before and after it', async () => {
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    const written = store.write(workspace.ctx(), async (tx) => {
      await tx.insert(Note, note('beside an unsendable one'));
      tx.advanced.pipelined.sql(sql`SELECT ${circular}::jsonb`);
      await new Promise(setImmediate);
      await tx.advanced.pipelined.insert(Note, note('beside an unsendable one'));
    });
    await expect(written).rejects.toThrow('circular');
    expect(await titlesLike('beside an unsendable one')).toEqual([]);
    // the connection is as good as before
    await store.write(workspace.ctx(), (tx) => tx.insert(Note, note('after an unsendable one')));
    expect(await titlesLike('after an unsendable one')).toHaveLength(1);
  });

  it('fails with the error of the statement that failed first, also one that nobody awaits', async () => {
    const written = store.write(workspace.ctx(), async (tx) => {
      tx.sql(sql`SELECT 1 / 0`).catch(() => undefined);
      await new Promise(setImmediate);
      await tx.sql(sql`SELECT 2`);
    });
    await expect(written).rejects.toMatchObject({ code: '22012' });
  });

  it('that violates a constraint writes nothing, and its error names the field, also at a later statement', async () => {
    const before = await titlesLike('%');
    const rejected = { spec: { code: 'validation_failed' }, occurrence: { param: 'title' } };
    const both = (last: (tx: Tx) => Promise<unknown>) =>
      store.write(workspace.ctx(), async (tx) => {
        await tx.advanced.pipelined.insert(Note, note('with the rejected one'));
        await tx.advanced.pipelined.insert(Note, note('forbidden'));
        await last(tx);
      });
    await expect(both(() => Promise.resolve())).rejects.toMatchObject(rejected);
    await expect(both((tx) => tx.list(Note))).rejects.toMatchObject(rejected);
    await expect(both((tx) => tx.list(Note).catch(() => []))).rejects.toMatchObject(rejected);
    expect(await titlesLike('%')).toEqual(before);
  });

  it('is rolled back with the attempt around it, and separately', async () => {
    await store.write(workspace.ctx(), async (tx) => {
      await tx.advanced.pipelined.insert(Note, note('before the attempt'));
      await expect(tx.attempt(() => tx.advanced.pipelined.insert(Note, note('forbidden')))).rejects.toMatchObject({
        occurrence: { param: 'title' },
      });
      await expect(
        tx.attempt(async () => {
          await tx.advanced.pipelined.insert(Note, note('in the attempt'));
          throw new Error('undone');
        }),
      ).rejects.toThrow('undone');
      await tx.attempt(() => tx.advanced.pipelined.insert(Note, note('in the second attempt')));
    });
    expect(await titlesLike('%')).toEqual(expect.arrayContaining(['before the attempt', 'in the second attempt']));
    expect(await titlesLike('%')).not.toContain('in the attempt');
  });

  it('leaves the transaction usable when an attempt fails before it is sent', async () => {
    const { version } = await store.write(workspace.ctx(), async (tx) => {
      await expect(
        tx.attempt(async () => {
          await tx.insert(Note, note('forbidden')).catch(() => undefined);
          await tx.advanced.pipelined.insert(Note, note('in the failed attempt'));
        }),
      ).rejects.toThrow();
      return tx.advanced.pipelined.insert(Note, note('after the failed attempt'));
    });
    expect(version).toBe(1);
    expect(await titlesLike('%')).toContain('after the failed attempt');
  });

  it.each([0, 1, 2])('runs in the order of the calls, with the values at the call, before %d events', async (events) => {
    const ctx = workspace.ctx();
    const title = `room ${events}`;
    const { id } = await store.write(ctx, (tx) => tx.insert(Note, note(title)));
    const extra = { list: [1] };
    const placed = await store.write(ctx, async (tx) => {
      const moved = await tx.advanced.pipelined.update(await tx.lock(Note, id), { title: `${title}, moved` });
      await tx.advanced.pipelined.update(moved, { body: 'twice' });
      const row = await tx.advanced.pipelined.insert(Note, { ...note(title), extra });
      extra.list.push(2);
      for (let n = 0; n < events; n++) tx.emit(NoteEvents.created, { object: {} as never, projectId: row.project_id });
      return row;
    });
    expect(await found(id)).toMatchObject({ title: `${title}, moved`, body: 'twice', version: 3 });
    expect((await found(placed.id))?.extra).toEqual({ list: [1] });
  });

  const lost: [string, (tx: Tx, row: Note) => Promise<unknown>][] = [
    ['was changed since', (tx, row) => tx.update(row, { body: 'first' })],
    ['was changed by a pipelined update since', (tx, row) => tx.advanced.pipelined.update(row, { body: 'first' })],
    [
      'was changed by a statement of its own',
      (tx, row) => tx.sql(platformSql('UPDATE notes_fixture SET version = version + 1 WHERE id = $1', [row.id])),
    ],
    ['was deleted since', (tx, row) => tx.delete(row)],
    [
      'was changed by others since',
      (_tx, row) => elsewhere(() => store.write(workspace.ctx(), (other) => other.update(row, { body: `${row.body ?? ''}first` }))),
    ],
  ];
  it.each(lost)('is never lost: of a row that %s it is a conflict, and nothing is written', async (how, meanwhile) => {
    const before = await store.write(workspace.ctx(), (tx) => tx.insert(Note, note(how)));
    const conflict = { spec: { code: 'resource_conflict' } };
    const overtaken = (last: (tx: Tx) => Promise<unknown>) =>
      store.write(workspace.ctx(), async (tx) => {
        const row = await tx.get(Note, before.id);
        await tx.advanced.pipelined.insert(Note, note(`${how}: beside`));
        await meanwhile(tx, row);
        await tx.advanced.pipelined.update(row, { body: 'second' });
        await last(tx);
      });
    await expect(overtaken((tx) => tx.list(Note))).rejects.toMatchObject(conflict);
    await expect(overtaken(() => Promise.resolve())).rejects.toMatchObject(conflict);
    expect((await found(before.id))?.body).not.toBe('second');
    expect(await titlesLike('%')).not.toContain(`${how}: beside`);
  });

  it('of a copy that an undone attempt made is a conflict', async () => {
    const { id } = await store.write(workspace.ctx(), (tx) => tx.insert(Note, note('attempted')));
    await expect(
      store.write(workspace.ctx(), async (tx) => {
        let copy = await tx.lock(Note, id);
        await tx
          .attempt(async () => {
            copy = await tx.advanced.pipelined.update(copy, { body: 'attempted' });
            throw new Error('undone');
          })
          .catch(() => undefined);
        await tx.advanced.pipelined.update(copy, { body: 'second' });
      }),
    ).rejects.toMatchObject({ spec: { code: 'resource_conflict' } });
    expect((await found(id))?.body).toBeNull();
  });

  it('is rejected if the row that will be read is not known', async () => {
    const { title: _title, ...untitled } = note('x');
    await expect(store.write(workspace.ctx(), (tx) => tx.advanced.pipelined.insert(Note, untitled))).rejects.toThrow(
      'Note.title must be given',
    );
    await expect(
      store.write(workspace.ctx(), (tx) => tx.advanced.pipelined.insert(Note, { ...note('x'), colour: 'red' } as Partial<Note>)),
    ).rejects.toThrow('Note has no column "colour"');
  });
});

const many = (count: number, draw: (tx: Tx, n: number) => Promise<number>) =>
  Promise.all(Array.from({ length: count }, (_, n) => store.write(workspace.ctx(), (tx) => draw(tx, n))));
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n + 1);
const ascending = (numbers: number[]) => numbers.sort((a, b) => a - b);

describe('numbers', () => {
  it('are unique for more concurrent requests than the pool has connections', async () => {
    expect(ascending(await many(40, (tx) => tx.next('drawn', workspace.eng.id)))).toEqual(upTo(40));
  });

  it('run apart for each series, project and mode', async () => {
    await many(6, (tx, n) => tx.next(n % 2 ? 'odd' : 'even', n < 3 ? workspace.eng.id : workspace.ops.id));
    const draw = (mode: 'live' | 'test', series: string, id: string) => store.write(workspace.ctx(mode), (tx) => tx.next(series, id));
    expect(
      await Promise.all([
        draw('live', 'even', workspace.eng.id),
        draw('live', 'odd', workspace.eng.id),
        draw('live', 'odd', workspace.ops.id),
        draw('test', 'odd', workspace.ops.id),
      ]),
    ).toEqual([3, 2, 3, 1]);
  });

  it('of a failed change are lost, and no other change waits for it', async () => {
    const failing = store.write(workspace.ctx(), async (tx) => {
      expect(await tx.next('failed', workspace.eng.id)).toBe(1);
      expect(await elsewhere(() => many(2, (other) => other.next('failed', workspace.eng.id)))).toEqual([2, 3]);
      throw new Error('on purpose');
    });
    await expect(failing).rejects.toThrow('on purpose');
    expect(await many(1, (tx) => tx.next('failed', workspace.eng.id))).toEqual([4]);
  });

  it('fail while the database is unavailable, and continue after that', async () => {
    await expect(many(2, (tx) => tx.next('rejected', 'no uuid'))).rejects.toThrow('uuid');
    expect(await many(1, (tx) => tx.next('rejected', workspace.eng.id))).toEqual([1]);
  });

  it('without gaps are given back by a change that fails', async () => {
    const failing = store.write(workspace.ctx(), async (tx) => {
      expect(await tx.next('invoice', workspace.eng.id, { gapless: true })).toBe(1);
      throw new Error('on purpose');
    });
    await expect(failing).rejects.toThrow('on purpose');
    expect(ascending(await many(4, (tx) => tx.next('invoice', workspace.eng.id, { gapless: true })))).toEqual(upTo(4));
  });
});

const insert = (tx: Tx, title: string) => tx.insert(Note, note(title));
/** Connections of the application that are inside a transaction. */
const openTransactions = async () =>
  (
    await app.sql.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'work-suite' AND xact_start IS NOT NULL`,
    )
  ).rows[0].n;
let release = (): void => undefined;

describe('prepared', () => {
  it('runs the work with no transaction open and the change once more with its result', async () => {
    let runs = 0;
    const times: Date[] = [];
    const result = await store.write(ctx, async (tx) => {
      runs++;
      times.push(tx.startedAt);
      await insert(tx, 'prepared one');
      const open = await tx.advanced.prepared('count', openTransactions);
      await insert(tx, 'prepared two');
      return open;
    });
    expect([result, runs]).toEqual([0, 2]);
    expect(times[1]).toEqual(times[0]);
    expect(await titlesLike('prepared %')).toEqual(['prepared one', 'prepared two']);
  });

  it('reuses the numbers of the previous run', async () => {
    const drawn: number[][] = [];
    await store.write(ctx, async (tx) => {
      drawn.push([await tx.next('prepared', workspace.eng.id), await tx.next('prepared', workspace.eng.id)]);
      await tx.advanced.prepared('any', () => Promise.resolve());
    });
    expect(drawn).toEqual([
      [1, 2],
      [1, 2],
    ]);
    expect(await store.write(ctx, (tx) => tx.next('prepared', workspace.eng.id))).toBe(3);
  });

  it('throws the error of the work where the result is requested', async () => {
    const seen: string[] = [];
    await store.write(ctx, async (tx) => {
      await tx
        .attempt(async () => {
          await insert(tx, 'failed part');
          await tx.advanced.prepared('fails', () => Promise.reject(new Error('no paper')));
        })
        .catch((error: Error) => seen.push(error.message));
      await insert(tx, 'failed rest');
    });
    expect(seen.at(-1)).toBe('no paper');
    expect(await titlesLike('failed %')).toEqual(['failed rest']);
  });

  it('runs the change again although it hides the error that ended the run', async () => {
    const outcomes: string[] = [];
    await store.write(ctx, async (tx) => {
      const outcome = await tx.advanced.prepared('hidden', () => Promise.resolve('done')).catch(() => 'lost');
      outcomes.push(outcome);
      await insert(tx, `hidden ${outcome}`);
    });
    expect(outcomes).toEqual(['lost', 'done']);
    expect(await titlesLike('hidden %')).toEqual(['hidden done']);
  });

  it('fails with 503 and writes nothing if each run requests other work', async () => {
    let runs = 0;
    const change = store.write(ctx, async (tx) => {
      await insert(tx, 'endless');
      await tx.advanced.prepared(`run ${runs++}`, () => Promise.resolve());
    });
    await expect(change).rejects.toMatchObject({ spec: { status: 503, code: 'unavailable' } });
    expect(runs).toBe(20);
    expect(await titlesLike('endless')).toEqual([]);
  });

  it('prevents code of an abandoned run from joining later runs', async () => {
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
        leftBehind(() => tx.advanced.prepared('left behind', async () => done.push('left behind')));
        leftBehind(async () => tx.emit(NoteEvents.created, { object: {} as never, projectId: workspace.eng.id }));
        leftBehind(async () => tx.afterCommit(() => void done.push('after commit')));
        release = secondRun.resolve;
      }
      await insert(tx, `run ${runs}`);
      if (runs === 2) release();
      await Promise.allSettled(runs === 2 ? late : []);
      await tx.advanced.prepared('wanted', async () => done.push('wanted'));
      return runs;
    });
    expect([works, done]).toEqual([2, ['wanted']]);
    for (const { status, reason } of (await Promise.allSettled(late)) as PromiseRejectedResult[])
      expect([status, String(reason)]).toEqual(['rejected', expect.stringMatching(/has ended|runs again/)]);
    expect(late).toHaveLength(7);
    expect(await titlesLike('left behind')).toEqual([]);
    expect(await titlesLike('run %')).toEqual(['run 2']);
    // once the change has ended, too
    const afterwards = Promise.withResolvers<void>();
    let last: Promise<unknown> = Promise.resolve();
    await store.write(ctx, async (tx) => {
      last = runs++ === 2 ? afterwards.promise.then(() => store.write(ctx, (own) => insert(own, 'left behind'))) : last;
      await tx.advanced.prepared('afterwards', () => Promise.resolve());
    });
    afterwards.resolve();
    await expect(last).rejects.toThrow('runs again');
    expect(await titlesLike('left behind')).toEqual([]);
  });
});

describe('retryOnConflict', () => {
  /** Looks whether a title is free, and writes it after another transaction has taken it. */
  const take = async (tx: Tx, title: string, runs: string[]) => {
    runs.push(title);
    tx.advanced.retryOnConflict();
    const [found] = await tx.list(Note, { title });
    if (found) throw new Error(`taken by ${found.body}`);
    await elsewhere(() => store.write(workspace.ctx(), (other) => other.insert(Note, { ...note(title), body: 'another' })));
    return tx.advanced.pipelined.insert(Note, note(title));
  };

  it('runs the change again, which finds the row that took the value, and gets the same numbers', async () => {
    const runs: string[] = [];
    const numbers: number[] = [];
    const change = store.write(ctx, async (tx) => {
      numbers.push(await tx.next('taken', workspace.eng.id));
      return take(tx, 'taken meanwhile', runs);
    });
    await expect(change).rejects.toThrow('taken by another');
    expect([runs.length, numbers]).toEqual([2, [1, 1]]);
  });

  it('runs only the attempt again in which the change looked', async () => {
    const runs: string[] = [];
    await store.write(ctx, async (tx) => {
      runs.push('change');
      await tx.insert(Note, note('beside an attempt'));
      await expect(tx.attempt(() => take(tx, 'taken in an attempt', runs))).rejects.toThrow('taken by another');
    });
    expect(runs).toEqual(['change', 'taken in an attempt', 'taken in an attempt']);
    expect(await titlesLike('%an attempt')).toEqual(['beside an attempt', 'taken in an attempt']);
  });

  it('does not run a change a third time', async () => {
    let runs = 0;
    await store.write(ctx, (tx) => insert(tx, 'taken for good'));
    const change = store.write(ctx, (tx) => {
      runs++;
      tx.advanced.retryOnConflict();
      return insert(tx, 'taken for good');
    });
    await expect(change).rejects.toMatchObject({ spec: { code: 'duplicate' }, occurrence: { param: 'title' } });
    expect(runs).toBe(2);
  });
});

describe('Tx.afterCommit', () => {
  it('runs every action although one fails, and reports the failure', async () => {
    const ran: string[] = [];
    const change = store.write(ctx, async (tx) => {
      await tx.insert(Note, note('after the commit'));
      tx.afterCommit(() => void ran.push('first'));
      tx.afterCommit(() => Promise.reject(new Error('callback failed')));
      tx.afterCommit(() => void ran.push('last'));
    });
    await expect(change).rejects.toThrow('callback failed');
    expect(ran).toEqual(['first', 'last']);
    expect(await titlesLike('after the commit')).toEqual(['after the commit']);
  });
});

describe('a unit of work', () => {
  it('that was rolled back has ended: late code opens no transaction', async () => {
    const unit = (store as PgStore).begin(ctx as CallContext);
    const tx = await unit.open();
    await tx.insert(Note, note('rejected'));
    await unit.rollback();
    await expect(unit.open()).rejects.toThrow('has ended');
    expect(await titlesLike('rejected')).toEqual([]);
    expect(await openTransactions()).toBe(0);
  });
});

describe('changes that print a gapless number', () => {
  it('wait for each other up to a bound, beyond which they are rejected with 503', async () => {
    const first = Promise.withResolvers<void>();
    let over = false;
    let calls = 0;
    const change = () =>
      store.write(workspace.ctx(), async (tx) => {
        if (over) return;
        await tx.next('bounded', workspace.eng.id, { gapless: true });
        calls++;
        await tx.advanced.prepared('slow', () => first.promise);
      });
    const running = change();
    const results: Promise<unknown>[] = [];
    for (let started = 0; started < 200; started++) results.push(change());
    const settled = Promise.allSettled(results);
    // the first runs of all have ended, and the first change runs its work
    await eventually(
      async () => calls,
      (n) => n >= 202,
    );
    await expect(change()).rejects.toMatchObject({ spec: { code: 'unavailable' }, occurrence: { headers: { 'Retry-After': '30' } } });
    over = true;
    first.resolve();
    await running;
    expect((await settled).map(({ status }) => status)).toEqual(Array(200).fill('fulfilled'));
  });
});
