import { beforeAll, describe, expect, test } from '@jest/globals';
import { sharedApp } from '../../../test/harness/hosted-app.js';
import { Browser, hiddenFields, OAuthClient, REDIRECT, register, returnAddress, rpc } from '../../../test/harness/oauth.js';

// The attacks of RFC 9700 (best current practice for OAuth security), each tried.

const app = await sharedApp();
const workspace = await app.workspace();
const victim = new Browser(app.url);
let client: OAuthClient;
let attacker: OAuthClient;

beforeAll(async () => {
  await victim.signIn(workspace.owner.email);
  client = await OAuthClient.register(app.url);
  attacker = await OAuthClient.register(app.url, { redirect_uris: ['https://evil.example/callback'] });
});

const errorOf = async (response: Response) => ((await response.json()) as { error: string }).error;
const codeFor = async (of: OAuthClient) => (await of.consent(victim)).searchParams.get('code') as string;

describe('mix-up (4.4)', () => {
  test('success and error carry iss, by which a client tells which server answered', async () => {
    const issuer = client.resource.replace('/api/v1/ext/mcp', '');
    const granted = await client.consent(victim);
    const denied = await client.consent(victim, { decision: 'cancel' });
    expect([granted.searchParams.get('iss'), denied.searchParams.get('iss')]).toEqual([issuer, issuer]);
    expect(Object.fromEntries(denied.searchParams)).toMatchObject({ error: 'access_denied', state: client.state });
  });
});

describe('code injection (4.5)', () => {
  test('a code is useless without the verifier of the request', async () => {
    const code = await codeFor(client);
    for (const code_verifier of [null, attacker.verifier]) {
      const response = await client.exchange(code, { code_verifier });
      expect([response.status, await errorOf(response)]).toEqual([400, 'invalid_grant']);
    }
  });

  test('a code is useless for another client and for another redirect URI', async () => {
    const code = await codeFor(client);
    const stolen = await attacker.exchange(code, { redirect_uri: REDIRECT, code_verifier: client.verifier });
    expect(await errorOf(stolen)).toBe('invalid_grant');
    expect(await errorOf(await client.exchange(code, { redirect_uri: `${REDIRECT}/x` }))).toBe('invalid_grant');
  });
});

describe('downgrade of PKCE (4.8)', () => {
  test.each([
    ['no challenge', { code_challenge: null, code_challenge_method: null }],
    ['the method plain', { code_challenge_method: 'plain' }],
    ['a challenge without method', { code_challenge_method: null }],
  ])('%s is refused before anybody is asked', async (_what, changes) => {
    const response = await victim.get(client.authorizeAddress(changes));
    const location = new URL(response.headers.get('location')!);
    expect(location.origin + location.pathname).toBe(REDIRECT);
    expect(location.searchParams.get('error')).toBe('invalid_request');
  });

  test('also for a client with a secret', async () => {
    const confidential = await OAuthClient.register(app.url, { token_endpoint_auth_method: 'client_secret_post' });
    const response = await victim.get(confidential.authorizeAddress({ code_challenge: null, code_challenge_method: null }));
    expect(response.headers.get('location')).toContain('error=invalid_request');
  });

  test('a verifier for a code without challenge cannot happen, and implicit grants do not exist', async () => {
    const response = await victim.get(client.authorizeAddress({ response_type: 'token' }));
    expect(response.headers.get('location') ?? (await response.text())).toMatch(/unsupported_response_type|response_type/);
  });
});

describe('a response mode that is not offered', () => {
  test.each(['form_post', 'fragment', 'web_message', 'nonsense'])('%s is refused, in the mode that is', async (response_mode) => {
    const metadata = await (await fetch(`${app.url}/.well-known/oauth-authorization-server`)).json();
    expect(metadata).toMatchObject({ response_modes_supported: ['query'] });
    const response = await victim.get(client.authorizeAddress({ response_mode }));
    const location = new URL(response.headers.get('location')!);
    expect([location.origin + location.pathname, location.hash]).toEqual([REDIRECT, '']);
    expect(Object.fromEntries(location.searchParams)).toMatchObject({ error: 'unsupported_response_mode', state: client.state });
  });

  test('the one that is offered may be named', async () => {
    expect((await client.consent(victim, {}, { response_mode: 'query' })).searchParams.has('code')).toBe(true);
  });
});

