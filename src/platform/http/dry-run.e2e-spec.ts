import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { NOTES, sharedNotesApp } from '../../../test/harness/fixtures/fixture-apps.js';

const app = await sharedNotesApp();
const workspace = await app.workspace();
const { client } = await workspace.key();
const DRY = { 'svc-dry-run': 'true' };
const note = (title: string) => ({ project_id: workspace.eng.id, title });
const isFree = async (title: string) =>
  (await app.sql.query('SELECT 1 FROM notes_fixture WHERE organization_id = $1 AND title = $2', [workspace.organizationId, title]))
    .rowCount === 0;

test('a dry run answers what the write would, with its events, and writes nothing', async () => {
  const title = `tried ${randomUUID()}`;
  const events = async () =>
    (await app.sql.query('SELECT 1 FROM outbox_events WHERE organization_id = $1', [workspace.organizationId])).rowCount;
  const before = await events();
  const tried = await client.post(NOTES, note(title), DRY);
  expect([tried.status, tried.headers['svc-dry-run']]).toEqual([201, 'true']);
  expect(tried.body).toMatchObject({ object: 'note', title, dry_run: true, would_send: [] });
  expect(tried.body.would_emit).toEqual([{ type: 'note.created', object: 'note', id: tried.body.id, previous_attributes: {} }]);
  expect([await isFree(title), await events()]).toEqual([true, before]);
});

test('nothing is kept under its Idempotency-Key: the real call with the same one is executed', async () => {
  const key = { 'idempotency-key': randomUUID() };
  const title = `kept ${randomUUID()}`;
  await client.post(NOTES, note(title), { ...DRY, ...key });
  const { status, headers, body } = await client.post(NOTES, note(title), key);
  expect([status, headers['idempotent-replayed']]).toEqual([201, undefined]);
  // a dry run is not answered with what was stored for the real call
  expect((await client.post(NOTES, note(title), { ...DRY, ...key })).body.error.code).toBe('duplicate');
  expect((await client.get(`${NOTES}/${body.id}`)).status).toBe(200);
});

test('fails as the write would, also with what the database finds at the commit', async () => {
  const { body } = await client.post(NOTES, note(`there ${randomUUID()}`));
  expect((await client.post(NOTES, { ...body, title: body.title }, DRY)).body.error.code).toBe('duplicate');
  expect((await client.post(NOTES, note('dull'), DRY)).body.error.code).toBe('too_dull');
  const old = { ...DRY, 'if-match': '"7"' };
  expect((await client.patch(`${NOTES}/${body.id}`, { body: 'x' }, old)).body.error.code).toBe('version_conflict');
});

test('a deletion has an answer, and leaves the row', async () => {
  const title = `stays ${randomUUID()}`;
  const { body } = await client.post(NOTES, note(title));
  const tried = await client.delete(`${NOTES}/${body.id}`, DRY);
  expect([tried.status, tried.body]).toEqual([
    200,
    { object: 'dry_run', dry_run: true, would_delete: [{ object: 'note', id: body.id, title }], would_emit: [], would_send: [] },
  ]);
  expect((await client.get(`${NOTES}/${body.id}`)).status).toBe(200);
});

test('a tool has it as an argument', async () => {
  const title = `by tool ${randomUUID()}`;
  const params = { name: 'create_note', arguments: { ...note(title), dry_run: true } };
  const { body } = await client.post('/api/v1/ext/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  expect(body.result.structuredContent).toMatchObject({ title, dry_run: true, would_emit: [{ type: 'note.created' }], would_send: [] });
  expect(await isFree(title)).toBe(true);
});

test('refuses a value other than true and false', async () => {
  const { body } = await client.post(NOTES, note('x'), { 'svc-dry-run': 'yes' });
  expect(body.error).toMatchObject({ code: 'validation_failed', param: 'Svc-Dry-Run' });
});

test('a write that cannot be taken back refuses to be tried out', async () => {
  const headers = { ...DRY, 'content-type': 'application/json' };
  const response = await fetch(`${app.url}/api/v1/org/session`, { method: 'POST', headers, body: '{}' });
  expect(await response.json()).toMatchObject({ error: { code: 'dry_run_unsupported' } });
});
