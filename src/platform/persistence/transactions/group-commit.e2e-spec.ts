import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApp } from '../../../../test/harness/app.js';
import { Note, NoteEvents } from '../../../../test/harness/fixtures/notes.fixture.js';
import { eventually } from '../../../../test/harness/eventually.js';
import { createNotesApp } from '../../../../test/harness/fixtures/notes-app.js';
import type { Workspace } from '../../../../test/harness/workspace.js';
import { sql, Store, type Tx } from '../../../kit/index.js';
import type { GroupCommit } from './group-commit.js';
import type { OutboxWriter } from './outbox-writer.js';
import { TxConnection } from './tx-connection.js';

let app: TestApp;
let workspace: Workspace;
let store: Store;

beforeAll(async () => {
  app = await createNotesApp();
  workspace = await app.workspace();
  store = app.app.get(Store);
});
afterAll(() => app.close());

const TOGETHER = 20;
const note = (title: string, remaining: string | null = null) => ({
  project_id: workspace.eng.id,
  title,
  body: null,
  extra: {},
  remaining,
});
const write = <R>(change: (tx: Tx) => Promise<R>) => store.write(workspace.ctx(), change);
const writeNote = (title: string) =>
  write(async (tx) => {
    const row = await tx.advanced.pipelined.insert(Note, note(title));
    tx.emit(NoteEvents.created, { object: { id: row.id } as never, projectId: row.project_id });
    return row;
  });
const together = <R>(change: (n: number) => Promise<R>) => Promise.allSettled(Array.from({ length: TOGETHER }, (_, n) => change(n)));
const failures = (settled: PromiseSettledResult<unknown>[]) => settled.filter(({ status }) => status === 'rejected');
const find = (id: string) => store.get(workspace.ctx(), Note, id);
const count = async (sql: string, values: unknown[] = []) => Number((await app.sql.query<{ count: string }>(sql, values)).rows[0].count);
/** Locks a note as another process would; returns what ends it. */
const lock = async (id: string) => {
  const client = await app.sql.connect();
  await client.query('BEGIN');
  await client.query('SELECT 1 FROM notes_fixture WHERE id = $1 FOR UPDATE', [id]);
  return async () => {
    await client.query('COMMIT');
    client.release();
  };
};
/** Changes that wait for a lock in a transaction of their own. */
const lockWaits = () =>
  count(`SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
     AND application_name <> 'work-suite groups'`);
const runningGroups = () =>
  count(`SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state = 'active'
     AND application_name = 'work-suite groups'`);
const eventsLike = (like: string) =>
  count(
    `SELECT count(*) FROM outbox_events e WHERE (e.body::jsonb #>> '{data,object,id}')::uuid IN
     (SELECT id FROM notes_fixture WHERE title LIKE $1)`,
    [like],
  );

describe('changes that commit at the same time', () => {
  it('share transactions, and each has its row and its event', async () => {
    expect(failures(await together((n) => writeNote(`shared ${n}`)))).toEqual([]);
    expect(await count(`SELECT count(DISTINCT xmin::text) FROM notes_fixture WHERE title LIKE 'shared %'`)).toBeLessThan(TOGETHER / 2);
    expect(await count(`SELECT count(*) FROM notes_fixture WHERE title LIKE 'shared %'`)).toBe(TOGETHER);
    expect(await eventsLike('shared %')).toBe(TOGETHER);
  });

  it('fail separately: each gets its own error, and the rest is written', async () => {
    const settled = await together((n) => writeNote(n === 3 ? 'forbidden' : n === 7 ? 'separate 6' : `separate ${n}`));
    const codes = failures(settled).map((result) => (result as PromiseRejectedResult).reason.spec.code as string);
    expect(codes.sort()).toEqual(['duplicate', 'validation_failed']);
    expect(await count(`SELECT count(*) FROM notes_fixture WHERE title LIKE 'separate %'`)).toBe(TOGETHER - 2);
    expect(await eventsLike('separate %')).toBe(TOGETHER - 2);
  });

  it('do not wait for a lock that one of them needs', async () => {
    const { id } = await write((tx) => tx.insert(Note, note('locked', '5')));
    const unlock = await lock(id);
    const blocked = write(async (tx) => tx.advanced.pipelined.increment(Note, id, { remaining: '-1' }, new Date()));
    try {
      expect(failures(await together((n) => writeNote(`beside a lock ${n}`)))).toEqual([]);
      expect((await find(id)).remaining).toBe('5');
    } finally {
      await unlock();
    }
    await blocked;
    expect(await find(id)).toMatchObject({ remaining: '4', version: 2 });
  });

  it('with a value that cannot be sent write nothing, and do not disturb others', async () => {
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    const settled = await together(async (n) => {
      await write(async (tx) => {
        await tx.advanced.pipelined.insert(Note, note(`sendable ${n}`));
        if (n === 5) tx.advanced.pipelined.sql(sql`SELECT ${circular}::jsonb`);
      });
    });
    expect(failures(settled)).toMatchObject([{ reason: expect.objectContaining({ message: expect.stringContaining('circular') }) }]);
    expect(await count(`SELECT count(*) FROM notes_fixture WHERE title LIKE 'sendable %'`)).toBe(TOGETHER - 1);
  });
});

