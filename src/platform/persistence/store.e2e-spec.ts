import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTestApp, type TestApp } from '../../../test/kit/app.js';
import { eventually } from '../../../test/kit/eventually.js';
import { knobs, Note, NOTES_TABLE, NotesModule } from '../../../test/kit/notes.fixture.js';
import type { Workspace } from '../../../test/kit/workspace.js';
import { Store, type Tx } from '../../kit/index.js';

const NOTES = '/api/v1/ext/notes/notes';

let app: TestApp;
let workspace: Workspace;
let store: Store;

beforeAll(async () => {
  app = await createTestApp({ modules: [NotesModule] });
  await app.sql.query(NOTES_TABLE);
  workspace = await app.workspace();
  store = app.app.get(Store);
});
afterAll(() => app.close());

const note = (title: string, project = workspace.eng.id) => ({ project_id: project, title, body: null, extra: {} });
const titles = async () => (await app.sql.query<{ title: string }>('SELECT title FROM notes_fixture ORDER BY title')).rows.map(({ title }) => title);
const connections = async (state: string) =>
  (await app.sql.query<{ n: number }>(`SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND state = $1 AND application_name = 'work-suite'`, [state])).rows[0].n;

describe('a transaction', () => {
  it('lets nothing follow its end, on a connection that may be another’s by then', async () => {
    const before = await titles();
    const late: Promise<unknown>[] = [];
    await expect(store.write(workspace.ctx(), async (tx) => {
      late.push(sleep(50).then(() => tx.insert(Note, note('too late'))));
      await tx.insert(Note, note('forbidden'));
    })).rejects.toThrow();
    await expect(late[0]).rejects.toThrow('has ended');
    expect(await titles()).toEqual(before);
  });

  it('joins the one around it outside a request too, and shows it what was written', async () => {
    const ctx = workspace.ctx();
    await expect(store.write(ctx, async (tx) => {
      const outer = await tx.insert(Note, note('outer'));
      await store.write(ctx, async (inner) => inner.update(await inner.target(Note, outer.id), { body: 'changed inside' }));
      expect((await store.get(ctx, Note, outer.id)).body).toBe('changed inside');
      throw new Error('undone together');
    })).rejects.toThrow('undone together');
    expect(await titles()).not.toContain('outer');
  });

  it('gives its connection back when it fails while it is still being opened', async () => {
    const holding = Array.from({ length: 5 }, () => store.write(workspace.ctx(), () => sleep(100)));
    await sleep(20);
    await expect(store.write(workspace.ctx(), () => Promise.reject(new Error('early')))).rejects.toThrow('early');
    await Promise.all(holding);
    expect(await eventually(() => connections('idle in transaction'), (n) => n === 0)).toBe(0);
  });

  it('whose connection is cut is answered 503, writes nothing and takes nobody along', async () => {
    const { client } = await workspace.key();
    let release = (): void => undefined;
    knobs.hold = new Promise((resolve) => (release = resolve));
    const ran = knobs.created;
    const cut = client.post(NOTES, note('cut'));
    await eventually(async () => knobs.created, (created) => created > ran);
    await eventually(() => connections('idle in transaction'), (n) => n > 0);
    await app.sql.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'work-suite' AND state = 'idle in transaction'`);
    release();
    knobs.hold = null;
    const answer = await cut;
    expect([answer.status, answer.body.error.code]).toEqual([503, 'unavailable']);
    expect((await client.post(NOTES, note('after the cut'))).status).toBe(201);
    expect(await titles()).not.toContain('cut');
  });
});

describe('a later write', () => {
  const found = (id: string) => store.find(workspace.ctx(), Note, id);

  it('gives the row as it will be read, and is there for the next statement', async () => {
    const ctx = workspace.ctx();
    const [inserted, seen, updated] = await store.write(ctx, async (tx) => {
      const first = await tx.insertLater(Note, { ...note('later'), extra: { a: 1 } });
      const locked = await tx.lock(Note, first.id);
      return [first, locked, await tx.updateLater(locked, { title: 'later still', body: 'new' })];
    });
    expect(seen).toEqual(inserted);
    expect(inserted).toMatchObject({ version: 1, body: null, mode: 'live' });
    expect(updated).toMatchObject({ version: 2, body: 'new', extra: { a: 1 } });
    expect(await found(inserted.id)).toEqual(updated);
  });

  it('that is refused writes nothing, and is told by its field, also by the statement that meets it', async () => {
    const before = await titles();
    const refused = { spec: { code: 'validation_failed' }, occurrence: { param: 'title' } };
    const both = (last: (tx: Tx) => Promise<unknown>) => store.write(workspace.ctx(), async (tx) => {
      await tx.insertLater(Note, note('with the refused one'));
      await tx.insertLater(Note, note('forbidden'));
      await last(tx);
    });
    await expect(both(() => Promise.resolve())).rejects.toMatchObject(refused);
    await expect(both((tx) => tx.list(Note))).rejects.toMatchObject(refused);
    await expect(both((tx) => tx.list(Note).catch(() => []))).rejects.toMatchObject(refused);
    expect(await titles()).toEqual(before);
  });

  it('is undone with the attempt around it, and alone', async () => {
    await store.write(workspace.ctx(), async (tx) => {
      await tx.insertLater(Note, note('before the attempt'));
      await expect(tx.attempt(() => tx.insertLater(Note, note('forbidden')))).rejects.toMatchObject({ occurrence: { param: 'title' } });
      await expect(tx.attempt(async () => {
        await tx.insertLater(Note, note('in the attempt'));
        throw new Error('undone');
      })).rejects.toThrow('undone');
      await tx.attempt(() => tx.insertLater(Note, note('in the second attempt')));
    });
    expect(await titles()).toEqual(expect.arrayContaining(['before the attempt', 'in the second attempt']));
    expect(await titles()).not.toContain('in the attempt');
  });

  it('is refused where its outcome cannot be known', async () => {
    const { id } = await store.write(workspace.ctx(), (tx) => tx.insert(Note, note('not locked')));
    await expect(store.write(workspace.ctx(), async (tx) => tx.updateLater(await tx.get(Note, id), { body: 'x' }))).rejects.toThrow('locked');
    const { title: _title, ...untitled } = note('x');
    await expect(store.write(workspace.ctx(), (tx) => tx.insertLater(Note, untitled))).rejects.toThrow('Note.title must be given');
  });
});

describe('a turn', () => {
  it('is one change\'s at a time, whichever way round the keys are named, and sees what the one before has written', async () => {
    const keys = [7n, -7n, 2n ** 63n - 1n];
    const counted = await store.write(workspace.ctx(), (tx) => tx.insert(Note, { ...note('counted'), extra: { count: 0 } }));
    await Promise.all(Array.from({ length: 12 }, (_, index) => store.write(workspace.ctx(), async (tx) => {
      await tx.takeTurn(index % 2 ? keys : [...keys].reverse());
      const row = await tx.get(Note, counted.id);
      await tx.update(row, { extra: { count: (row.extra.count as number) + 1 } });
    })));
    expect((await store.get(workspace.ctx(), Note, counted.id)).extra).toEqual({ count: 12 });
  });

  it('may be waited for together with a read, which is done when it is had', async () => {
    const row = await store.write(workspace.ctx(), (tx) => tx.insert(Note, note('read in turn')));
    const [first, second] = await Promise.all([1, 2].map((place) => store.write(workspace.ctx(), async (tx) => {
      const [, [seen]] = await Promise.all([tx.takeTurn([99n]), tx.list(Note, { id: row.id })]);
      await tx.update(seen, { body: `${seen.body ?? ''}${place}` });
      return place;
    })));
    expect((await store.get(workspace.ctx(), Note, row.id)).body).toHaveLength([first, second].length);
  });
});

describe('a pinned caller', () => {
  it('changes nothing that is outside its project, not even by moving a row there', async () => {
    const pinned = await workspace.key({ project_id: workspace.eng.id });
    const { body } = await pinned.client.post(NOTES, { title: 'stays', project_id: workspace.eng.id });
    await store.write(workspace.ctx(), async (tx) => tx.update(await tx.get(Note, body.id), { project_id: workspace.ops.id } as Partial<Note>));
    expect((await pinned.client.get(`${NOTES}/${body.id}`)).body.project_id).toBe(workspace.eng.id);
  });
});

describe('what cannot be stored', () => {
  it.each([
    ['half a surrogate pair in a text', '{"title":"a\\ud800"}'],
    ['NUL in free JSON', '{"title":"x","extra":{"a":"b\\u0000"}}'],
    ['half a surrogate pair in a name of free JSON', '{"title":"x","extra":{"\\udc00":1}}'],
  ])('%s is refused', async (_what, json) => {
    const { client } = await workspace.key();
    const body = json.replace('{', `{"project_id":"${workspace.eng.id}",`);
    const { status, body: answer } = await client.send('post', NOTES, body, { 'content-type': 'application/json' });
    expect([status, answer.error.code]).toEqual([400, 'validation_failed']);
  });

  it('an unknown field with an impossible name is ignored like any other', async () => {
    const { client } = await workspace.key();
    const body = `{"project_id":"${workspace.eng.id}","title":"odd name","\\ud800":1}`;
    const { status, headers } = await client.send('post', NOTES, body, { 'content-type': 'application/json' });
    expect([status, headers['svc-ignored-fields']]).toEqual([201, '%EF%BF%BD']);
  });
});
