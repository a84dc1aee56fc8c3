import { beforeEach, expect, test } from '@jest/globals';
import type { Client } from '../../../../test/harness/client.js';
import { ConsoleVisitor } from '../../../../test/harness/console.js';
import { eventually } from '../../../../test/harness/eventually.js';
import { sharedApp } from '../../../../test/harness/hosted-app.js';
import { eventsOf } from '../../../../test/harness/outbox.js';
import type { Workspace } from '../../../../test/harness/workspace.js';
import { taskBody } from './task.factory.js';

const AT = '/api/v1/ext/tasks';
const BIN = '/api/v1/org/deleted-records';

const app = await sharedApp();
let space: Workspace;
let api: Client;
let owner: Client;

beforeEach(async () => {
  space = await app.workspace();
  api = (await space.key({ project_id: space.eng.id })).client;
  owner = await space.signIn();
});

async function create(over: object = {}, client = api) {
  const response = await client.post(`${AT}/tasks`, { ...taskBody(1), ...over });
  if (response.status !== 201) throw new Error(response.text);
  return response.body as { id: string; key: string; title: string; version: number; status_id: string };
}

const restore = (id: string, client = api) => client.post(`${AT}/tasks/${id}/restore`);
const remove = async (id: string) => expect((await api.delete(`${AT}/tasks/${id}`)).status).toBe(204);

test('a deleted task comes back as it was, with its comments; receivers follow by events', async () => {
  const field = { resource: 'task', key: 'region', label: 'Region', type: 'text' };
  const { body: defined } = await owner.post('/api/v1/org/custom-fields', field);
  const { id: parent_id } = await create();
  const { id } = await create({ parent_id, description: 'Größe\n🙂', position: 12.5, custom_fields: { region: 'north' } });
  await api.patch(`${AT}/tasks/${id}`, { priority: 'high' });
  for (const body of ['First', 'Second']) await api.post(`${AT}/tasks/${id}/comments`, { body });
  const before = [(await api.get(`${AT}/tasks/${id}`)).body, (await api.get(`${AT}/tasks/${id}/comments`)).body];
  await remove(id);
  expect((await api.get(`${AT}/tasks/${id}`)).status).toBe(404);

  const tried = await api.post(`${AT}/tasks/${id}/restore`, undefined, { 'svc-dry-run': 'true' });
  expect(tried.body).toMatchObject({ id, would_emit: [{ type: 'task.restored', id }] });
  expect(tried.body).not.toHaveProperty('would_delete');
  expect((await api.get(`${AT}/tasks/${id}`)).status).toBe(404);

  const restored = await restore(id);
  expect([restored.status, restored.headers.etag]).toEqual([200, '"2"']);
  const updated_at = restored.body.updated_at as string;
  expect(updated_at > before[0].updated_at).toBe(true);
  expect(restored.body).toEqual({ ...before[0], updated_at });
  expect([(await api.get(`${AT}/tasks/${id}`)).body, (await api.get(`${AT}/tasks/${id}/comments`)).body]).toEqual([
    restored.body,
    before[1],
  ]);
  expect((await api.get(`${AT}/tasks?q=Größe`)).body.data).toHaveLength(1);
  const event = (await eventsOf(app, space)).at(-1);
  expect(event).toMatchObject({ type: 'task.restored', data: { object: restored.body } });
  const living = await restore(id);
  expect([living.status, living.body.error]).toEqual([
    409,
    expect.objectContaining({ code: 'resource_conflict', message: expect.stringContaining('is not deleted') }),
  ]);

  // again, without the field that was deleted for good meanwhile
  await remove(id);
  await app.sql.query('DELETE FROM custom_fields WHERE id = $1', [defined.id]);
  expect((await restore(id)).body).toMatchObject({ id, version: 2, custom_fields: {} });
});

