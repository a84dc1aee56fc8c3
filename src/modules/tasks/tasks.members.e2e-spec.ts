import { beforeEach, describe, expect, it, test } from '@jest/globals';
import { sharedApp } from '../../../test/harness/hosted-app.js';
import { Client } from '../../../test/harness/client.js';
import type { Workspace } from '../../../test/harness/workspace.js';

// The routes that keyed routes declare for members (`member` of @Endpoint).

const TASKS = '/api/v1/org/tasks/tasks';

const app = await sharedApp();
let space: Workspace;
let person: { id: string; email: string };
let member: Client;

beforeEach(async () => {
  space = await app.workspace();
  person = await space.member('member');
  member = await space.signIn(person.email);
});

/** The member's role loses a permission. */
const withhold = (permission: string) =>
  app.sql.query(`UPDATE roles SET permissions = array_remove(permissions, $2) WHERE organization_id = $1 AND name = 'member'`, [
    space.organizationId,
    permission,
  ]);

describe('tasks', () => {
  it('are the same on both planes; what a member writes has the member as its author', async () => {
    const made = await member.post(TASKS, { title: 'Call back' });
    expect([made.status, made.body]).toEqual([201, expect.objectContaining({ project_id: space.eng.id, title: 'Call back', version: 1 })]);
    expect((await member.post(`${TASKS}/${made.body.key}/comments`, { body: 'Tomorrow' })).body.author).toMatchObject({
      type: 'user',
      id: person.id,
    });
    const { client: key } = await space.key();
    expect((await key.get(`/api/v1/ext/tasks/tasks/${made.body.id}`)).body.title).toBe('Call back');
    expect((await member.get(`${TASKS}?q=call`)).body.data).toMatchObject([{ id: made.body.id }]);
    expect((await member.get('/api/v1/org/tasks/priorities')).body.data.length).toBeGreaterThan(3);
    expect((await member.get('/api/v1/org/tasks/members')).body.data).toHaveLength(2);
  });

  it('follow the rules of the keyed route: validation, If-Match, Idempotency-Key, organizations, modes', async () => {
    expect((await member.post(TASKS, { title: '' })).body.error).toMatchObject({ code: 'validation_failed', param: 'title' });
    const twice = { 'idempotency-key': 'member-1' };
    const made = await member.post(TASKS, { title: 'Once' }, twice);
    const again = await member.post(TASKS, { title: 'Once' }, twice);
    expect([again.body.id, again.headers['idempotent-replayed']]).toEqual([made.body.id, 'true']);
    const path = `${TASKS}/${made.body.id}`;
    expect((await member.patch(path, { title: 'Changed' }, { 'if-match': '"1"' })).headers.etag).toBe('"2"');
    expect((await member.patch(path, { title: 'Stale' }, { 'if-match': '"1"' })).status).toBe(412);
    expect((await member.get(path, { 'svc-mode': 'test' })).status).toBe(404);
    expect((await (await (await app.workspace()).signIn()).get(path)).status).toBe(404);
    expect((await member.delete(path)).status).toBe(204);
  });

  it('need a session, its CSRF token and the permission', async () => {
    const withoutToken = new Client(app.url, { cookie: member.headers.cookie });
    expect((await withoutToken.post(TASKS, { title: 'x' })).body.error.code).toBe('csrf_token_invalid');
    expect((await withoutToken.get(TASKS)).status).toBe(200);
    const { client: key } = await space.key();
    expect((await key.get(TASKS)).body.error.code).toBe('not_signed_in');
    const developer = await space.signIn((await space.member('developer')).email);
    expect((await developer.get(TASKS)).status).toBe(200);
    const refused = await developer.post(TASKS, { title: 'x' });
    expect([refused.status, refused.body.error]).toMatchObject([
      403,
      { code: 'permission_denied', required_permission: 'tasks.task.manage' },
    ]);
  });

  it('are deleted in a batch only with the permission to delete', async () => {
    const { id } = (await member.post(TASKS, { title: 'Keep' })).body;
    const batch = () => member.post(`${TASKS}/batch`, { items: [{ action: 'delete', id }], atomic: true });
    await withhold('tasks.task.delete');
    const refused = await batch();
    expect([refused.status, refused.body.error]).toMatchObject([
      403,
      { code: 'permission_denied', required_permission: 'tasks.task.delete', index: 0 },
    ]);
    expect((await member.delete(`${TASKS}/${id}`)).status).toBe(403);
    expect((await (await space.signIn()).delete(`${TASKS}/${id}`)).status).toBe(204);
  });
});

test('the OpenAPI document of members names permissions; the tools of a key do not change', async () => {
  type Operation = { operationId: string; security: object[]; 'x-permission'?: string; parameters: object[] };
  const { paths } = (await (await fetch(`${app.url}/openapi.org.json`)).json()) as { paths: Record<string, Record<string, Operation>> };
  expect(paths[`${TASKS}/{id}`].patch).toMatchObject({
    operationId: 'update_org_task',
    security: [{ session: [], csrf: [] }],
    'x-permission': 'tasks.task.manage',
    parameters: expect.arrayContaining([{ $ref: '#/components/parameters/IfMatch' }]),
  });
  const { client: key } = await space.key();
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const headers = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' };
  const { tools } = (await key.post('/api/v1/ext/mcp', list, headers)).body.result;
  const names = tools.map(({ name }: { name: string }) => name) as string[];
  expect(names.filter((name) => name.includes('_org_'))).toEqual([]);
  expect(names).toContain('update_task');
});
