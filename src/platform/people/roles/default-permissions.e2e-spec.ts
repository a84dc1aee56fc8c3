import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Type } from '@nestjs/common';
import { createTestApp, type TestApp } from '../../../../test/harness/app.js';
import { createTestDatabase } from '../../../../test/harness/test-database.js';
import { DomainModule, type PermissionDefinitions } from '../../../kit/index.js';
import { noteChange } from '../../audit/installation-log.js';
import { DefaultPermissions } from './default-permissions.js';

const ROLES = '/api/v1/org/roles';
const SEE = { 'lamps.lamp.view': { title: 'See lamps', roles: ['member'] } } as const satisfies PermissionDefinitions;
const SWITCH = { 'lamps.lamp.switch': { title: 'Switch lamps', roles: ['admin', 'member'] } } as const satisfies PermissionDefinitions;

/** A version of a module without routes. */
function lamps(permissions: PermissionDefinitions): Type {
  class LampsModule {}
  DomainModule({ name: 'lamps', title: 'Lamps', guide: 'Lamps.', scopes: {}, permissions, entities: [], controllers: [], providers: [] })(
    LampsModule,
  );
  return LampsModule;
}

interface RoleRow {
  name: string;
  version: number;
  permissions: string[];
}

let database: Awaited<ReturnType<typeof createTestDatabase>>;
const apps: TestApp[] = [];

async function start(...modules: Type[]): Promise<TestApp> {
  const app = await createTestApp({ modules, databaseUrl: database.url });
  apps.push(app);
  return app;
}

async function rolesOf(app: TestApp, organizationId: string): Promise<Record<string, RoleRow>> {
  const { rows } = await app.sql.query<RoleRow>(
    'SELECT name, version, permissions FROM roles WHERE organization_id = $1 ORDER BY created_at, id',
    [organizationId],
  );
  return Object.fromEntries(rows.map((row) => [row.name, row]));
}

const ofLamps = ({ permissions }: RoleRow) => permissions.filter((name) => name.startsWith('lamps.'));

beforeAll(async () => void (database = await createTestDatabase()));
afterAll(async () => {
  for (const app of apps) await app.close();
  await database.drop();
});

test('a new permission reaches the default roles at the next start, also while the previous version still runs', async () => {
  const previous = await start(lamps(SEE));
  const before = await previous.workspace();
  const owner = await before.signIn();
  const own = await owner.post(ROLES, { name: 'Own', permissions: ['lamps.lamp.view'] });
  expect(own.status).toBe(201);
  expect(Object.values(await rolesOf(previous, before.organizationId)).map((role) => [role.name, ofLamps(role)])).toEqual([
    ['owner', ['lamps.lamp.view']],
    ['admin', []],
    ['developer', []],
    ['member', ['lamps.lamp.view']],
    ['Own', ['lamps.lamp.view']],
  ]);

  const next = await start(lamps({ ...SEE, ...SWITCH }));
  const after = await rolesOf(next, before.organizationId);
  const both = ['lamps.lamp.view', 'lamps.lamp.switch'];
  expect(Object.values(after).map((role) => [role.name, role.version, ofLamps(role)])).toEqual([
    ['owner', 2, both],
    ['admin', 2, ['lamps.lamp.switch']],
    ['developer', 1, []],
    ['member', 2, both],
    ['Own', 1, ['lamps.lamp.view']],
  ]);
  const { rows: log } = await next.sql.query(
    `SELECT object_id AS role, after FROM audit_entries WHERE object_type = 'default_role' AND operation = 'start' ORDER BY sequence`,
  );
  expect(log.map(({ role, after: { added } }) => `${role}: ${added}`).sort()).toEqual(
    ['admin', 'member', 'owner'].map((role) => `${role}: lamps.lamp.switch`),
  );

  // the previous version creates an organization, and starts once more
  const during = await previous.workspace();
  expect(ofLamps((await rolesOf(next, during.organizationId)).admin)).toEqual(['lamps.lamp.switch']);
  await start(lamps(SEE));
  expect(await rolesOf(next, before.organizationId)).toEqual(after);
});

test('several processes that start at once add each permission once', async () => {
  const app = await start(lamps({ ...SEE, ...SWITCH }));
  const { organizationId } = await app.workspace();
  const whole = await rolesOf(app, organizationId);
  await app.sql.query(`DELETE FROM default_permissions WHERE permission LIKE 'lamps.%'`);
  await app.sql.query(
    `UPDATE roles SET permissions = ARRAY(SELECT p FROM unnest(permissions) AS p WHERE p NOT LIKE 'lamps.%') WHERE organization_id = $1`,
    [organizationId],
  );
  const others = await Promise.all([1, 2, 3].map(() => start(lamps({ ...SEE, ...SWITCH }))));
  await Promise.all([app, ...others].map((each) => each.app.get(DefaultPermissions).apply(noteChange)));
  const after = await rolesOf(app, organizationId);
  for (const name of ['owner', 'admin', 'developer', 'member']) {
    expect(after[name].permissions.toSorted()).toEqual(whole[name].permissions.toSorted());
    expect(after[name].version).toBe(name === 'developer' ? 1 : 2);
  }
});

test('the permissions of a module that was taken out stay with the roles, unseen and unchecked', async () => {
  const withModule = await start(lamps({ ...SEE, ...SWITCH }));
  const space = await withModule.workspace();
  const created = await (await space.signIn()).post(ROLES, { name: 'Own', permissions: ['lamps.lamp.view', 'org.projects.manage'] });
  const id = created.body.id as string;

  const without = await start();
  const { signIn } = await import('../../../../test/harness/workspace.js');
  const owner = await signIn(without.url, { email: space.owner.email, password: 'correct horse battery staple' });
  expect(JSON.stringify((await owner.get('/api/v1/org/session')).body)).not.toContain('lamps');
  expect(JSON.stringify((await owner.get('/api/v1/org/permissions')).body)).not.toContain('lamps');
  expect((await owner.get(`${ROLES}/${id}`)).body.permissions).toEqual(['org.projects.manage']);
  const refused = await owner.patch(`${ROLES}/${id}`, { permissions: ['lamps.lamp.view'] });
  expect([refused.status, refused.body.error.param]).toEqual([400, 'permissions']);
  const changed = await owner.patch(`${ROLES}/${id}`, { permissions: ['org.members.manage'] });
  expect([changed.status, changed.body.permissions]).toEqual([200, ['org.members.manage']]);
  expect((await rolesOf(without, space.organizationId)).Own.permissions).toEqual(['org.members.manage', 'lamps.lamp.view']);
});
