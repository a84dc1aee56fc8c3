import { describe, expect, test } from '@jest/globals';
import { sharedApp } from '../../../../test/harness/hosted-app.js';
import type { PermissionRegistry } from '../../registry/permission-registry.js';
import { PASSWORD } from '../../../../test/harness/workspace.js';

const ROLES_PATH = '/api/v1/org/roles';
const MEMBERS = '/api/v1/org/members';

const app = await sharedApp();
const acme = await app.workspace();
const owner = await acme.signIn();
const { defaultRoles } = app.inside<typeof import('../../../../test/harness/people.js')>('test/harness/people.ts');
const ROLES = await defaultRoles();
const ALL_PERMISSIONS = ROLES.owner;

interface RoleBody {
  id: string;
  name: string;
  permissions: string[];
  built_in: boolean;
  member_count: number;
}
const named = async (name: string) => (await owner.get(ROLES_PATH)).body.data.find((role: RoleBody) => role.name === name) as RoleBody;
const create = async (name: string, permissions: readonly string[]) =>
  (await owner.post(ROLES_PATH, { name, permissions })).body as RoleBody;

describe('roles', () => {
  test('of a new organization are the four built-in ones', async () => {
    const { data } = (await (await (await app.workspace()).signIn()).get(ROLES_PATH)).body as { data: RoleBody[] };
    expect(data.map(({ name, built_in, permissions }) => [name, built_in, permissions])).toEqual(
      Object.entries(ROLES).map(([name, permissions]) => [name, true, [...permissions]]),
    );
    expect(Object.keys(ROLES)).toEqual(['owner', 'admin', 'developer', 'member']);
    expect(ROLES.admin).toEqual(ALL_PERMISSIONS.filter((name) => name !== 'org.owners.manage' && name !== 'org.organization.delete'));
    expect(ROLES.developer).toEqual(ALL_PERMISSIONS.filter((name) => name.startsWith('org.developer.') || name === 'tasks.task.view'));
    expect(ROLES.member).toContain('tasks.task.view');
    expect(data.map(({ member_count }) => member_count)).toEqual([1, 0, 0, 0]);
  });

  test('that manage keys, members or roles must have a second factor if the organization requires one', async () => {
    const registry = app.service<PermissionRegistry>('PermissionRegistry');
    const powerful: string[] = [];
    for (const name of ALL_PERMISSIONS) if (await registry.needSecondFactor([name])) powerful.push(name);
    expect(powerful.sort()).toEqual([
      'org.data.export',
      'org.developer.apikeys.manage',
      'org.developer.leadkeys.create',
      'org.developer.leadkeys.delete',
      'org.members.manage',
      'org.organization.delete',
      'org.owners.manage',
      'org.people.erase',
    ]);
  });

  test('have permissions that are explained in a sentence each', async () => {
    const member = await acme.signIn((await acme.member('member')).email);
    const { data } = (await member.get('/api/v1/org/permissions')).body as { data: { name: string; description: string }[] };
    expect(data.map(({ name }) => name)).toEqual([...ALL_PERMISSIONS].sort());
    expect(data.filter(({ description }) => description.split(' ').length < 2)).toEqual([]);
  });

  test('take permissions that the OpenAPI document lists', async () => {
    const { paths, components } = (await owner.get('/openapi.org.json')).body;
    const schemaOf = ({ requestBody }: { requestBody: { content: Record<string, { schema: { $ref: string } }> } }) =>
      components.schemas[Object.values(requestBody.content)[0].schema.$ref.split('/').at(-1)!].properties.permissions.items;
    for (const operation of [paths[ROLES_PATH].post, paths[`${ROLES_PATH}/{id}`].patch])
      expect(schemaOf(operation)).toEqual({ type: 'string', enum: expect.arrayContaining([...ALL_PERMISSIONS]) });
  });

  test('are created, given to members, and changed with effect on the next request', async () => {
    const created = await owner.post(ROLES_PATH, {
      name: 'Watcher',
      description: 'Sees lead keys',
      permissions: ['org.developer.leadkeys.view'],
    });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({ object: 'role', name: 'Watcher', built_in: false, member_count: 0, version: 1 });
    const { id } = created.body as RoleBody;
    const person = { email: 'watcher@example.com', name: 'W', role: 'Watcher', password: PASSWORD };
    expect((await owner.post(MEMBERS, person)).body.role).toBe('Watcher');
    const watcher = await acme.signIn(person.email);
    const keys = '/api/v1/org/developer/api-keys';
    expect([(await watcher.get(keys)).status, (await watcher.get('/api/v1/org/developer/logs')).status]).toEqual([200, 403]);
    expect((await watcher.post(keys, { name: 'x', module: 'lead_webhook', mode: 'test', scopes: ['leads:lead:write'] })).status).toBe(403);
    const changed = await owner.patch(`${ROLES_PATH}/${id}`, { permissions: ['org.developer.logs.view'] });
    expect(changed.body).toMatchObject({ version: 2, member_count: 1, description: 'Sees lead keys' });
    expect([(await watcher.get(keys)).status, (await watcher.get('/api/v1/org/developer/logs')).status]).toEqual([403, 200]);
  });

  test('are copied with their permissions', async () => {
    const { id, permissions } = await named('developer');
    const copy = await owner.post(`${ROLES_PATH}/${id}/copy`, { name: 'Developer without mail' });
    expect([copy.status, copy.body.permissions, copy.body.built_in]).toEqual([201, permissions, false]);
  });

  test('have names that are unique whatever their capitals', async () => {
    await create('Unique', []);
    for (const name of ['unique', ' UNIQUE ', 'Owner'])
      expect((await owner.post(ROLES_PATH, { name, permissions: [] })).body.error).toMatchObject({ code: 'duplicate', param: 'name' });
    const twins = await Promise.all([1, 2].map(() => owner.post(ROLES_PATH, { name: 'Twin', permissions: [] })));
    expect(twins.map(({ status }) => status).sort()).toEqual([201, 409]);
  });

  test('that are built in are neither changed nor deleted', async () => {
    const { id } = await named('member');
    expect((await owner.patch(`${ROLES_PATH}/${id}`, { permissions: [] })).body.error.code).toBe('resource_conflict');
    expect((await owner.delete(`${ROLES_PATH}/${id}`)).body.error.code).toBe('resource_conflict');
  });

  test('in use are not deleted, and the error names who holds them', async () => {
    const { id } = await create('Temporary', ['tasks.task.view']);
    const holder = await acme.member('Temporary');
    const invited = await owner.post('/api/v1/org/invitations', { email: 'invited@example.com', name: 'I', role: 'Temporary' });
    const refused = await owner.delete(`${ROLES_PATH}/${id}`);
    expect([refused.status, refused.body.error.code]).toEqual([409, 'role_in_use']);
    expect(refused.body.error.message).toContain('Temporary member, invited@example.com (invited)');
    expect(refused.body.error.holders).toMatchObject([{ id: holder.id, name: 'Temporary member' }]);
    expect((await owner.get(`${MEMBERS}?role=Temporary`)).body.data.map((member: { id: string }) => member.id)).toEqual([holder.id]);
    await owner.patch(`${MEMBERS}/${holder.id}`, { role: 'member' });
    await owner.delete(`/api/v1/org/invitations/${invited.body.id as string}`);
    expect((await owner.delete(`${ROLES_PATH}/${id}`)).status).toBe(204);
    expect((await owner.get(`${ROLES_PATH}/${id}`)).status).toBe(404);
  });
});