test('what the task needs and has lost meanwhile is a conflict about the field', async () => {
  const { body: status } = await owner.post('/api/v1/org/tasks/statuses', { project_id: space.eng.id, name: 'Short', group: 'started' });
  const { id } = await create({ status_id: status.id });
  await remove(id);
  expect((await owner.delete(`/api/v1/org/tasks/statuses/${status.id}`)).status).toBe(204);
  const lost = await restore(id);
  expect([lost.status, lost.body.error]).toEqual([
    409,
    expect.objectContaining({ code: 'resource_conflict', param: 'status_id', message: expect.stringContaining('no longer exists') }),
  ]);

  await owner.post('/api/v1/org/custom-fields', { resource: 'task', key: 'asset', label: 'Asset', type: 'text', unique: true });
  const first = await create({ custom_fields: { asset: 'A-1' } });
  await remove(first.id);
  const second = await create({ custom_fields: { asset: 'A-1' } });
  expect((await restore(first.id)).body.error).toMatchObject({ code: 'duplicate', param: 'custom_fields.asset' });
  await remove(second.id);
  expect((await restore(first.id)).status).toBe(200);
});

test('restoring stays in the project and mode, and needs what deleting needs', async () => {
  const { id, key } = await create();
  const plan = await api.delete(`${AT}/tasks/${id}`, { 'svc-dry-run': 'true' });
  const until = Date.parse(plan.body.would_delete[0].restorable_until as string);
  expect(Math.round((until - Date.now()) / 86_400_000)).toBe(30);
  await remove(id);
  const strangers = [await space.key({ project_id: space.ops.id }), await space.key({ mode: 'test' }), await (await app.workspace()).key()];
  for (const { client } of strangers)
    for (const name of [id, key]) expect([name, (await restore(name, client)).status]).toEqual([name, 404]);
  const writer = await space.key({ scopes: ['tasks:task:read', 'tasks:task:write'] });
  expect((await restore(id, writer.client)).body.error.code).toBe('insufficient_scope');
  expect((await restore(key.toLowerCase(), (await space.key()).client)).body).toMatchObject({ id, key });
  expect((await restore(key)).status).toBe(409);
});

test('the subtasks of a restored task return to it, unless they have another parent meanwhile', async () => {
  const [{ id }, other] = [await create(), await create()];
  const subtasks = [await create({ parent_id: id }), await create({ parent_id: id }), await create({ parent_id: id })];
  const below = await create({ parent_id: subtasks[0].id });
  await remove(id);
  await api.patch(`${AT}/tasks/${subtasks[1].id}`, { parent_id: other.id });
  await remove(subtasks[2].id);
  expect((await restore(id)).status).toBe(200);
  const parents = await Promise.all([subtasks[0], subtasks[1], below].map(async (task) => (await api.get(`${AT}/tasks/${task.id}`)).body));
  expect(parents.map(({ parent_id }) => parent_id)).toEqual([id, other.id, subtasks[0].id]);
  const [returned, restored] = (await eventsOf(app, space)).slice(-2);
  expect([returned, restored]).toMatchObject([
    { type: 'task.updated', data: { object: { id: subtasks[0].id, parent_id: id } } },
    { type: 'task.restored', data: { object: { id } } },
  ]);
});

test('subtasks that would be in a cycle stay where they are', async () => {
  const top = await create();
  const { id } = await create({ parent_id: top.id });
  const subtask = await create({ parent_id: id });
  await remove(id);
  await api.patch(`${AT}/tasks/${top.id}`, { parent_id: subtask.id });
  expect((await restore(id)).body).toMatchObject({ id, parent_id: top.id });
  expect((await api.get(`${AT}/tasks/${subtask.id}`)).body.parent_id).toBeNull();
});

test('a batch says which tasks it deleted, and until when they can be restored', async () => {
  const { id, key } = await create();
  const { body } = await api.post(`${AT}/tasks/batch`, { items: [{ action: 'delete', id: key }] });
  expect(body.results).toEqual([expect.objectContaining({ id, status: 204, task: null, restorable_until: expect.any(String) })]);
  const { body: bin } = await owner.get(`${BIN}?record_id=${id}`);
  expect(Math.abs(Date.parse(bin.data[0].restorable_until) - Date.parse(body.results[0].restorable_until))).toBeLessThan(60_000);
});

