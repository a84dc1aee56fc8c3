import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { TestApp } from '../../../../test/harness/app.js';
import { Note } from '../../../../test/harness/fixtures/notes.fixture.js';
import { createNotesApp } from '../../../../test/harness/fixtures/notes-app.js';
import type { Workspace } from '../../../../test/harness/workspace.js';
import { Store, type Tx } from '../../../kit/index.js';
import type { ReferenceOptions } from '../../../kit/internal.js';

/** Runs as a concurrent caller would, outside of the write around it. */
const elsewhere = AsyncLocalStorage.snapshot();

let app: TestApp;
let workspace: Workspace;
let store: Store;
let note: Note;

const write = <R>(change: (tx: Tx) => Promise<R>) => store.write(workspace.ctx(), change);
const insert = (title: string) => write((tx) => tx.insert(Note, { project_id: workspace.eng.id, title, body: null, extra: {} }));
/** A refusal's field and text. */
const refusal = (id: string, options?: ReferenceOptions<Note>, of: Workspace = workspace, mode: 'live' | 'test' = 'live') =>
  store
    .write(of.ctx(mode), (tx) => tx.reference(Note, id, 'note_id', options))
    .then(
      () => null,
      ({ spec, occurrence, message }: { spec: { code: string }; occurrence: { param: string }; message: string }) => [
        spec.code,
        occurrence.param,
        message,
      ],
    );

beforeAll(async () => {
  app = await createNotesApp();
  workspace = await app.workspace();
  store = app.app.get(Store);
  note = await insert('referred to');
});
afterAll(() => app.close());

describe('Tx.reference', () => {
  it('returns the row of the caller and of the project', async () => {
    const options = { projectId: workspace.eng.id, where: ({ title }: Note) => title === 'referred to' };
    for (const lock of ['key share', 'update', 'none'] as const)
      expect(await write((tx) => tx.reference(Note, note.id, 'note_id', { ...options, lock }))).toEqual(note);
  });

  it('names the field of a row that is missing, of somebody else, of another mode or project, or not suitable', async () => {
    const wrong = ['validation_failed', 'note_id', 'note_id must be a note'];
    const other = await app.workspace();
    for (const lock of ['key share', 'none'] as const) {
      expect(await refusal(workspace.eng.id, { lock })).toEqual(wrong);
      expect(await refusal(note.id, { lock }, other)).toEqual(wrong);
      expect(await refusal(note.id, { lock }, workspace, 'test')).toEqual(wrong);
    }
    expect(await refusal(note.id, { projectId: note.id })).toEqual([...wrong.slice(0, 2), 'note_id must be a note of the same project']);
    const long = { where: ({ title }: Note) => title.length > 100, message: 'must be a long note' };
    expect(await refusal(note.id, long)).toEqual([...wrong.slice(0, 2), 'note_id must be a long note']);
  });

  it('keeps the row from being deleted until the change ends, and lets others refer to it', async () => {
    const row = await insert('kept');
    const events: string[] = [];
    let removal: Promise<unknown> = Promise.resolve();
    await write(async (tx) => {
      await tx.reference(Note, row.id, 'note_id');
      removal = elsewhere(() => write(async (other) => other.delete(await other.lock(Note, row.id)))).then(() => events.push('deleted'));
      await elsewhere(() => write((other) => other.reference(Note, row.id, 'note_id')));
      await new Promise((resolve) => setTimeout(resolve, 100));
      events.push('referred');
    });
    await removal;
    expect(events).toEqual(['referred', 'deleted']);
  });
});
