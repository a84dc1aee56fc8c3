import { hash } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { sharedApp } from '../../../test/harness/hosted-app.js';
import { eventually } from '../../../test/harness/eventually.js';
import { Browser, OAuthClient, REDIRECT, rpc, scopesOn, toolNames } from '../../../test/harness/oauth.js';
import type { Client } from '../../../test/harness/client.js';

const app = await sharedApp();
const workspace = await app.workspace();
const KEYS = '/api/v1/org/developer/api-keys';
const browser = new Browser(app.url);
let client: OAuthClient;
let owner: Client;

beforeAll(async () => {
  await browser.signIn(workspace.owner.email);
  client = await OAuthClient.register(app.url);
  owner = await workspace.signIn();
});

/** The key of the connection that was made last. */
async function newestKey(): Promise<Record<string, unknown> & { id: string }> {
  const { body } = await owner.get(`${KEYS}?origin=oauth&limit=1`);
  return body.data[0];
}

/** What the audit log has of that connection since it was made. */
async function endOf({ id }: { id: string }): Promise<unknown[]> {
  const { body } = await owner.get(`/api/v1/org/audit-entries?object_id=${id}&sort=created_at`);
  return body.data.slice(1);
}

async function statusOf(token: string): Promise<number> {
  return (await rpc(app.url, token, 'tools/list')).status;
}

/** As if time had passed since a token was used. */
async function age(token: string, seconds: number): Promise<void> {
  const { rowCount } = await app.sql.query(
    `UPDATE oauth_records SET consumed_at = consumed_at - make_interval(secs => $2) WHERE model = 'RefreshToken' AND id = $1`,
    [hash('sha256', token, 'buffer'), seconds],
  );
  expect(rowCount).toBe(1);
}