test('members see what they may restore, restore it, and erase what must not be kept', async () => {
  const [one, other] = [await create({ title: 'One' }), await create({ title: 'Other' })];
  await remove(one.id);
  await remove(other.id);
  const { body } = await owner.get(`${BIN}?resource=task`);
  expect(
    body.data.map(({ title, record_id, deleted_by, project_id }: Record<string, unknown>) => [title, record_id, deleted_by, project_id]),
  ).toEqual([other, one].map(({ title, id }) => [title, id, expect.objectContaining({ type: 'api_key' }), space.eng.id]));
  expect((await owner.get(`${BIN}?text=OTH`)).body.data).toEqual([body.data[0]]);
  const [{ id, restore_path }] = body.data;
  expect((await owner.post(restore_path)).body).toMatchObject({ object: 'task', title: 'Other' });
  const developer = await space.signIn((await space.member('developer')).email);
  expect((await developer.get(BIN)).body.data).toEqual([]);
  const left = (await owner.get(BIN)).body.data as { id: string; record_id: string }[];
  expect(left.map(({ record_id }) => record_id)).toEqual([one.id]);
  expect((await developer.delete(`${BIN}/${left[0].id}`)).status).toBe(404);
  expect((await owner.delete(`${BIN}/${left[0].id}`)).status).toBe(204);
  expect((await owner.delete(`${BIN}/${id}`)).status).toBe(404);
  expect((await restore(one.id)).status).toBe(404);
  expect((await app.sql.query('SELECT FROM deleted_rows d WHERE d.rows::text LIKE $1', [`%${one.id}%`])).rowCount).toBe(0);
});

test('members restore and erase in the console, after it has asked', async () => {
  const tasks = [await create({ title: 'One' }), await create({ title: 'Other' })];
  for (const task of tasks) await remove(task.id);
  const visitor = await ConsoleVisitor.signIn(app.url, space);
  const restored = await visitor.submit('/console/bin', 'restore_org_task', { record_id: tasks[0].id }, tasks[0].id);
  expect([restored.status, restored.location]).toEqual([303, '/console/bin?done=restored']);
  expect((await api.get(`${AT}/tasks/${tasks[0].id}`)).status).toBe(200);
  const { text } = await visitor.get('/console/bin?resource=task');
  const [, address] = /href="([^"#]*erase=[^"#]*)#erase"/.exec(text)!;
  const erased = await visitor.submit(address.replaceAll('&amp;', '&'), 'erase', {});
  expect([erased.status, erased.location]).toEqual([303, '/console/bin?resource=task&done=erased']);
  expect((await owner.get(BIN)).body.data).toEqual([]);
});

test('records go after 30 days, and those of test mode with the test data', async () => {
  const { client: tester } = await space.key({ mode: 'test', project_id: space.eng.id });
  const [old, tried] = [await create(), await create({}, tester)];
  await remove(old.id);
  expect((await tester.delete(`${AT}/tasks/${tried.id}`)).status).toBe(204);
  await app.sql.query(`UPDATE deleted_records SET created_at = now() - interval '31 days' WHERE record_id = $1`, [old.id]);
  await app.runScheduledJob('platform.purge');
  expect((await restore(old.id)).status).toBe(404);
  const testData = '/api/v1/org/developer/test-data';
  const left = async () => (await owner.get(testData)).body.total as number;
  expect(await left()).toBe(1);
  const { rows } = await app.sql.query<{ name: string }>('SELECT name FROM organizations WHERE id = $1', [space.organizationId]);
  await owner.post(`${testData}/erase`, { organization_name: rows[0].name });
  await eventually(left, (total) => total === 0);
  expect((await restore(tried.id, tester)).status).toBe(404);
});