it('changes whose group loses its connection fail with 503, and the next ones are written', async () => {
  const { id } = await write((tx) => tx.insert(Note, note('lost', '5')));
  await app.sql.query(
    `CREATE FUNCTION lose_group() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       IF current_setting('application_name') = 'work-suite groups' THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF;
       RETURN NEW; END $$;
     CREATE TRIGGER lose_group BEFORE UPDATE ON notes_fixture FOR EACH ROW WHEN (NEW.title = 'lost') EXECUTE FUNCTION lose_group()`,
  );
  const lost = write(async (tx) => tx.advanced.pipelined.increment(Note, id, { remaining: '-1' }, new Date()));
  await expect(lost).rejects.toMatchObject({ spec: { status: 503 } });
  expect((await find(id)).remaining).toBe('5');
  expect(failures(await together((n) => writeNote(`after a loss ${n}`)))).toEqual([]);
});

it('a change with many statements has a transaction of its own, although it awaits none of them', async () => {
  const { id } = await write((tx) => tx.insert(Note, note('many statements', '500')));
  await write(async (tx) => {
    for (let n = 0; n < 100; n++) tx.advanced.pipelined.increment(Note, id, { remaining: '-1' }, new Date());
  });
  expect(await find(id)).toMatchObject({ remaining: '400', version: 101 });
});

it('a change that gets no connection fails at each statement and at its commit', async () => {
  const error = new Error('no connection is free');
  const connection = new TxConnection(
    { acquire: () => Promise.reject(error), release: () => undefined },
    { commit: () => Promise.reject(new Error('nothing may be committed')) } as unknown as GroupCommit,
    () => undefined,
  );
  connection.send({ text: 'SELECT 1', values: [] });
  for (let n = 0; n < 2; n++) await expect(connection.reads.query({ text: 'SELECT 2' })).rejects.toBe(error);
  await expect(connection.commit([], { write: () => Promise.reject(error) } as unknown as OutboxWriter)).rejects.toBe(error);
});

describe('increments', () => {
  it('of one row add up exactly, and each raises its version', async () => {
    const { id } = await write((tx) => tx.insert(Note, note('counted', '100')));
    const settled = await together((n) =>
      write(async (tx) => tx.advanced.pipelined.increment(Note, id, { remaining: n % 2 ? '-0.1' : '-1.25' }, new Date())),
    );
    expect(failures(settled)).toEqual([]);
    const { remaining, version } = await find(id);
    expect([Number(remaining), version]).toEqual([86.5, 1 + TOGETHER]);
  });

  it('are rejected as soon as the sum is not valid, and no others', async () => {
    const { id } = await write((tx) => tx.insert(Note, note('running out', '12')));
    const take = (n: number) =>
      write(async (tx) => {
        tx.advanced.pipelined.increment(Note, id, { remaining: '-1' }, new Date());
        await tx.advanced.pipelined.insert(Note, note(`taken ${n}`));
      });
    const failed = failures(await together(take));
    expect(failed).toHaveLength(TOGETHER - 12);
    for (const result of failed) expect(result).toMatchObject({ reason: { occurrence: { param: 'remaining' } } });
    expect((await find(id)).remaining).toBe('0');
    expect(await count(`SELECT count(*) FROM notes_fixture WHERE title LIKE 'taken %'`)).toBe(12);
  });

  it('that begin changes do not deadlock, also where each commits alone', async () => {
    const notes = await Promise.all([1, 2].map((n) => write((tx) => tx.insert(Note, note(`crossing ${n}`, '5')))));
    const unlock = await Promise.all(notes.map(({ id }) => lock(id)));
    const take = (ids: readonly string[]) =>
      write(async (tx) => ids.forEach((id) => tx.advanced.pipelined.increment(Note, id, { remaining: '-1' }, new Date())));
    const ids = notes.map(({ id }) => id);
    const taken = [take(ids), take(ids.toReversed())];
    // each has given up its group, and waits alone
    await eventually(lockWaits, (waiting) => waiting === 2);
    await Promise.all(unlock.map((end) => end()));
    expect(failures(await Promise.allSettled(taken))).toEqual([]);
    expect(await Promise.all(ids.map(async (id) => (await find(id)).remaining))).toEqual(['3', '3']);
  });

  it('of one row do not wait for each other in two groups, however long the first one takes', async () => {
    const { id } = await write((tx) => tx.insert(Note, note('slowly counted', '20')));
    await app.sql.query(
      `CREATE TABLE slow_updates (by text);
       CREATE FUNCTION slow_update() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         PERFORM pg_sleep(0.1);
         INSERT INTO slow_updates VALUES (current_setting('application_name'));
         RETURN NEW; END $$;
       CREATE TRIGGER slow_update AFTER UPDATE ON notes_fixture FOR EACH ROW WHEN (NEW.title = 'slowly counted')
         EXECUTE FUNCTION slow_update()`,
    );
    const take = () => write(async (tx) => tx.advanced.pipelined.increment(Note, id, { remaining: '-1' }, new Date()));
    const first = take();
    await eventually(runningGroups, (running) => running === 1);
    const taken = [first, take(), take(), writeNote('beside a slow group')];
    expect(failures(await Promise.allSettled(taken))).toEqual([]);
    expect(await count(`SELECT count(*) FROM slow_updates WHERE by = 'work-suite groups'`)).toBe(3);
  });

  it('of a row of others are conflicts, also beside increments of their owner', async () => {
    const { id } = await write((tx) => tx.insert(Note, note('owned', '5')));
    const stranger = await app.workspace();
    const take = (space: Workspace) =>
      store.write(space.ctx(), async (tx) => tx.advanced.pipelined.increment(Note, id, { remaining: '-1' }, new Date()));
    const [own, foreign] = await Promise.allSettled([take(workspace), take(stranger)]);
    expect(own.status).toBe('fulfilled');
    expect(foreign).toMatchObject({ reason: { spec: { code: 'resource_conflict' } } });
    expect((await find(id)).remaining).toBe('4');
  });
});

