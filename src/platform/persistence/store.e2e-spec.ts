import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTestApp, type TestApp } from '../../../test/kit/app.js';
import { eventually } from '../../../test/kit/eventually.js';
import { knobs, Note, NoteEvents, NOTES_TABLE, NotesModule } from '../../../test/kit/notes.fixture.js';
import type { Workspace } from '../../../test/kit/workspace.js';
import { Contexts, Store, type Ctx, type Place } from '../../kit/index.js';

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

describe('a pinned caller', () => {
  it('changes nothing that is outside its project, not even by moving a row there', async () => {
    const pinned = await workspace.key({ project_id: workspace.eng.id });
    const { body } = await pinned.client.post(NOTES, { title: 'stays', project_id: workspace.eng.id });
    await store.write(workspace.ctx(), async (tx) => tx.update(await tx.get(Note, body.id), { project_id: workspace.ops.id } as Partial<Note>));
    expect((await pinned.client.get(`${NOTES}/${body.id}`)).body.project_id).toBe(workspace.eng.id);
  });
});

describe('a context that no caller brought', () => {
  const place = (changes: Partial<Place> = {}): Place => ({ organizationId: workspace.organizationId, projectId: workspace.eng.id, mode: 'test', ...changes });
  const write = (ctx: Ctx, title: string) =>
    store.write(ctx, async (tx) => {
      const written = await tx.insert(Note, note(title, workspace.ops.id));
      tx.emit(NoteEvents.created, { object: { title } as never, projectId: written.project_id });
      return written;
    });

  it('commits by itself, in the name of the suite or of a visitor, and only in its place', async () => {
    const contexts = app.app.get(Contexts);
    const bySystem = await write(contexts.system(place()), 'by the system');
    const byGuest = await write(contexts.guest(place(), 'guest@example.com', 'req_1'), 'by a guest');
    expect([bySystem, byGuest].map(({ project_id, mode }) => [project_id, mode])).toEqual(Array(2).fill([workspace.eng.id, 'test']));
    const { rows } = await app.sql.query<{ actor: unknown; request: unknown }>(`SELECT body::jsonb->'actor' AS actor, body::jsonb #> '{request,id}' AS request FROM outbox_events WHERE organization_id = $1 AND mode = 'test' ORDER BY sequence`, [workspace.organizationId]);
    expect(rows.map(({ actor }) => actor)).toEqual([{ type: 'system', id: null, email: null }, { type: 'guest', id: null, email: 'guest@example.com' }]);
    // no call caused the first
    expect(rows.map(({ request }) => request)).toEqual([null, 'req_1']);
    const elsewhere = [place({ mode: 'live' }), place({ projectId: workspace.ops.id }), place({ organizationId: (await app.workspace()).organizationId })];
    for (const other of elsewhere) expect(await store.find(contexts.system(other), Note, byGuest.id)).toBeNull();
    expect(await store.find(contexts.system(place({ projectId: null })), Note, byGuest.id)).not.toBeNull();
  });

  it('may do nothing that asks for a scope, a permission or a member', () => {
    for (const ctx of [app.app.get(Contexts).system(place()), app.app.get(Contexts).guest(place(), null)]) {
      expect([ctx.memberId, ctx.scopes.size, ctx.permissions.size, ctx.scenario]).toEqual([null, 0, 0, null]);
    }
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
