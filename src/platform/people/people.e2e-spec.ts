import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { Client } from '../../../test/harness/client.js';
import { sharedNotesApp } from '../../../test/harness/fixtures/fixture-apps.js';
import { PASSWORD } from '../../../test/harness/workspace.js';
import type { KeyChanges } from '../key-changes/key-changes.js';
import type { SignInFailures } from './failures/sign-in-failures.js';

const SESSION = '/api/v1/org/session';
const MEMBERS = '/api/v1/org/members';
const PROJECTS = '/api/v1/org/projects';

const app = await sharedNotesApp();
const acme = await app.workspace();
let owner = await acme.signIn();
const { defaultRoles } = app.inside<typeof import('../../../test/harness/people.js')>('test/harness/people.ts');
const ROLES = await defaultRoles();

const anonymous = () => new Client(app.url);
const cookieOf = (client: Client) => new Client(app.url, { cookie: client.headers.cookie });

describe('signing in', () => {
  test('returns the member, the permissions and the CSRF token, and sets an HttpOnly cookie', async () => {
    const response = await anonymous().post(SESSION, { email: `  ${acme.owner.email.toUpperCase()}`.trim(), password: PASSWORD });
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({
      object: 'session',
      organization_id: acme.organizationId,
      member: { id: acme.owner.id, role: 'owner', status: 'active' },
      permissions: [...ROLES.owner],
      csrf_token: expect.any(String),
    });
    expect(JSON.stringify(response.body)).not.toMatch(/argon2|password/);
    const [cookie] = response.headers['set-cookie'] as unknown as string[];
    expect(cookie).toMatch(/^svc_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
    const again = await new Client(app.url, { cookie: cookie.split(';')[0] }).get(SESSION);
    expect(again.body.csrf_token).toBe(response.body.csrf_token);
  });

  test('rejects a wrong password, an unknown address and a deactivated member with the same error', async () => {
    const gone = await acme.member('member');
    await owner.patch(`${MEMBERS}/${gone.id}`, { status: 'inactive' });
    const responses = await Promise.all([
      anonymous().post(SESSION, { email: acme.owner.email, password: 'not the password' }),
      anonymous().post(SESSION, { email: 'nobody@example.com', password: PASSWORD }),
      anonymous().post(SESSION, { email: gone.email, password: PASSWORD }),
    ]);
    for (const response of responses) {
      expect(response.status).toBe(401);
      expect(response.body.error).toMatchObject({
        type: 'authentication_error',
        code: 'invalid_credentials',
        message: responses[0].body.error.message,
      });
      expect(response.headers['set-cookie']).toBeUndefined();
    }
  });

  test('reports missing fields before it checks credentials', async () => {
    const response = await anonymous().post(SESSION, { email: 'ada@example.com' });
    expect(response.body.error).toMatchObject({ code: 'missing_fields', param: 'password' });
  });

  test('an unknown address costs the same work as a wrong password', async () => {
    const argon2 = app.inside<typeof import('../../../test/harness/fast-argon2.js')>('test/harness/fast-argon2.ts');
    const costsOf = async (email: string) => {
      await argon2.verifiedCosts();
      expect((await anonymous().post(SESSION, { email, password: 'not the password' })).status).toBe(401);
      return argon2.verifiedCosts();
    };
    const email = `known-${randomUUID()}@example.com`;
    await owner.post(MEMBERS, { email, name: 'Known', role: 'member', password: 'of another than the tests' });
    const known = await costsOf(email);
    expect(known).toEqual([expect.stringMatching(/^m=\d{4,},/)]);
    expect(await costsOf(`nobody-${randomUUID()}@example.com`)).toEqual(known);
  });

  test('ten failures close an account to their address for a while, a success forgives them', async () => {
    const { email } = await acme.member('member');
    const attempt = (password: string) => anonymous().post(SESSION, { email, password });
    for (let i = 0; i < 9; i++) expect((await attempt('not the password')).status).toBe(401);
    expect((await attempt(PASSWORD)).status).toBe(200);
    for (let i = 0; i < 10; i++) expect((await attempt('not the password')).status).toBe(401);
    const rejected = await attempt(PASSWORD);
    expect(rejected.status).toBe(429);
    expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(800);
  });

  test('a success in one organization permits no more guesses at the password in another', async () => {
    const { email } = await acme.member('member');
    const attacker = await app.workspace();
    const created = await (
      await attacker.signIn()
    ).post(MEMBERS, { email, name: 'Same address', role: 'member', password: 'of the attacker' });
    expect(created.status).toBe(201);
    const attempt = (password: string) => anonymous().post(SESSION, { email, password });
    for (let i = 0; i < 9; i++) expect((await attempt('not the password')).status).toBe(401);
    for (let i = 0; i < 3; i++) expect((await attempt('of the attacker')).status).toBe(200);
    expect((await attempt('not the password')).status).toBe(401);
    expect((await attempt('not the password')).status).toBe(429);
  });

  test('failures from elsewhere close an account only when they are very many', async () => {
    const failures = app.service<SignInFailures>('SignInFailures');
    const email = 'target@example.com';
    for (let i = 0; i < 10; i++) await failures.charge('2001:db8::1', email);
    await expect(failures.charge('2001:db8::2', email)).rejects.toMatchObject({ spec: { code: 'rate_limited' } });
    await failures.charge('203.0.113.1', email);
    await failures.forgive('203.0.113.1', email, { isOnlyAccount: true });
    for (let i = 11; i < 100; i++) await failures.charge(`203.0.113.${i}`, email);
    await expect(failures.charge('203.0.113.200', email)).rejects.toMatchObject({ spec: { code: 'rate_limited' } });
  });

  test('failures are forgotten when their window is over, also without any sign-in', async () => {
    const failures = app.service<SignInFailures>('SignInFailures');
    await failures.charge('203.0.113.250', 'forgotten@example.com');
    await app.sql.query(`UPDATE sign_in_failures SET window_ends_at = now() - interval '1 second'`);
    await failures.charge('203.0.113.251', 'remembered@example.com');
    await app.runScheduledJob('platform.purge');
    const { rows } = await app.sql.query(`SELECT count(*)::int AS count FROM sign_in_failures`);
    expect(rows).toEqual([{ count: 3 }]);
  });
});

describe('a session', () => {
  test('ends at the sign-out', async () => {
    const client = await acme.signIn();
    expect((await client.get(SESSION)).status).toBe(200);
    const out = await client.delete(SESSION);
    expect(out.status).toBe(204);
    expect(String(out.headers['set-cookie'])).toMatch(/^svc_session=; Max-Age=0;/);
    const after = await client.get(SESSION);
    expect(after.status).toBe(401);
    expect(after.body.error.code).toBe('not_signed_in');
  });

  test('is replaced by a new sign-in with its cookie', async () => {
    const former = await acme.signIn();
    await cookieOf(former).post(SESSION, { email: acme.owner.email, password: PASSWORD });
    expect((await former.get(SESSION)).status).toBe(401);
  });

  test('expires, and use extends it to at most 7 days', async () => {
    const client = await acme.signIn();
    const shift = (change: string) => app.sql.query(`UPDATE sessions SET ${change} WHERE member_id = $1`, [acme.owner.id]);
    const end = async () => Date.parse((await client.get(SESSION)).body.expires_at as string);
    await shift(`expires_at = now() + interval '1 hour'`);
    expect(await end()).toBeGreaterThan(Date.now() + 23.9 * 3_600_000);
    await shift(`expires_at = now() + interval '1 minute', created_at = now() - interval '7 days' + interval '2 hours'`);
    expect(await end()).toBeLessThan(Date.now() + 2.1 * 3_600_000);
    await shift(`expires_at = now()`);
    expect((await client.get(SESSION)).status).toBe(401);
    owner = await acme.signIn();
  });

  test('is stored only as a keyed hash', async () => {
    const client = await acme.signIn();
    const token = client.headers.cookie.split('=')[1];
    const { rows } = await app.sql.query<{ row: string }>('SELECT s::text AS row FROM sessions s');
    expect(rows.length).toBeGreaterThan(0);
    for (const { row } of rows) {
      expect(row).not.toContain(token);
      expect(row).not.toContain(Buffer.from(token).toString('hex'));
    }
  });

  test('every write needs its CSRF token', async () => {
    const other = await acme.signIn();
    const tokens = [undefined, '', 'wrong', other.headers['x-csrf-token'].slice(1), other.headers['x-csrf-token']];
    for (const token of tokens) {
      const response = await cookieOf(owner).post(
        PROJECTS,
        { key: 'NOPE', name: 'No' },
        token === undefined ? {} : { 'x-csrf-token': token },
      );
      expect(response.status).toBe(403);
      expect(response.body.error.code).toBe('csrf_token_invalid');
    }
    expect((await cookieOf(owner).get(PROJECTS)).status).toBe(200);
  });
});

describe('permissions', () => {
  const writes: [string, string, string, object][] = [
    ['org.projects.manage', 'post', PROJECTS, { key: 'NEWONE', name: 'New' }],
    ['org.members.manage', 'post', MEMBERS, { email: 'x@example.com', name: 'X', role: 'member', password: PASSWORD }],
    ['org.developer.apikeys.manage', 'get', '/api/v1/org/developer/api-keys', {}],
    ['org.developer.logs.view', 'get', '/api/v1/org/developer/logs', {}],
    ['org.developer.logs.view', 'get', '/api/v1/org/developer/analytics', {}],
  ];
  test.each(['admin', 'developer', 'member'] as const)('%s: a missing permission is named in the error', async (role) => {
    const client = await acme.signIn((await acme.member(role)).email);
    for (const [permission, method, path, body] of writes) {
      const response = await client.send(method, path, method === 'get' ? undefined : body);
      if (ROLES[role].includes(permission)) {
        expect(response.status).toBeLessThan(300);
      } else {
        expect(response.status).toBe(403);
        expect(response.body.error).toMatchObject({ code: 'permission_denied', required_permission: permission });
      }
    }
    expect((await client.get(MEMBERS)).status).toBe(200);
  });
});

describe('members', () => {
  test('a new password ends the sessions of the old one', async () => {
    const member = await acme.member('member');
    const client = await acme.signIn(member.email);
    expect((await owner.patch(`${MEMBERS}/${member.id}`, { password: 'another long password' })).status).toBe(200);
    expect((await client.get(SESSION)).status).toBe(401);
    const attempts = [PASSWORD, 'another long password'].map((password) => anonymous().post(SESSION, { email: member.email, password }));
    expect((await Promise.all(attempts)).map(({ status }) => status)).toEqual([401, 200]);
    const response = await owner.patch(`${MEMBERS}/${member.id}`, { password: 'short' });
    expect([response.status, response.body.error.param]).toEqual([400, 'password']);
  });

  test('deactivation ends the sessions of a member permanently', async () => {
    const member = await acme.member('developer');
    const client = await acme.signIn(member.email);
    const changed = await owner.patch(`${MEMBERS}/${member.id}`, { status: 'inactive' });
    expect(changed.body).toMatchObject({ id: member.id, status: 'inactive', version: 2 });
    expect((await client.get(SESSION)).status).toBe(401);
    await owner.patch(`${MEMBERS}/${member.id}`, { status: 'active' });
    expect((await client.get(SESSION)).status).toBe(401);
    expect((await (await acme.signIn(member.email)).get(SESSION)).status).toBe(200);
  });

  test('a repeated deactivation is announced again to processes that cache keys bound to the member', async () => {
    const member = await acme.member('member');
    const changes = app.service<KeyChanges>('KeyChanges');
    for (let i = 0; i < 2; i++) {
      const before = await changes.count();
      expect((await owner.patch(`${MEMBERS}/${member.id}`, { status: 'inactive' })).status).toBe(200);
      expect(await changes.count()).toBeGreaterThan(before);
    }
  });

  test('a changed role applies to the next request', async () => {
    const member = await acme.member('member');
    const client = await acme.signIn(member.email);
    expect((await client.get('/api/v1/org/developer/logs')).status).toBe(403);
    await owner.patch(`${MEMBERS}/${member.id}`, { role: 'developer' });
    expect((await client.get('/api/v1/org/developer/logs')).status).toBe(200);
  });

  test('no member adds, changes or removes one with a higher role', async () => {
    const admin = await acme.signIn((await acme.member('admin')).email);
    const other = await acme.member('admin');
    expect((await admin.patch(`${MEMBERS}/${other.id}`, { role: 'owner' })).body.error.code).toBe('permission_denied');
    expect((await admin.patch(`${MEMBERS}/${acme.owner.id}`, { status: 'inactive' })).body.error.code).toBe('permission_denied');
    expect((await admin.post(MEMBERS, { email: 'mighty@example.com', name: 'M', role: 'owner', password: PASSWORD })).status).toBe(403);
    expect((await admin.patch(`${MEMBERS}/${other.id}`, { role: 'developer' })).body.role).toBe('developer');
  });

  test('of two owners who give up the role concurrently, one remains', async () => {
    const lone = await app.workspace();
    const owners = [lone.owner, await lone.member('owner')];
    const clients = [await lone.signIn(owners[0].email), await lone.signIn(owners[1].email)];
    const responses = await Promise.all(owners.map(({ id }, index) => clients[index].patch(`${MEMBERS}/${id}`, { role: 'admin' })));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(responses.find(({ status }) => status === 409)?.body.error.code).toBe('last_owner');
  });

  test('e-mail addresses are compared without case', async () => {
    const { email } = await acme.member('member');
    const response = await owner.post(MEMBERS, { email: email.toUpperCase(), name: 'Twin', role: 'member', password: PASSWORD });
    expect(response.status).toBe(409);
    expect(response.body.error).toMatchObject({ code: 'duplicate', param: 'email' });
  });

  test('an address of another organization is accepted like a new one, and signs in with either password', async () => {
    const other = await app.workspace();
    const add = (email: string, password: string) => owner.post(MEMBERS, { email, name: 'Ada', role: 'member', password });
    const [known, fresh] = [await add(other.owner.email, 'a password of this one'), await add('fresh@example.com', PASSWORD)];
    expect([known.status, Object.keys(known.body)]).toEqual([201, Object.keys(fresh.body)]);
    const organizationOf = async (password: string) => {
      const response = await anonymous().post(SESSION, { email: other.owner.email, password });
      return [response.status, response.body.organization?.id ?? response.body.organization_id];
    };
    expect(await organizationOf(PASSWORD)).toEqual([200, other.organizationId]);
    expect(await organizationOf('a password of this one')).toEqual([200, acme.organizationId]);
    expect((await organizationOf('a password of neither'))[0]).toBe(401);
    // the same password in both: the older membership, so that an organization cannot divert somebody's sign-in
    expect((await owner.patch(`${MEMBERS}/${known.body.id}`, { password: PASSWORD })).status).toBe(200);
    expect(await organizationOf(PASSWORD)).toEqual([200, other.organizationId]);
    expect((await add(other.owner.email, PASSWORD)).body.error).toMatchObject({ code: 'duplicate', param: 'email' });
  });

  test('an unknown role is rejected with the list of roles', async () => {
    const response = await owner.post(MEMBERS, { email: 'r@example.com', name: 'R', role: 'king', password: PASSWORD });
    expect(response.body.error).toMatchObject({
      code: 'validation_failed',
      param: 'role',
      allowed: expect.arrayContaining(['owner', 'member']),
    });
  });

  test('those of another organization do not exist', async () => {
    const other = await app.workspace();
    expect((await owner.get(`${MEMBERS}/${other.owner.id}`)).status).toBe(404);
    expect((await owner.patch(`${MEMBERS}/${other.owner.id}`, { name: 'X' })).status).toBe(404);
    expect((await owner.get(`${MEMBERS}?email=${other.owner.email}`)).body.data).toEqual([]);
  });
});

describe('projects', () => {
  test('are made, renamed and archived; the key stays and is unique', async () => {
    const made = await owner.post(PROJECTS, { key: 'LAB', name: 'Laboratory', timezone: 'Europe/Berlin' });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      object: 'project',
      key: 'LAB',
      description: null,
      status: 'active',
      timezone: 'Europe/Berlin',
      version: 1,
    });
    expect((await owner.post(PROJECTS, { key: 'LAB', name: 'Again' })).body.error).toMatchObject({ code: 'duplicate', param: 'key' });
    const path = `${PROJECTS}/${made.body.id as string}`;
    const renamed = await owner.patch(path, { name: 'Lab', key: 'OTHER' }, { 'if-match': '"1"' });
    expect(renamed.body).toMatchObject({ key: 'LAB', name: 'Lab', version: 2 });
    expect(renamed.headers['svc-ignored-fields']).toBe('key');
    expect((await owner.patch(path, { name: 'L' }, { 'if-match': '"1"' })).status).toBe(412);
    expect((await owner.patch(path, { timezone: 'Mars/Olympus' })).body.error).toMatchObject({
      code: 'validation_failed',
      param: 'timezone',
    });
  });

  test('belong to an organization whose settings honor If-Match, also in a race', async () => {
    const client = await (await app.workspace()).signIn();
    const path = '/api/v1/org/organization';
    const { version } = (await client.get(path)).body;
    const rename = (name: string) => client.patch(path, { name }, { 'if-match': `"${version}"` });
    const race = await Promise.all(['One', 'Two', 'Three'].map(rename));
    expect(race.map(({ status }) => status).sort()).toEqual([200, 412, 412]);
    const stale = await rename('Four');
    expect([stale.body.error.code, stale.headers.etag]).toEqual(['version_conflict', `"${version + 1}"`]);
  });

  test('the first one is the default one; another one can take its place, also concurrently', async () => {
    const place = await app.workspace();
    const client = await place.signIn();
    const defaults = async () =>
      (await client.get(PROJECTS)).body.data.flatMap((row: { id: string; is_default: boolean }) => (row.is_default ? [row.id] : []));
    const wide = (await place.key({ module: 'notes' })).client;
    const noteProject = async () => (await wide.post('/api/v1/ext/notes/notes', { title: randomUUID() })).body.project_id;
    expect([await defaults(), await noteProject()]).toEqual([[place.eng.id], place.eng.id]);
    const path = (id: string) => `${PROJECTS}/${id}`;
    expect((await client.patch(path(place.eng.id), { is_default: false })).body.error).toMatchObject({ param: 'is_default' });
    expect((await client.patch(path(place.ops.id), { is_default: true })).body).toMatchObject({ is_default: true });
    expect([await defaults(), await noteProject()]).toEqual([[place.ops.id], place.ops.id]);
    const both = await Promise.all([place.eng, place.ops, place.eng].map(({ id }) => client.patch(path(id), { is_default: true })));
    expect(both.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await defaults()).toHaveLength(1);
    const [id] = await defaults();
    await client.patch(path(id), { status: 'archived' });
    expect((await wide.post('/api/v1/ext/notes/notes', { title: 'Nowhere' })).body.error).toMatchObject({
      code: 'missing_fields',
      param: 'project_id',
    });
    const [other] = [place.eng.id, place.ops.id].filter((project) => project !== id);
    await client.patch(path(other), { status: 'archived' });
    expect((await client.patch(path(other), { is_default: true })).body.error).toMatchObject({ param: 'is_default' });
  });

  test('of another organization do not exist', async () => {
    const other = await app.workspace();
    expect((await owner.get(`${PROJECTS}/${other.eng.id}`)).status).toBe(404);
    expect((await owner.get(PROJECTS)).body.data.map(({ id }: { id: string }) => id)).not.toContain(other.eng.id);
  });
});