describe('a connection', () => {
  test('is an API key with the scopes left ticked, in several modules', async () => {
    const { page } = await client.open(browser);
    expect(scopesOn(page).every(({ isTicked }) => isTicked)).toBe(true);
    const sent = await client.consent(browser, { mode: 'live', project: workspace.eng.id, ends: '30' });
    expect(sent.origin + sent.pathname).toBe(REDIRECT);
    expect(Object.fromEntries(sent.searchParams)).toEqual({
      code: expect.stringMatching(/^[\w-]{43}$/),
      state: client.state,
      iss: client.resource.replace('/api/v1/ext/mcp', ''),
    });

    const response = await client.exchange(sent.searchParams.get('code')!);
    expect(response.headers.get('cache-control')).toContain('no-store');
    const tokens = (await response.json()) as Record<string, string>;
    expect(tokens).toEqual({
      access_token: expect.stringMatching(/^[\w-]{43}$/),
      refresh_token: expect.stringMatching(/^[\w-]{43}$/),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'tasks:project:read tasks:task:read tasks:task:write crm:contact:read',
    });
    const key = await newestKey();
    expect(key).toMatchObject({
      name: 'Test client',
      module: 'mcp',
      mode: 'live',
      scopes: ['tasks:project:read', 'tasks:task:read', 'tasks:task:write', 'crm:contact:read'],
      project_id: workspace.eng.id,
      actor_user_id: workspace.owner.id,
      created_by: workspace.owner.id,
      oauth_client: { id: client.registration.client_id, name: 'Test client', redirect_host: 'app.example.com', verified: false },
      prefix: '',
      last_four: '',
    });
    const { rows } = await app.sql.query(`SELECT operation, address, actor_name FROM audit_entries WHERE object_id = $1`, [key.id]);
    expect(rows).toEqual([{ operation: 'authorize_connection', address: '127.0.0.1', actor_name: workspace.owner.email }]);
    expect(Math.round((Date.parse(String(key.expires_at)) - Date.now()) / 86_400_000)).toBe(30);

    const names = await toolNames(app.url, tokens.access_token);
    expect(names).toEqual(expect.arrayContaining(['create_task', 'list_tasks', 'list_contacts']));
    expect(names).not.toContain('delete_task');
    expect(names).not.toContain('create_contact');
  });

  test('has only what the member left ticked, whatever was asked for', async () => {
    const { address, page } = await client.open(browser);
    const csrf = /name="csrf" value="([^"]*)"/.exec(page)![1];
    const form = { csrf, decision: 'authorize', mode: 'test', 'scope.tasks:task:read': 'on', 'scope.crm:lead:write': 'on' };
    const location = (await browser.post(address, form)).headers.get('refresh')!.replace('0; url=', '');
    const tokens = (await (await client.exchange(new URL(location).searchParams.get('code')!)).json()) as Record<string, string>;
    expect(tokens.scope).toBe('tasks:task:read');
    expect((await newestKey()).scopes).toEqual(['tasks:task:read']);
  });

  test('calls tools as a key does: same data, headers, log', async () => {
    const { access_token } = await client.connect(browser, { project: workspace.eng.id });
    const response = await rpc(app.url, access_token, 'tools/call', { name: 'create_task', arguments: { title: 'Made by an app' } });
    expect(response.headers.get('svc-mode')).toBe('test');
    expect(response.headers.get('ratelimit-limit')).not.toBeNull();
    const { result } = (await response.json()) as { result: { structuredContent: Record<string, unknown> } };
    expect(result.structuredContent).toMatchObject({ title: 'Made by an app', project_id: workspace.eng.id });
    const { id } = await newestKey();
    const { client: tasks } = await workspace.key({ module: 'tasks', mode: 'test' });
    expect((await tasks.get(`/api/v1/ext/tasks/tasks/${String(result.structuredContent.id)}`)).body.title).toBe('Made by an app');
    const log = async (): Promise<unknown[]> => (await owner.get(`/api/v1/org/developer/logs?api_key_id=${id}&tool=create_task`)).body.data;
    const calls = await eventually(log, ({ length }) => length > 0);
    expect(calls).toMatchObject([{ via: 'mcp', status: 201, mode: 'test' }]);
  });

  test('is asked for more by one 403 that names all scopes', async () => {
    const { access_token } = await client.connect(browser, {}, { scope: 'tasks:task:read' });
    // the first call of a token goes through the route, the second one is served directly
    for (const _ of [1, 2]) {
      const response = await rpc(app.url, access_token, 'tools/call', { name: 'create_contact', arguments: { full_name: 'Ada' } });
      expect(response.status).toBe(403);
      expect(response.headers.get('www-authenticate')).toMatch(
        /error="insufficient_scope", scope="crm:contact:write tasks:task:read", resource_metadata="[^"]+"/,
      );
      expect(await response.json()).toMatchObject({ error: { code: 'insufficient_scope', required_scope: 'crm:contact:write' } });
    }
  });

  test('ends with its key: the next call and the next refresh are refused', async () => {
    const { access_token, refresh_token } = await client.connect(browser);
    expect(await statusOf(access_token)).toBe(200);
    const { id } = await newestKey();
    await owner.post(`${KEYS}/${id}/revoke`);
    const refused = await rpc(app.url, access_token, 'tools/list');
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toMatch(/error="invalid_token".*resource_metadata="/);
    const refreshed = await client.refresh(refresh_token);
    expect([refreshed.status, await refreshed.json()]).toEqual([400, expect.objectContaining({ error: 'invalid_grant' })]);
  });

  test('keeps its tokens while it is switched off', async () => {
    const { access_token, refresh_token } = await client.connect(browser);
    const { id } = await newestKey();
    await owner.patch(`${KEYS}/${id}`, { status: 'inactive' });
    expect(await statusOf(access_token)).toBe(403);
    const tokens = (await (await client.refresh(refresh_token)).json()) as { access_token: string };
    await owner.patch(`${KEYS}/${id}`, { status: 'active' });
    expect(await statusOf(tokens.access_token)).toBe(200);
  });

  test('ends while the member who authorized it is not active: calls and refreshes are refused', async () => {
    const member = await workspace.member('developer');
    const own = new Browser(app.url);
    await own.signIn(member.email);
    const { access_token, refresh_token } = await client.connect(own);
    expect(await statusOf(access_token)).toBe(200);
    const setStatus = async (status: string) =>
      expect((await owner.patch(`/api/v1/org/members/${member.id}`, { status })).status).toBe(200);
    await setStatus('inactive');
    for (const method of ['tools/list', 'tools/call']) {
      const refused = await rpc(app.url, access_token, method, method === 'tools/call' ? { name: 'list_tasks', arguments: {} } : {});
      expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, expect.stringContaining('error="invalid_token"')]);
    }
    const refreshed = await client.refresh(refresh_token);
    expect([refreshed.status, await refreshed.json()]).toEqual([400, expect.objectContaining({ error: 'invalid_grant' })]);
    const { id } = await newestKey();
    const listed = async () =>
      (await owner.get(`${KEYS}?origin=oauth&status=active&limit=100`)).body.data.map((key: { id: string }) => key.id);
    expect((await owner.get(`${KEYS}/${id}`)).body.status).toBe('inactive');
    expect((await owner.patch(`${KEYS}/${id}`, { name: 'Renamed' })).body.status).toBe('inactive');
    expect(await listed()).not.toContain(id);
    await setStatus('active');
    expect(await statusOf(access_token)).toBe(200);
    expect(await listed()).toContain(id);
  });

  test('is revoked if its code is never exchanged, and once its refresh token has expired', async () => {
    const passed = async (id: string) => {
      await app.sql.query(`UPDATE api_keys SET created_at = created_at - interval '3 minutes' WHERE id = $1`, [id]);
      await app.sql.query(`UPDATE oauth_records SET expires_at = now() WHERE api_key_id = $1`, [id]);
    };
    await client.consent(browser);
    const withoutTokens = await newestKey();
    await passed(withoutTokens.id);
    // as if the process had ended before the code was issued
    await client.consent(browser);
    const withoutCode = await newestKey();
    await passed(withoutCode.id);
    await app.sql.query(`DELETE FROM oauth_records WHERE api_key_id = $1`, [withoutCode.id]);
    const left = await client.connect(browser);
    const unused = await newestKey();
    await passed(unused.id);
    const used = await client.connect(browser);
    const { id } = await newestKey();
    await app.sql.query(`UPDATE api_keys SET created_at = created_at - interval '3 minutes' WHERE id = $1`, [id]);

    await app.runScheduledJob('oauth.end_unused_connections');
    const status = async (key: string) => (await owner.get(`${KEYS}/${key}`)).body.status as string;
    for (const key of [withoutTokens, withoutCode, unused]) expect(await status(key.id)).toBe('revoked');
    expect([await status(id), await statusOf(used.access_token)]).toEqual(['active', 200]);
    expect((await client.refresh(left.refresh_token)).status).toBe(400);
  });

  test('a code of a member who is not active any more is exchanged for nothing', async () => {
    const member = await workspace.member('developer');
    const own = new Browser(app.url);
    await own.signIn(member.email);
    const code = String((await client.consent(own)).searchParams.get('code'));
    await owner.patch(`/api/v1/org/members/${member.id}`, { status: 'inactive' });
    expect((await client.exchange(code)).status).toBe(400);
  });

  test('can lose scopes in the developer area, gains none there, and has no secret to roll', async () => {
    const { access_token } = await client.connect(browser);
    const { id } = await newestKey();
    expect((await owner.patch(`${KEYS}/${id}`, { scopes: ['tasks:task:read'] })).status).toBe(200);
    expect(await toolNames(app.url, access_token)).not.toContain('create_task');
    const widened = await owner.patch(`${KEYS}/${id}`, { scopes: ['tasks:task:read', 'tasks:task:delete'] });
    expect([widened.status, widened.body.error.param]).toEqual([400, 'scopes']);
    expect((await owner.post(`${KEYS}/${id}/roll`, {})).status).toBe(409);
  });

  test('ends with the end that was chosen', async () => {
    const { access_token, refresh_token } = await client.connect(browser);
    const { id } = await newestKey();
    await app.sql.query(`UPDATE api_keys SET expires_at = now() - interval '1 second' WHERE id = $1`, [id]);
    // another change of keys, because this one was made behind the service's back
    await owner.patch(`${KEYS}/${id}`, { name: 'Ended' });
    expect(await statusOf(access_token)).toBe(401);
    expect((await client.refresh(refresh_token)).status).toBe(400);
  });
});