describe('replayed code (4.5)', () => {
  test('a second use ends the connection of the first', async () => {
    const code = await codeFor(client);
    const first = (await (await client.exchange(code)).json()) as { access_token: string };
    expect(await errorOf(await client.exchange(code))).toBe('invalid_grant');
    expect((await rpc(app.url, first.access_token, 'tools/list')).status).toBe(401);
  });

  test('of two uses at once at most one succeeds, and its tokens do not stay', async () => {
    const code = await codeFor(client);
    const uses = await Promise.all([client.exchange(code), client.exchange(code), client.exchange(code)]);
    const granted = uses.filter(({ status }) => status === 200);
    expect(granted.length).toBeLessThanOrEqual(1);
    for (const response of granted) {
      const { access_token } = (await response.json()) as { access_token: string };
      expect((await rpc(app.url, access_token, 'tools/list')).status).toBe(401);
    }
  });
});

describe('open redirect (4.11)', () => {
  test.each([
    ['https://evil.example/callback'],
    [`${REDIRECT}/../evil`],
    [`${REDIRECT}?next=https://evil.example`],
    [`${REDIRECT}@evil.example`],
    ['https://app.example.com.evil.example/oauth/callback'],
    ['https://app.example.com:8443/oauth/callback'],
    ['http://app.example.com/oauth/callback'],
    ['javascript:alert(1)'],
  ])('%s is not redirected to, not even with an error', async (redirect_uri) => {
    for (const response_type of ['code', 'nonsense']) {
      const response = await victim.get(client.authorizeAddress({ redirect_uri, response_type }));
      expect([response.status, response.headers.get('location'), response.headers.get('refresh')]).toEqual([400, null, null]);
      const page = await response.text();
      expect(page).toContain('cannot be connected');
      expect(page).not.toContain('evil.example');
    }
  });

  test.each(['https://evil.example', '//evil.example', '/\\evil.example', '/console/../../evil', 'javascript:alert(1)', '/console//evil'])(
    'the sign-in does not lead to %s',
    async (returnTo) => {
      const visitor = new Browser(app.url);
      const response = await visitor.signIn(workspace.owner.email, { returnTo });
      expect([response.status, response.headers.get('location')]).toEqual([303, '/console/welcome?after=sign_in']);
    },
  );
});

describe('cross-site request forgery (4.7)', () => {
  test('another browser cannot answer a request, although it is signed in and knows the address', async () => {
    const { address, page } = await client.open(victim);
    const other = new Browser(app.url);
    await other.signIn(workspace.owner.email);
    expect((await other.get(address)).status).toBe(410);
    expect((await other.post(address, { ...hiddenFields(page), decision: 'authorize', mode: 'test' })).status).toBe(410);
  });

  test('a form of another site, which knows no token, authorizes nothing', async () => {
    const { address } = await client.open(victim);
    for (const csrf of ['', 'x'.repeat(43)]) {
      const response = await victim.post(address, { csrf, decision: 'authorize', mode: 'live', 'scope.tasks:task:read': 'on' });
      expect([response.status, response.headers.get('refresh')]).toEqual([400, null]);
    }
  });

  test('a form of another site cannot sign a visitor in as somebody else', async () => {
    const visitor = new Browser(app.url);
    const response = await visitor.post('/console/sign-in', { email: workspace.owner.email, password: 'x', form_token: 'y'.repeat(32) });
    expect(response.status).toBe(400);
    expect(visitor.cookie('svc_session')).toBeUndefined();
  });

  test('an answer cannot be sent twice', async () => {
    const { address, page } = await client.open(victim);
    const form = { ...hiddenFields(page), decision: 'authorize', mode: 'test', 'scope.tasks:task:read': 'on' };
    const first = await returnAddress(await victim.post(address, form));
    // the same answer again, not another one
    expect((await returnAddress(await victim.post(address, { ...form, mode: 'live' }))).href).toBe(first.href);
  });
});

describe('confused deputy', () => {
  test('what was authorized once is asked again, and prompt=none gets nothing', async () => {
    await client.connect(victim);
    expect((await client.open(victim)).page).toContain('An app asks for access');
    const silent = await victim.get(client.authorizeAddress({ prompt: 'none' }));
    expect(silent.headers.get('location')).toContain('error=consent_required');
  });
});