describe('nobody grants what they lack', () => {
  test('by creating, copying, changing or deleting a role', async () => {
    const personnel = await create('Personnel', ['org.members.manage', 'tasks.task.view']);
    const mighty = await create('Mighty', ['org.owners.manage']);
    const client = await acme.signIn((await acme.member('Personnel')).email);
    const refused = [
      await client.post(ROLES_PATH, { name: 'Mine', permissions: ['org.developer.apikeys.manage'] }),
      await client.post(`${ROLES_PATH}/${mighty.id}/copy`, { name: 'Mine' }),
      await client.patch(`${ROLES_PATH}/${personnel.id}`, { permissions: ['org.members.manage', 'org.owners.manage'] }),
      await client.patch(`${ROLES_PATH}/${mighty.id}`, { permissions: [] }),
      await client.delete(`${ROLES_PATH}/${mighty.id}`),
    ];
    expect(refused.map(({ status, body }) => [status, body.error.code])).toEqual(Array(5).fill([403, 'permission_denied']));
    expect(refused[0].body.error).toMatchObject({ param: 'permissions', required_permission: 'org.developer.apikeys.manage' });
    expect((await client.post(ROLES_PATH, { name: 'Reader', permissions: ['tasks.task.view'] })).status).toBe(201);
  });

  test('without the permission to manage members, or in another organization', async () => {
    const { id } = await create('Ours', []);
    const developer = await acme.signIn((await acme.member('developer')).email);
    const other = await (await app.workspace()).signIn();
    expect((await developer.post(ROLES_PATH, { name: 'X', permissions: [] })).body.error.required_permission).toBe('org.members.manage');
    expect((await developer.get(`${ROLES_PATH}/${id}`)).status).toBe(200);
    const unknown = [
      await other.get(`${ROLES_PATH}/${id}`),
      await other.patch(`${ROLES_PATH}/${id}`, { permissions: [] }),
      await other.post(`${ROLES_PATH}/${id}/copy`, { name: 'Theirs' }),
      await other.delete(`${ROLES_PATH}/${id}`),
    ];
    expect(unknown.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    const invalid = await owner.post(ROLES_PATH, { name: 'X', permissions: ['org.everything'] });
    expect([invalid.status, invalid.body.error.param]).toEqual([400, 'permissions']);
  });
});

test('a key that reads the events of all modules is made only by members who may read all that events contain', async () => {
  const space = await app.workspace();
  const owner = await space.signIn();
  const permissions = ['org.developer.apikeys.manage', 'org.developer.webhooks.manage'];
  expect((await owner.post('/api/v1/org/roles', { name: 'keysonly', permissions })).status).toBe(201);
  const member = await space.signIn((await space.member('keysonly')).email);
  const key = { name: 'Events', module: 'developer', mode: 'test', scopes: ['developer:event:read'] };
  expect(await member.post('/api/v1/org/developer/api-keys', key)).toMatchObject({
    status: 403,
    body: { error: { code: 'permission_denied', param: 'module', message: expect.stringContaining('Your role lacks') } },
  });
  expect((await owner.post('/api/v1/org/developer/api-keys', key)).status).toBe(201);

  const all = ALL_PERMISSIONS.filter((name) => name !== 'org.owners.manage');
  const role = await owner.post('/api/v1/org/roles', { name: 'reads all', permissions: all });
  const { id } = await space.member('reads all');
  const { client } = await space.key({ module: key.module, scopes: key.scopes, actor_user_id: id });
  const events = () => client.get('/api/v1/ext/developer/events');
  expect(await events()).toMatchObject({ status: 200 });
  await owner.patch(`/api/v1/org/roles/${role.body.id}`, { permissions: all.filter((name) => name !== 'papers.document.view') });
  expect(await events()).toMatchObject({ status: 403, body: { error: { required_permission: 'papers.document.view' } } });
});