describe('tokens', () => {
  test('are stored as hashes only', async () => {
    const tokens = await client.connect(browser);
    const { rows } = await app.sql.query<{ text: string }>(`SELECT oauth_records::text AS text FROM oauth_records`);
    for (const secret of [tokens.access_token, tokens.refresh_token]) expect(rows.filter(({ text }) => text.includes(secret))).toEqual([]);
  });

  test('an access token is valid for an hour', async () => {
    const { access_token } = await client.connect(browser);
    await app.sql.query(`UPDATE oauth_records SET expires_at = now() - interval '1 second' WHERE model = 'AccessToken' AND id = $1`, [
      hash('sha256', access_token, 'buffer'),
    ]);
    const response = await rpc(app.url, access_token, 'tools/list');
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toContain('error="invalid_token"');
    expect(await response.json()).toMatchObject({ error: { code: 'api_key_expired' } });
  });

  test('a refresh rotates the refresh token and slides its end by 30 days', async () => {
    const first = await client.connect(browser);
    const response = await client.refresh(first.refresh_token);
    expect(response.status).toBe(200);
    const second = (await response.json()) as typeof first;
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect([await statusOf(first.access_token), await statusOf(second.access_token)]).toEqual([200, 200]);
    const { rows } = await app.sql.query<{ days: number }>(
      `SELECT round(extract(epoch FROM expires_at - now()) / 86400)::int AS days FROM oauth_records WHERE id = $1`,
      [hash('sha256', second.refresh_token, 'buffer')],
    );
    expect(rows).toEqual([{ days: 30 }]);
  });

  test('a refresh that raced or lost its response is answered for 120 seconds', async () => {
    const { refresh_token } = await client.connect(browser);
    const racing = await Promise.all([client.refresh(refresh_token), client.refresh(refresh_token), client.refresh(refresh_token)]);
    expect(racing.map(({ status }) => status)).toEqual([200, 200, 200]);
    await age(refresh_token, 110);
    const late = (await (await client.refresh(refresh_token)).json()) as { access_token: string };
    expect(await statusOf(late.access_token)).toBe(200);
  });

  test('a refresh token that is used later ends the connection', async () => {
    const first = await client.connect(browser);
    const second = (await (await client.refresh(first.refresh_token)).json()) as typeof first;
    await age(first.refresh_token, 121);
    expect((await client.refresh(first.refresh_token)).status).toBe(400);
    expect(await statusOf(second.access_token)).toBe(401);
    expect((await client.refresh(second.refresh_token)).status).toBe(400);
    const key = await newestKey();
    expect(key.status).toBe('revoked');
    const by = { actor_type: 'oauth_client', actor_id: client.registration.client_id, operation: 'POST /oauth/token' };
    expect(await endOf(key)).toMatchObject([
      { ...by, action: 'token_reused' },
      { ...by, action: 'updated', after: { status: 'revoked' } },
    ]);
  });

  test('a client that disconnects itself ends the connection', async () => {
    const { access_token, refresh_token } = await client.connect(browser);
    expect((await client.revoke(refresh_token)).status).toBe(200);
    expect(await statusOf(access_token)).toBe(401);
    const key = await newestKey();
    expect(key.status).toBe('revoked');
    expect(await endOf(key)).toMatchObject([
      {
        action: 'updated',
        actor_type: 'oauth_client',
        actor_id: client.registration.client_id,
        actor_name: 'Test client',
        operation: 'POST /oauth/revoke',
      },
    ]);
  });

  test('a refresh may narrow the scopes of one access token and ignores unknown ones', async () => {
    const { refresh_token } = await client.connect(browser);
    const tokens = (await (await client.refresh(refresh_token, { scope: 'openid tasks:task:read' })).json()) as Record<string, string>;
    expect(tokens.scope).toBe('tasks:task:read');
    expect(await toolNames(app.url, tokens.access_token)).not.toContain('create_task');
  });
});
