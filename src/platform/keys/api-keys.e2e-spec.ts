import { describe, expect, test } from '@jest/globals';
import { Client } from '../../../test/harness/client.js';
import { eventually } from '../../../test/harness/eventually.js';
import { NOTES, sharedNotesApp } from '../../../test/harness/fixtures/fixture-apps.js';
import type { RequestLog } from '../request-log/request-log.js';
import type { ApiKeysService } from './api-keys.service.js';
import { hashSecret, isWellFormed } from './key-secret.js';

const KEYS = '/api/v1/org/developer/api-keys';
const BODY = { name: 'Import', module: 'notes', mode: 'test', scopes: ['notes:note:write', 'notes:note:read'] };

const app = await sharedNotesApp();
const acme = await app.workspace();
const owner = await acme.signIn();

const using = (secret: string) => new Client(app.url, { authorization: `Bearer ${secret}` });
const statusWith = async (secret: string) => (await using(secret).get(NOTES)).status;
const make = async (more: object = {}) =>
  (await owner.post(KEYS, { ...BODY, ...more })).body as { id: string; secret: string; version: number };

describe('creating a key', () => {
  test('shows the secret once, and it works', async () => {
    const made = await owner.post(KEYS, BODY);
    expect(made.status).toBe(201);
    const { id, secret } = made.body as { id: string; secret: string };
    expect(isWellFormed(secret)).toBe(true);
    expect(made.body).toMatchObject({
      object: 'api_key',
      module: 'notes',
      mode: 'test',
      scopes: ['notes:note:read', 'notes:note:write'],
      project_id: null,
      actor_user_id: null,
      actor_status: null,
      allowed_ips: [],
      rate_limit_per_minute: null,
      expires_at: null,
      last_used_at: null,
      status: 'active',
      origin: 'console',
      prefix: 'svc_test_',
      last_four: secret.slice(-4),
      created_by: acme.owner.id,
      revoked_at: null,
      version: 1,
    });
    expect(await statusWith(secret)).toBe(200);
    expect(JSON.stringify((await owner.get(`${KEYS}/${id}`)).body)).not.toContain(secret);
    const { rows } = await app.sql.query<{ row: string }>(
      `SELECT k::text || s::text AS row FROM api_keys k JOIN api_key_secrets s ON s.api_key_id = k.id WHERE k.id = $1`,
      [id],
    );
    expect(rows[0].row).toContain(hashSecret(secret).toString('hex'));
    expect(rows[0].row).not.toContain(secret.slice(9, 30));
  });

  test('a repetition by Idempotency-Key creates no second key and does not return the secret again', async () => {
    const headers = { 'idempotency-key': 'make-a-key' };
    const [first, second] = [await owner.post(KEYS, BODY, headers), await owner.post(KEYS, BODY, headers)];
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect(second.body).toEqual({ ...first.body, secret: null });
    const { rows } = await app.sql.query<{ stored: string }>('SELECT i::text AS stored FROM idempotency_records i');
    for (const { stored } of rows) expect(stored).not.toContain(first.body.secret);
  });

  test.each<[string, object, string, unknown]>([
    [
      'a scope of no module',
      { scopes: ['notes:note:read', 'tasks:task:read'] },
      'scopes',
      ['notes:note:read', 'notes:note:write', 'notes:note:delete'],
    ],
    ['an unknown module', { module: 'nonsense' }, 'module', ['notes', 'open_forms', 'developer']],
    ['no scope', { scopes: [] }, 'scopes', undefined],
    ['an unknown project', { project_id: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a60' }, 'project_id', undefined],
    ['an unknown member', { actor_user_id: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a60' }, 'actor_user_id', undefined],
    ['a range that is none', { allowed_ips: ['10.0.0.0/8', '10.1.2.3/8'] }, 'allowed_ips.1', undefined],
    ['an end in the past', { expires_at: '2020-01-01T00:00:00Z' }, 'expires_at', undefined],
    ['a mode that is none', { mode: 'prod' }, 'mode', ['live', 'test']],
  ])('rejects %s', async (_, change, param, allowed) => {
    const response = await owner.post(KEYS, { ...BODY, ...change });
    expect(response.status).toBe(400);
    expect(response.body.error).toMatchObject({ code: 'validation_failed', param });
    if (allowed) expect(response.body.error.allowed).toEqual(allowed);
  });

  test('another organization’s project and member are unknown ones', async () => {
    const other = await app.workspace();
    expect((await owner.post(KEYS, { ...BODY, project_id: other.eng.id })).body.error.param).toBe('project_id');
    expect((await owner.post(KEYS, { ...BODY, actor_user_id: other.owner.id })).body.error.param).toBe('actor_user_id');
  });

  test('an organization_id in the body is inert', async () => {
    const other = await app.workspace();
    const made = await owner.post(KEYS, { ...BODY, organization_id: other.organizationId });
    expect(made.headers['svc-ignored-fields']).toBe('organization_id');
    expect((await (await other.signIn()).get(`${KEYS}/${made.body.id as string}`)).status).toBe(404);
  });
});

test('a key that is bound to a deactivated member says so in every answer', async () => {
  const { id: memberId } = await acme.member('member');
  const { id } = (await owner.post(KEYS, { ...BODY, actor_user_id: memberId })).body;
  const [{ id: unbound }] = [(await owner.post(KEYS, BODY)).body];
  const shown = async () => {
    const list = await owner.get(`${KEYS}?id=${id},${unbound}`);
    const answers = [
      (await owner.get(`${KEYS}/${id}`)).body,
      (await owner.patch(`${KEYS}/${id}`, { name: `Renamed ${Math.random()}` })).body,
      (await owner.post(`${KEYS}/${id}/roll`, {})).body,
    ];
    expect(list.body.data.map((key: { id: string }) => key.id).sort()).toEqual([id, unbound].sort());
    return [...answers, ...list.body.data.filter((key: { id: string }) => key.id === id)].map((key) => [key.actor_status, key.status]);
  };
  expect(await shown()).toEqual(Array(4).fill(['active', 'active']));
  await owner.patch(`/api/v1/org/members/${memberId}`, { status: 'inactive' });
  expect(await shown()).toEqual(Array(4).fill(['inactive', 'active']));
  expect((await owner.get(`${KEYS}/${unbound}`)).body.actor_status).toBeNull();
  expect((await owner.post(`${KEYS}/${id}/revoke`)).body).toMatchObject({ status: 'revoked', actor_status: 'inactive' });
});

describe('binding a key to a member', () => {
  test('requires every permission of that member, or being that member', async () => {
    const own = await acme.member('developer');
    const developer = await acme.signIn(own.email);
    const bind = (id: string, client = developer) => client.post(KEYS, { ...BODY, actor_user_id: id });
    for (const { id } of [acme.owner, await acme.member('admin'), await acme.member('member')]) {
      const rejected = await bind(id);
      expect([rejected.status, rejected.body.error.code, rejected.body.error.param]).toEqual([403, 'permission_denied', 'actor_user_id']);
    }
    expect([(await bind(own.id)).status, (await bind((await acme.member('developer')).id)).status]).toEqual([201, 201]);
    const admin = await acme.signIn((await acme.member('admin')).email);
    expect([
      (await bind(acme.owner.id, admin)).status,
      (await bind(own.id, admin)).status,
      (await bind(acme.owner.id, owner)).status,
    ]).toEqual([403, 201, 201]);
  });

  test('so does taking over a bound key by a new secret', async () => {
    const { id } = await make({ actor_user_id: acme.owner.id });
    const developer = await acme.signIn((await acme.member('developer')).email);
    const rejected = await developer.post(`${KEYS}/${id}/roll`);
    expect([rejected.status, rejected.body.error.code, rejected.body.error.param]).toEqual([403, 'permission_denied', 'actor_user_id']);
    expect((await owner.post(`${KEYS}/${id}/roll`)).status).toBe(200);
  });
});

describe('a key bound to a member with more permissions', () => {
  const changes: [string, object][] = [
    ['new scopes', { scopes: ['notes:note:read', 'notes:note:write'] }],
    ['all addresses', { allowed_ips: [] }],
    ['other addresses', { allowed_ips: ['10.0.0.0/8', '127.0.0.1'] }],
    ['a later end', { expires_at: '2098-01-01T00:00:00Z' }],
    ['no end', { expires_at: null }],
    ['another limit', { rate_limit_per_minute: 1_000 }],
  ];
  const bound = { actor_user_id: '', scopes: ['notes:note:read'], allowed_ips: ['10.0.0.0/8'], expires_at: '2097-01-01T00:00:00Z' };

  test.each(changes)('is not widened by a lesser role: %s', async (_what, change) => {
    const { id } = await make({ ...bound, actor_user_id: acme.owner.id });
    const developer = await acme.signIn((await acme.member('developer')).email);
    const rejected = await developer.patch(`${KEYS}/${id}`, change);
    expect([rejected.status, rejected.body.error.code, rejected.body.error.param]).toEqual([403, 'permission_denied', 'actor_user_id']);
    expect((await owner.get(`${KEYS}/${id}`)).body.version).toBe(1);
    expect((await owner.patch(`${KEYS}/${id}`, change)).status).toBe(200);
  });

  test('is switched off, narrowed and renamed by every role that manages keys, but not switched on again', async () => {
    const { id } = await make({ ...bound, actor_user_id: acme.owner.id, scopes: BODY.scopes });
    const developer = await acme.signIn((await acme.member('developer')).email);
    const statusOf = async (change: object) => (await developer.patch(`${KEYS}/${id}`, change)).status;
    expect([
      await statusOf({ name: 'Old import' }),
      await statusOf({ scopes: ['notes:note:read'] }),
      await statusOf({ expires_at: '2096-01-01T00:00:00Z' }),
      await statusOf({ status: 'inactive' }),
      await statusOf({ status: 'active' }),
      await statusOf({ scopes: BODY.scopes }),
    ]).toEqual([200, 200, 200, 200, 403, 403]);
    expect((await developer.get(`${KEYS}/${id}`)).body).toMatchObject({ status: 'inactive', scopes: ['notes:note:read'] });
    expect((await owner.patch(`${KEYS}/${id}`, { status: 'active' })).body.status).toBe('active');
  });
});

describe('a change applies to the next request', () => {
  test('scopes, switching off and on, addresses, expiry', async () => {
    const { id, secret } = await make();
    const change = async (body: object) => expect((await owner.patch(`${KEYS}/${id}`, body)).status).toBe(200);
    expect(await statusWith(secret)).toBe(200);
    await change({ scopes: ['notes:note:write'] });
    expect((await using(secret).get(NOTES)).body.error).toMatchObject({ code: 'insufficient_scope', required_scope: 'notes:note:read' });
    await change({ scopes: ['notes:note:read'], status: 'inactive' });
    expect((await using(secret).get(NOTES)).body.error.code).toBe('api_key_inactive');
    await change({ status: 'active', allowed_ips: ['2001:db8::/32'] });
    expect((await using(secret).get(NOTES)).body.error.code).toBe('ip_not_allowed');
    await change({ allowed_ips: ['127.0.0.1'] });
    expect(await statusWith(secret)).toBe(200);
    const ending = async () =>
      (await owner.get(`${KEYS}?expires_before=2026-01-01T00:00:00Z`)).body.data.map((key: { id: string }) => key.id);
    await app.sql.query(`UPDATE api_keys SET expires_at = '2025-12-31' WHERE id = $1`, [id]);
    expect(await ending()).toEqual([id]);
    await app.sql.query(`UPDATE api_keys SET expires_at = now() WHERE id = $1`, [id]);
    await change({ name: 'Import again' });
    expect((await using(secret).get(NOTES)).body.error.code).toBe('api_key_expired');
    expect((await owner.get(`${KEYS}/${id}`)).body.status).toBe('expired');
    await change({ expires_at: null });
    expect(await statusWith(secret)).toBe(200);
  });

  test('a separate limit', async () => {
    const { id, secret } = await make();
    await owner.patch(`${KEYS}/${id}`, { rate_limit_per_minute: 2 });
    const responses = [await using(secret).get(NOTES), await using(secret).get(NOTES), await using(secret).get(NOTES)];
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(responses[0].headers).toMatchObject({ 'ratelimit-limit': '2', 'ratelimit-remaining': '1' });
  });

  test('revoking: takes effect immediately, is final, and keeps the key in the list', async () => {
    const { id, secret } = await make();
    expect(await statusWith(secret)).toBe(200);
    const revoked = await owner.post(`${KEYS}/${id}/revoke`);
    expect(revoked.body).toMatchObject({ status: 'revoked', revoked_at: expect.any(String), version: 2 });
    expect((await using(secret).get(NOTES)).body.error.code).toBe('api_key_revoked');
    await app.service<RequestLog>('RequestLog').flush();
    expect((await owner.post(`${KEYS}/${id}/revoke`)).body).toEqual({ ...revoked.body, last_used_at: expect.anything() });
    expect((await owner.patch(`${KEYS}/${id}`, { status: 'active' })).status).toBe(409);
    expect((await owner.post(`${KEYS}/${id}/roll`)).status).toBe(409);
    expect((await owner.get(`${KEYS}?status=revoked&limit=100`)).body.data.map((key: { id: string }) => key.id)).toContain(id);
    expect(
      (await owner.get(`${KEYS}?status=active,inactive,expired&limit=100`)).body.data.map((key: { id: string }) => key.id),
    ).not.toContain(id);
  });

  test('DELETE revokes, and a second one finds nothing', async () => {
    const { id, secret } = await make();
    expect((await owner.delete(`${KEYS}/${id}`)).status).toBe(204);
    expect(await statusWith(secret)).toBe(401);
    expect((await owner.delete(`${KEYS}/${id}`)).status).toBe(404);
    expect((await owner.get(`${KEYS}/${id}`)).body.status).toBe('revoked');
  });

  test('a job deletes a key in one transaction', async () => {
    const { id } = await make();
    await app.service<ApiKeysService>('ApiKeysService').delete(acme.ctx(), id);
    expect((await owner.get(`${KEYS}/${id}`)).body.status).toBe('revoked');
  });

  test('If-Match guards a change', async () => {
    const { id } = await make();
    expect((await owner.patch(`${KEYS}/${id}`, { name: 'B' }, { 'if-match': '"1"' })).headers.etag).toBe('"2"');
    expect((await owner.patch(`${KEYS}/${id}`, { name: 'C' }, { 'if-match': '"1"' })).body.error.code).toBe('version_conflict');
  });

  test('deactivating the bound member rejects only requests in their name', async () => {
    const member = await acme.member('member');
    const { secret } = await make({ actor_user_id: member.id, mode: 'live' });
    const note = await using(secret).post(NOTES, { project_id: acme.eng.id, title: 'to sign' });
    const sign = async () => (await using(secret).post(`${NOTES}/${note.body.id as string}/sign`)).body;
    expect((await sign()).object).toBe('note');
    await owner.patch(`/api/v1/org/members/${member.id}`, { status: 'inactive' });
    expect((await sign()).error.code).toBe('key_missing_actor');
    expect(await statusWith(secret)).toBe(200);
    await owner.patch(`/api/v1/org/members/${member.id}`, { status: 'active' });
    expect((await sign()).object).toBe('note');
  });
});

describe('rolling', () => {
  const roll = async (id: string, overlap_hours?: number) =>
    (await owner.post(`${KEYS}/${id}/roll`, overlap_hours === undefined ? {} : { overlap_hours })).body as { id: string; secret: string };

  test('ends the old secret immediately unless an overlap is requested', async () => {
    const { id, secret } = await make();
    const rolled = await roll(id);
    expect(rolled).toMatchObject({ id, last_four: rolled.secret.slice(-4), version: 2 });
    expect([await statusWith(secret), await statusWith(rolled.secret)]).toEqual([401, 200]);
    expect((await using(secret).get(NOTES)).body.error.code).toBe('api_key_revoked');
  });

  test('with an overlap both work, exactly that long', async () => {
    const { id, secret } = await make();
    const before = Date.now();
    const rolled = await roll(id, 24);
    expect([await statusWith(secret), await statusWith(rolled.secret)]).toEqual([200, 200]);
    const { rows } = await app.sql.query<{ expires_at: Date }>(`SELECT expires_at FROM api_key_secrets WHERE hash = $1`, [
      hashSecret(secret),
    ]);
    const hours = (rows[0].expires_at.getTime() - before) / 3_600_000;
    expect(hours).toBeGreaterThanOrEqual(24);
    expect(hours).toBeLessThan(24.01);
    await app.sql.query(`UPDATE api_key_secrets SET expires_at = now() + interval '5 seconds' WHERE hash = $1`, [hashSecret(secret)]);
    await owner.patch(`${KEYS}/${id}`, { name: 'announce' });
    expect(await statusWith(secret)).toBe(200);
    await eventually(
      () => statusWith(secret),
      (status) => status !== 200,
    );
    expect([await statusWith(secret), await statusWith(rolled.secret)]).toEqual([401, 200]);
  });

  test('twice leaves the current secret and one overlapping secret', async () => {
    const { id, secret } = await make();
    const second = await roll(id, 5);
    const third = await roll(id, 5);
    expect(await Promise.all([secret, second.secret, third.secret].map(statusWith))).toEqual([401, 200, 200]);
  });

  test('revoking ends all secrets', async () => {
    const { id, secret } = await make();
    const rolled = await roll(id, 1);
    await owner.post(`${KEYS}/${id}/revoke`);
    expect(await Promise.all([secret, rolled.secret].map(statusWith))).toEqual([401, 401]);
  });

  test('several times concurrently leaves one current secret', async () => {
    const { id } = await make();
    const rolled = await Promise.all([roll(id), roll(id), roll(id)]);
    const statuses = await Promise.all(rolled.map(({ secret }) => statusWith(secret)));
    expect(statuses.sort()).toEqual([200, 401, 401]);
  });

  test('the overlap is 0 to 24 hours', async () => {
    const { id } = await make();
    for (const overlap_hours of [-1, 25, 1.5, 'two']) {
      const response = await owner.post(`${KEYS}/${id}/roll`, { overlap_hours });
      expect([response.status, response.body.error.param]).toEqual([400, 'overlap_hours']);
    }
  });
});

describe('the list', () => {
  test('pages, filters and stays inside the organization', async () => {
    const fresh = await app.workspace();
    const client = await fresh.signIn();
    for (let i = 0; i < 5; i++)
      await client.post(KEYS, {
        ...BODY,
        name: `key ${i}`,
        mode: i < 2 ? 'live' : 'test',
        ...(i === 0 ? { project_id: fresh.eng.id } : {}),
      });
    const names: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = await client.get(`${KEYS}?limit=2&sort=created_at${cursor && `&cursor=${cursor}`}`);
      names.push(...page.body.data.map(({ name }: { name: string }) => name));
      cursor = page.body.next_cursor as string | null;
    }
    expect(names).toEqual(['key 0', 'key 1', 'key 2', 'key 3', 'key 4']);
    const count = async (filter: string) => (await client.get(`${KEYS}?include_total=true&${filter}`)).body.total_count as number;
    expect(
      await Promise.all(['mode=live', 'mode=live,test', `project_id=${fresh.eng.id}`, 'project_id=none', 'module=other'].map(count)),
    ).toEqual([2, 5, 1, 4, 0]);
  });
});

test('keys of a module can require separate permissions to be seen, changed and revoked', async () => {
  const fresh = await app.workspace();
  const [{ id: plain }, { id: lead }] = [await fresh.key(), await fresh.key()];
  await app.sql.query(`UPDATE api_keys SET module = 'open_forms' WHERE id = $1`, [lead]);
  const client = await fresh.signIn((await fresh.member('developer')).email);
  const allow = (...permissions: string[]) =>
    app.sql.query(`UPDATE roles SET permissions = $2 WHERE organization_id = $1 AND name = 'developer'`, [
      fresh.organizationId,
      ['org.developer.apikeys.manage', ...permissions],
    ]);

  await allow();
  expect((await client.get(KEYS)).body.data.map(({ id }: { id: string }) => id)).toEqual([plain]);
  expect([(await client.get(`${KEYS}/${lead}`)).status, (await client.post(`${KEYS}/${lead}/revoke`)).status]).toEqual([404, 404]);
  expect((await client.post(KEYS, { ...BODY, module: 'open_forms' })).body.error.required_permission).toBe('open_forms.key.create');

  await allow('open_forms.key.view');
  expect((await client.get(`${KEYS}/${lead}`)).status).toBe(200);
  expect((await client.patch(`${KEYS}/${lead}`, { name: 'X' })).body.error.required_permission).toBe('open_forms.key.create');
  expect((await client.delete(`${KEYS}/${lead}`)).body.error.required_permission).toBe('open_forms.key.delete');

  await allow('open_forms.key.view', 'open_forms.key.delete');
  expect((await client.delete(`${KEYS}/${lead}`)).status).toBe(204);
});

test('the scopes of keys are explained by module, as far as the role may see keys of it', async () => {
  const fresh = await app.workspace();
  const read = async (role: string) =>
    (await (await fresh.signIn((await fresh.member(role)).email)).get('/api/v1/org/developer/scopes')).body;
  const { data } = (await read('developer')) as { data: { name: string; scopes: { name: string; description: string }[] }[] };
  const { scopes } = data.find(({ name }) => name === BODY.module) as (typeof data)[0];
  expect(scopes.map(({ name }) => name)).toEqual(expect.arrayContaining(BODY.scopes));
  expect(data.flatMap((module) => module.scopes).filter(({ description }) => description.length < 5)).toEqual([]);
  expect((await read('member')).error.code).toBe('permission_denied');
});
