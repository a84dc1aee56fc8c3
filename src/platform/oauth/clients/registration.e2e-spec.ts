import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sharedApp, startApp } from '../../../../test/harness/hosted-app.js';
import { Browser, OAuthClient, register, resourceOf } from '../../../../test/harness/oauth.js';

const app = await sharedApp();
const workspace = await app.workspace();

/** Registration bodies and redirect URIs as these clients send them. */
const RECORDED: [string, Record<string, unknown> & { redirect_uris: string[] }, string[]][] = [
  [
    'Cursor',
    {
      client_name: 'Cursor',
      redirect_uris: [
        'cursor://anysphere.cursor-mcp/oauth/callback',
        'https://www.cursor.com/agents/mcp/oauth/callback',
        'http://localhost:8787/callback',
      ],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    ['cursor://anysphere.cursor-mcp/oauth/callback', 'https://www.cursor.com/agents/mcp/oauth/callback'],
  ],
  [
    'VS Code',
    {
      client_name: 'Visual Studio Code',
      client_uri: 'https://code.visualstudio.com',
      grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
      response_types: ['code'],
      redirect_uris: [
        'https://insiders.vscode.dev/redirect',
        'https://vscode.dev/redirect',
        'http://localhost/',
        'http://127.0.0.1/',
        'http://localhost:33418/',
        'http://127.0.0.1:33418/',
      ],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    },
    ['https://vscode.dev/redirect', 'http://127.0.0.1:33418/', 'http://127.0.0.1:51234/'],
  ],
  [
    'mcp-remote',
    {
      redirect_uris: ['http://localhost:3334/oauth/callback'],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      client_name: 'MCP CLI Proxy',
      client_uri: 'https://github.com/modelcontextprotocol/mcp-cli',
      software_id: '2e6dc280-f3c3-4e01-99a7-8181dbd1d23d',
      software_version: '0.1.29',
      scope: 'openid email profile',
    },
    ['http://localhost:3334/oauth/callback', 'http://localhost:41234/oauth/callback'],
  ],
  [
    'Claude Code',
    {
      client_name: 'Claude Code (work-suite)',
      redirect_uris: ['http://localhost:54545/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    ['http://localhost:54545/callback', 'http://localhost:60123/callback'],
  ],
  [
    'Claude',
    {
      client_name: 'Claude',
      redirect_uris: ['https://claude.ai/api/mcp/auth_callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      scope: 'claudeai',
      token_endpoint_auth_method: 'client_secret_post',
    },
    ['https://claude.ai/api/mcp/auth_callback'],
  ],
  [
    'ChatGPT',
    {
      client_name: 'ChatGPT',
      redirect_uris: ['https://chatgpt.com/connector_platform_oauth_redirect'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    ['https://chatgpt.com/connector_platform_oauth_redirect'],
  ],
];

describe('registration', () => {
  test.each(RECORDED)('%s registers as it does, and connects with each of its redirect URIs', async (name, body, redirects) => {
    const browser = new Browser(app.url);
    await browser.signIn(workspace.owner.email);
    const registered = await OAuthClient.register(app.url, body);
    expect(registered.registration).toMatchObject({
      redirect_uris: body.redirect_uris,
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: body.token_endpoint_auth_method,
      ...(name === 'mcp-remote' ? {} : { client_name: body.client_name }),
    });
    const client_secret = registered.registration.client_secret ?? null;
    expect(client_secret !== null).toBe(body.token_endpoint_auth_method === 'client_secret_post');
    for (const redirectUri of redirects) {
      const client = new OAuthClient(app.url, registered.registration, registered.resource, redirectUri);
      const sent = await client.consent(browser, {}, { scope: 'openid email profile offline_access', prompt: 'consent' });
      expect(sent.href.startsWith(redirectUri)).toBe(true);
      const response = await client.exchange(sent.searchParams.get('code')!, { client_secret });
      const tokens = (await response.json()) as Record<string, string>;
      expect([response.status, tokens.refresh_token]).toEqual([200, expect.any(String)]);
      // none of the scopes exist here, so the client gets what the member ticked of all
      expect(tokens.scope.split(' ').length).toBeGreaterThan(20);
      expect((await client.refresh(tokens.refresh_token, { client_secret })).status).toBe(200);
    }
  });

  test('a client that leaves out the method has a secret, which the token endpoint asks for', async () => {
    const browser = new Browser(app.url);
    await browser.signIn(workspace.owner.email);
    const client = await OAuthClient.register(app.url, { token_endpoint_auth_method: undefined });
    expect(client.registration).toMatchObject({ token_endpoint_auth_method: 'client_secret_basic', client_secret: expect.any(String) });
    const code = (await client.consent(browser)).searchParams.get('code') as string;
    expect((await client.exchange(code)).status).toBe(401);
    const { rows } = await app.sql.query(`SELECT metadata::text || encode(secret, 'escape') AS stored FROM oauth_clients WHERE id = $1`, [
      client.registration.client_id,
    ]);
    expect(rows[0].stored).not.toContain(client.registration.client_secret);
  });

  test.each([
    ['no redirect URI', {}, 'invalid_redirect_uri'],
    ['too many', { redirect_uris: Array.from({ length: 21 }, (_, index) => `https://a.example/${index}`) }, 'invalid_redirect_uri'],
    ['one that is too long', { redirect_uris: [`https://a.example/${'x'.repeat(2_000)}`] }, 'invalid_redirect_uri'],
    ['one that is no text', { redirect_uris: [{}] }, 'invalid_redirect_uri'],
    ['an unknown method', { redirect_uris: ['https://a.example/'], token_endpoint_auth_method: 'tls' }, 'invalid_client_metadata'],
    ['a list', [], 'invalid_client_metadata'],
  ])('%s is refused with the reason', async (_what, body, error) => {
    const response = await register(app.url, body);
    expect([response.status, await response.json()]).toEqual([400, { error, error_description: expect.any(String) }]);
  });

  test('a name cannot hide or reorder text', async () => {
    const { registration } = await OAuthClient.register(app.url, { client_name: `Claude\u202e\u0000\n${'x'.repeat(300)}` });
    expect(registration.client_name).toMatch(/^Claude {3}x{91}$/);
  });
});

describe('a client that is unknown', () => {
  test('gets 401 invalid_client at the token endpoint, so that it registers again', async () => {
    const client = await OAuthClient.register(app.url);
    const response = await client.exchange('x', { client_id: 'forgotten' });
    expect([response.status, await response.json()]).toEqual([401, expect.objectContaining({ error: 'invalid_client' })]);
  });

  test('gets a page instead of a redirect', async () => {
    const client = await OAuthClient.register(app.url);
    const response = await new Browser(app.url).get(client.authorizeAddress({ client_id: '<script>alert(1)</script>' }));
    expect([response.status, response.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8']);
    expect(await response.text()).not.toContain('<script');
  });
});

describe('a registration', () => {
  const expiryHours = async (id: string): Promise<number> => {
    const { rows } = await app.sql.query<{ hours: number }>(
      `SELECT round(extract(epoch FROM expires_at - now()) / 3600)::int AS hours FROM oauth_clients WHERE id = $1`,
      [id],
    );
    return rows[0].hours;
  };

  test('expires after a day if it is not used, and 60 days after its last token', async () => {
    const browser = new Browser(app.url);
    await browser.signIn(workspace.owner.email);
    const client = await OAuthClient.register(app.url);
    const { client_id } = client.registration;
    expect(await expiryHours(client_id)).toBe(24);
    await client.connect(browser);
    expect(await expiryHours(client_id)).toBe(60 * 24);
    await app.sql.query(`UPDATE oauth_clients SET expires_at = now() - interval '1 second' WHERE id = $1`, [client_id]);
    expect((await client.exchange('x')).status).toBe(401);
    await app.runScheduledJob('platform.purge');
    expect((await app.sql.query(`SELECT 1 FROM oauth_clients WHERE id = $1`, [client_id])).rowCount).toBe(0);
  });
});

describe('another configuration', () => {
  const SECRET = 'a secret of at least 32 characters';
  const redirect_uris = ['https://agent.example/callback'];
  let limited: Awaited<ReturnType<typeof startApp>>;
  beforeAll(async () => {
    limited = await startApp({
      env: {
        RATE_LIMIT_OAUTH_CLIENTS_PER_ADDRESS: '2',
        RATE_LIMIT_OAUTH_TOKENS_PER_ADDRESS: '3',
        OAUTH_CLIENTS: JSON.stringify([{ client_id: 'acme-agent', client_name: 'Acme agent', redirect_uris, client_secret: SECRET }]),
      },
    });
  });
  afterAll(() => limited.close());

  test('an address can register only so many clients in ten minutes', async () => {
    const { url } = limited;
    const body = { redirect_uris: ['https://a.example/cb'], token_endpoint_auth_method: 'none' };
    const responses = [];
    // what is refused anyway is not counted
    for (const one of [body, {}, body, body]) responses.push(await register(url, one));
    expect(responses.map(({ status }) => status)).toEqual([201, 400, 201, 429]);
    expect(await responses[3].json()).toEqual({
      error: 'temporarily_unavailable',
      error_description: expect.stringContaining('try again in'),
    });
  });

  test('a client that whoever runs the service has registered connects with its secret; tokens have their own limit', async () => {
    const { url } = limited;
    const browser = new Browser(url);
    await browser.signIn((await limited.workspace()).owner.email);
    const client = new OAuthClient(url, { client_id: 'acme-agent' }, await resourceOf(url), redirect_uris[0]);
    const { page } = await client.open(browser);
    expect(page).toContain('<b>Known:</b> whoever runs this service has registered the app. It calls itself “<b>Acme agent</b>”.');
    const code = String((await client.consent(browser)).searchParams.get('code'));
    expect((await client.exchange(code, { client_id: null })).status).toBe(400);
    const basic = { authorization: `Basic ${Buffer.from(`acme-agent:${encodeURIComponent(SECRET)}`).toString('base64')}` };
    const form = { grant_type: 'authorization_code', code, redirect_uri: redirect_uris[0], code_verifier: client.verifier };
    const exchange = () => fetch(`${url}/oauth/token`, { method: 'POST', headers: basic, body: new URLSearchParams(form) });
    expect((await exchange()).status).toBe(200);
    expect((await exchange()).status).toBe(400);
    const refused = await exchange();
    expect([refused.status, await refused.json()]).toEqual([429, expect.objectContaining({ error: 'temporarily_unavailable' })]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await browser.get(client.authorizeAddress())).status).toBe(303);
  });
});
