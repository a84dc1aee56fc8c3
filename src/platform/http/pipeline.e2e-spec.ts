import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTestApp, type TestApp } from '../../../test/kit/app.js';
import type { Client } from '../../../test/kit/client.js';
import { knobs, NOTES_TABLE, NotesModule } from '../../../test/kit/notes.fixture.js';
import type { IssuedKey, Workspace } from '../../../test/kit/workspace.js';

const NOTES = '/api/v1/ext/notes/notes';

let app: TestApp;
let workspace: Workspace;
let key: IssuedKey;
let notes: Client;

beforeAll(async () => {
  app = await createTestApp({ modules: [NotesModule] });
  await app.sql.query(NOTES_TABLE);
  workspace = await app.workspace();
  key = await workspace.key();
  notes = key.client;
});
afterAll(() => app.close());

const create = (title: string, headers?: Record<string, string>) => notes.post(NOTES, { project_id: workspace.eng.id, title }, headers);

describe('a route declared once', () => {
  test('creates, reads, lists, changes and deletes, with the headers of the contract', async () => {
    const created = await create('first');
    expect(created.body).toMatchObject({ object: 'note', title: 'first', version: 1, project_id: workspace.eng.id });
    expect(created.status).toBe(201);
    expect(created.headers).toMatchObject({
      etag: '"1"', 'svc-mode': 'live', 'ratelimit-limit': '1000000', 'ratelimit-policy': '"key";q=1000000;w=60, "org";q=1000000;w=60',
      'request-id': expect.stringMatching(/^req_[0-9a-f]{32}$/),
    });
    const path = `${NOTES}/${created.body.id}`;
    const read = await notes.get(path);
    expect([read.status, read.body, read.headers.etag]).toEqual([200, created.body, '"1"']);
    const changed = await notes.patch(path, { body: 'text' });
    expect([changed.status, changed.body.version, changed.body.title, changed.body.body]).toEqual([200, 2, 'first', 'text']);
    expect((await notes.patch(path, { body: null })).body.body).toBeNull();
    expect((await notes.delete(path)).status).toBe(204);
    expect((await notes.delete(path)).status).toBe(404);
  });
});
