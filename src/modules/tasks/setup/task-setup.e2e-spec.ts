import { expect, it } from '@jest/globals';
import { sharedApp } from '../../../../test/harness/hosted-app.js';

const ORG = '/api/v1/org/tasks';
const TASKS = '/api/v1/ext/tasks/tasks';

const app = await sharedApp();

it('members with the permission manage statuses; tasks use the new ones at once', async () => {
  const space = await app.workspace();
  const owner = await space.signIn();
  const { client: api } = await space.key();
  const { body: before } = await api.post(TASKS, { title: 'Warms the cache' });
  const made = await owner.post(`${ORG}/statuses`, { name: 'Triage', group: 'backlog', is_default: true });
  expect([made.status, made.body]).toEqual([201, expect.objectContaining({ project_id: space.eng.id, position: 7, is_default: true })]);
  const task = (await api.post(TASKS, { title: 'Sort this' })).body;
  expect([task.status_id, task.status_group]).toEqual([made.body.id, 'backlog']);
  const path = `${ORG}/statuses/${made.body.id}`;
  expect((await owner.patch(path, { name: 'Inbox', position: 1 })).body).toMatchObject({ name: 'Inbox', position: 1, version: 2 });
  expect((await owner.patch(path, { is_default: false })).body.error).toMatchObject({ param: 'is_default' });
  expect((await owner.delete(path)).status).toBe(409);
  await owner.patch(`${ORG}/statuses/${before.status_id}`, { is_default: true });
  expect((await owner.delete(path)).body.error.code).toBe('resource_conflict');
  await api.delete(`${TASKS}/${task.id}`);
  expect((await owner.delete(path)).status).toBe(204);
  expect((await owner.post(`${ORG}/statuses`, { name: 'todo', group: 'backlog' })).body.error.code).toBe('duplicate');
  expect((await owner.get(`${ORG}/statuses?project_id=${space.eng.id}`)).body.data).toHaveLength(6);
});

it('members with the permission manage labels', async () => {
  const space = await app.workspace();
  const owner = await space.signIn();
  const { client: api } = await space.key();
  const label = (await owner.post(`${ORG}/labels`, { name: 'Security', color: '#112233' })).body;
  expect(label).toMatchObject({ project_id: null, name: 'Security' });
  expect((await owner.patch(`${ORG}/labels/${label.id}`, { color: '#445566' })).body.color).toBe('#445566');
  const task = (await api.post(TASKS, { title: 'Fix it', label_ids: [label.id] })).body;
  expect((await owner.delete(`${ORG}/labels/${label.id}`)).body.error.code).toBe('resource_conflict');
  await api.delete(`${TASKS}/${task.id}`);
  expect((await owner.delete(`${ORG}/labels/${label.id}`)).status).toBe(204);
  const member = await space.member('member');
  const other = await space.signIn(member.email);
  expect((await other.post(`${ORG}/labels`, { name: 'x', color: '#112233' })).status).toBe(403);
});
