import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { TestApp } from '../../../../test/harness/app.js';
import { NOTES } from '../../../../test/harness/fixtures/fixture-apps.js';
import { createNotesApp } from '../../../../test/harness/fixtures/notes-app.js';
import { Note } from '../../../../test/harness/fixtures/notes.fixture.js';
import type { Workspace } from '../../../../test/harness/workspace.js';
import {
  BeforeWrite,
  defineErrors,
  DomainModule,
  Store,
  type BeforeWriteHandler,
  type Ctx,
  type RowWrite,
  type Tx,
} from '../../../kit/index.js';

const Errors = defineErrors({
  secret: { code: 'note_secret', type: 'conflict_error', status: 409, message: 'Notes must not tell secrets.' },
});
const written: string[] = [];

@BeforeWrite(Note, { errors: [Errors.secret] })
class RefuseSecrets implements BeforeWriteHandler<Note> {
  async beforeWrite(_ctx: Ctx, tx: Tx, { kind, before, values }: RowWrite<Note>): Promise<void> {
    const title = values.title ?? before?.title ?? '';
    written.push(`${kind} ${title}`);
    if (title.startsWith('loop')) await tx.insert(Note, { ...values, id: undefined, title });
    if (title.includes('audited')) await tx.insert(Note, { project_id: values.project_id, title: 'an audit', extra: {} });
    if (title.includes('secret')) throw Errors.secret();
    if (title.includes('abroad')) Object.assign(values, { organization_id: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a10', mode: 'live' });
    if (kind === 'update' && title.includes('undone')) Object.assign(values, { title: before?.title });
  }
}

@BeforeWrite(Note)
class Complete implements BeforeWriteHandler<Note> {
  beforeWrite(_ctx: Ctx, _tx: Tx, { kind, values }: RowWrite<Note>): void {
    if (kind !== 'delete') values.body = `${values.title} by ${written.length > 0 ? 'two' : 'one'}`;
  }
}

const EMPTY = { guide: 'For a test.', scopes: {}, entities: [], controllers: [], providers: [] };

@DomainModule({
  ...EMPTY,
  name: 'first',
  title: 'First',
  beforeWrite: [RefuseSecrets],
  errors: Errors,
})
class FirstModule {}

@DomainModule({
  ...EMPTY,
  name: 'second',
  title: 'Second',
  beforeWrite: [Complete],
})
class SecondModule {}

let app: TestApp;
let space: Workspace;
let store: Store;

beforeAll(async () => {
  app = await createNotesApp({}, [FirstModule, SecondModule]);
  space = await app.workspace();
  store = app.app.get(Store);
});
afterAll(() => app.close());

const note = (title: string) => ({ project_id: space.eng.id, title, body: null, extra: {}, remaining: null });
const notesLike = async (like: string) =>
  (await app.sql.query<{ title: string; body: string | null }>('SELECT title, body FROM notes_fixture WHERE title LIKE $1', [like])).rows;

it('a handler refuses and completes writes of another module by REST and by tools, in its transaction', async () => {
  const { client } = await space.key();
  const created = await client.post(NOTES, { project_id: space.eng.id, title: 'plain' });
  expect([created.status, created.body.body]).toEqual([201, 'plain by two']);
  const refused = await client.post(NOTES, { project_id: space.eng.id, title: 'audited secret' });
  expect([refused.status, refused.body.error.code]).toEqual([409, 'note_secret']);
  // what the handler wrote before it refused
  expect(await notesLike('%audit%')).toEqual([]);
  const headers = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' };
  const call = { name: 'update_note', arguments: { id: created.body.id, title: 'a secret' } };
  const tool = await client.post('/api/v1/ext/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }, headers);
  expect(JSON.stringify(tool.body.result)).toContain('note_secret');
  const { paths } = (await client.get('/openapi.json')).body;
  expect(JSON.stringify(paths[NOTES].post.responses['409'])).toContain('NoteSecret');
  expect(JSON.stringify(paths[NOTES].get)).not.toContain('NoteSecret');
});

it('every method of the store that writes a row calls them, in the order of the modules', async () => {
  written.length = 0;
  const ctx = space.ctx();
  await store.write(ctx, async (tx) => {
    const row = await tx.insert(Note, note('one'));
    expect(row.body).toBe('one by two');
    const changed = await tx.update(row, { title: 'two' });
    expect(await tx.update(changed, { title: 'two' })).toBe(changed);
    const touched = await tx.advanced.touch(changed, { title: 'three' });
    const piped = await tx.advanced.pipelined.update(touched, { title: 'four' });
    expect(piped.body).toBe('four by two');
    await tx.delete(piped);
    await tx.advanced.pipelined.insert(Note, note('five'));
  });
  expect(written).toEqual(['insert one', 'update two', 'update three', 'update four', 'delete four', 'insert five']);
  expect(await notesLike('five')).toEqual([{ title: 'five', body: 'five by two' }]);
});

it('a handler cannot move a row out of the tenant, can undo a change, and is stopped when it calls itself', async () => {
  const ctx = space.ctx();
  const row = await store.write(ctx, (tx) => tx.insert(Note, note('abroad')));
  expect([row.organization_id, row.mode]).toEqual([ctx.organizationId, ctx.mode]);
  const same = await store.write(ctx, (tx) => tx.update(row, { title: 'undone' }));
  expect(same.title).toBe('abroad');
  await expect(store.write(ctx, (tx) => tx.insert(Note, note('loop')))).rejects.toThrow(/@BeforeWrite\(Note\) causes writes of Note/);
  expect(await notesLike('loop')).toEqual([]);
});

it('a manifest lists only handlers with the decorator', () => {
  class Plain {}
  expect(() => DomainModule({ ...EMPTY, name: 'third', title: 'Third', beforeWrite: [Plain as never] })).toThrow(
    'third: the manifest lists Plain in beforeWrite, which has no @BeforeWrite(...).',
  );
});