describe('a change that decides without a lock', () => {
  it('that fails runs again and may lock, and its numbers are the same', async () => {
    const { id } = await write((tx) => tx.insert(Note, note('optimistic', '1')));
    const runs: unknown[] = [];
    const take = () =>
      write(async (tx) => {
        const mayRead = tx.advanced.retryOnConflict();
        const row = mayRead ? await tx.get(Note, id) : await tx.lock(Note, id);
        const number = await tx.next('optimistic', workspace.eng.id);
        runs.push([mayRead, number, row.remaining]);
        if (row.remaining === '0') return 'nothing is left';
        tx.advanced.pipelined.increment(Note, id, { remaining: '-1' }, new Date());
        return 'taken';
      });
    expect((await Promise.all([take(), take()])).sort()).toEqual(['nothing is left', 'taken']);
    expect(runs.slice(0, 2).sort()).toEqual([
      [true, 1, '1'],
      [true, 2, '1'],
    ]);
    expect(runs.at(-1)).toEqual([false, expect.any(Number), '0']);
    expect(await write((tx) => tx.next('optimistic', workspace.eng.id))).toBe(3);
  });

  it('runs again for a value that is taken meanwhile and for a row that is stale, once for each', async () => {
    const { id } = await write((tx) => tx.insert(Note, note('twice', '1')));
    const elsewhere = AsyncLocalStorage.snapshot();
    const besides = [
      () => write(async (tx) => tx.advanced.pipelined.increment(Note, id, { remaining: '-1' }, new Date())),
      () => write((tx) => tx.insert(Note, note('taken meanwhile'))),
    ];
    const seen: unknown[] = [];
    const change = write(async (tx) => {
      const isFirst = tx.advanced.retryOnConflict();
      const [existing] = await tx.list(Note, { title: 'taken meanwhile' });
      const { remaining } = await tx.get(Note, id);
      seen.push([isFirst, existing?.title, remaining]);
      await elsewhere(async () => besides.shift()?.());
      if (existing) return 'taken';
      if (remaining !== '0') tx.advanced.pipelined.increment(Note, id, { remaining: '-1' }, new Date());
      await tx.advanced.pipelined.insert(Note, note('taken meanwhile'));
      return 'written';
    });
    expect(await change).toBe('taken');
    expect(seen).toEqual([
      [true, undefined, '1'],
      [false, undefined, '0'],
      [false, 'taken meanwhile', '0'],
    ]);
  });

  it('that fails for another reason fails once it has locked', async () => {
    let runs = 0;
    const change = write(async (tx) => {
      runs++;
      tx.advanced.retryOnConflict();
      await tx.advanced.pipelined.insert(Note, note('forbidden'));
    });
    await expect(change).rejects.toMatchObject({ occurrence: { param: 'title' } });
    expect(runs).toBe(2);
  });
});

it('reads before the first write need no transaction, and reads after it see it', async () => {
  const { id } = await writeNote('read first');
  const seen = await write(async (tx) => {
    await tx.get(Note, id);
    const before = await count(
      `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'
       AND query LIKE '%notes_fixture%'`,
    );
    const second = await tx.advanced.pipelined.insert(Note, note('read second'));
    return [before, (await tx.find(Note, second.id))?.title];
  });
  expect(seen).toEqual([0, 'read second']);
});