describe('tokens of and for other resources (RFC 8707)', () => {
  test.each(['https://other.example/mcp', 'urn:x', 'not a uri'])('the resource %s is refused', async (resource) => {
    const response = await victim.get(client.authorizeAddress({ resource }));
    expect(response.headers.get('location')).toContain('error=invalid_target');
  });

  test('a trailing slash is the same resource, at both endpoints', async () => {
    const resource = `${client.resource}/`;
    const code = (await client.consent(victim, {}, { resource })).searchParams.get('code') as string;
    expect((await client.exchange(code, { resource })).status).toBe(200);
  });

  test('a code cannot be exchanged for a token of another resource', async () => {
    expect(await errorOf(await client.exchange(await codeFor(client), { resource: 'https://other.example/mcp' }))).toBe('invalid_target');
  });

  test('a token of the MCP endpoint is none for other routes', async () => {
    const { access_token } = await client.connect(victim);
    const headers = { authorization: `Bearer ${access_token}` };
    expect((await rpc(app.url, access_token, 'tools/list')).status).toBe(200);
    for (const path of ['/api/v1/ext/tasks/tasks', '/api/v1/ext/nowhere', '/api/v1/ext/mcp/x'])
      expect((await fetch(app.url + path, { headers })).status).toBe(401);
  });

  test('a token that was issued for another address is refused here', async () => {
    const { access_token } = await client.connect(victim);
    await app.sql.query(
      `UPDATE oauth_records SET payload = jsonb_set(payload, '{aud}', '"https://old.example/api/v1/ext/mcp"')
       WHERE model = 'AccessToken' AND id = sha256($1::bytea)`,
      [Buffer.from(access_token)],
    );
    expect((await rpc(app.url, access_token, 'tools/list')).status).toBe(401);
  });

  test('refresh tokens and codes are no access tokens, and access tokens none to refresh with', async () => {
    const tokens = await client.connect(victim);
    const code = await codeFor(client);
    for (const token of [tokens.refresh_token, code]) expect((await rpc(app.url, token, 'tools/list')).status).toBe(401);
    expect(await errorOf(await client.refresh(tokens.access_token))).toBe('invalid_grant');
  });

  test('a refresh token is bound to its client', async () => {
    const { refresh_token } = await client.connect(victim);
    expect(await errorOf(await attacker.refresh(refresh_token))).toBe('invalid_grant');
    // and revoking it with another client has no effect
    await attacker.revoke(refresh_token);
    expect((await client.refresh(refresh_token)).status).toBe(200);
  });
});

describe('clickjacking (4.16) and leaks (4.2)', () => {
  test('no page can be framed, cached, or tell its address, and none runs a script', async () => {
    const { address } = await client.open(victim);
    const back = await client.open(victim);
    const pages = [
      await victim.get(address),
      await victim.post(back.address, { ...hiddenFields(back.page), decision: 'cancel' }),
      await victim.get('/console/sign-in'),
      await victim.get(client.authorizeAddress({ redirect_uri: 'https://evil.example' })),
    ];
    for (const { headers } of pages) {
      const policy = headers.get('content-security-policy');
      for (const rule of ["default-src 'none'", "frame-ancestors 'none'", "form-action 'self'", "base-uri 'none'"])
        expect(policy).toContain(rule);
      expect(policy).not.toContain('script-src');
      expect(headers.get('cache-control')).toContain('no-store');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
    }
  });

  test('cookies of requests are readable to no script and sent from no other site', async () => {
    const response = await fetch(app.url + client.authorizeAddress(), { redirect: 'manual' });
    const cookies = response.headers.getSetCookie();
    expect(cookies.map((cookie) => cookie.split('=')[0])).toEqual(['svc_oauth_request', 'svc_oauth_resume']);
    for (const cookie of cookies) expect(cookie).toMatch(/path=\/(console|oauth)\/authorize\/[\w-]+.*samesite=lax.*httponly/i);
  });
});

describe('client impersonation (4.14)', () => {
  test.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'http://evil.example/cb',
    'file:///etc/passwd',
    'https://a.example/#x',
    'https://u:p@a.example/',
  ])('nobody can register %s', async (uri) => {
    const response = await register(app.url, { redirect_uris: [uri] });
    expect([response.status, await errorOf(response)]).toEqual([400, 'invalid_redirect_uri']);
  });
});
