import { beforeAll, expect, test } from '@jest/globals';
import { sharedApp } from '../../../../test/harness/hosted-app.js';
import { Browser, OAuthClient, resourceOf, rpc } from '../../../../test/harness/oauth.js';

const app = await sharedApp();
const workspace = await app.workspace();
const browser = new Browser(app.url);
const resource = await resourceOf(app.url);

const CLAUDE_CODE = 'https://claude.example/oauth/claude-code-client-metadata';
const OTHERS = 'https://claude.example/oauth/somebody-else';
const SECRET = 'https://claude.example/oauth/with-secret';
const SCRIPT = 'https://claude.example/oauth/script';
const REDIRECTS = ['http://localhost/callback', 'http://127.0.0.1/callback'];

beforeAll(async () => {
  await browser.signIn(workspace.owner.email);
  const document = { client_id: CLAUDE_CODE, client_name: 'Claude Code', redirect_uris: REDIRECTS, token_endpoint_auth_method: 'none' };
  const scope = 'openid profile';
  await app.inside<typeof import('../../../../test/harness/client-documents.js')>('test/harness/client-documents.ts').publish({
    [CLAUDE_CODE]: {
      ...document,
      scope,
      grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
    },
    [OTHERS]: document,
    [SECRET]: { ...document, client_id: SECRET, token_endpoint_auth_method: 'client_secret_post', client_secret: 'x' },
    [SCRIPT]: { ...document, client_id: SCRIPT, redirect_uris: ['javascript:alert(1)'] },
  });
});

const clientOf = (client_id: string, redirect = REDIRECTS[0]) => new OAuthClient(app.url, { client_id }, resource, redirect);

test.each(['http://localhost:51234/callback', 'http://127.0.0.1:8080/callback', 'http://localhost/callback'])(
  'a client with a document connects without registration, and returns to %s',
  async (redirect) => {
    const client = clientOf(CLAUDE_CODE, redirect);
    const { page } = await client.open(browser);
    expect(page).toContain('<b>Verified:</b> the app is published by <b>claude.example</b>');
    expect(page).toContain('a program on this computer');
    const tokens = await client.connect(browser);
    expect((await rpc(app.url, tokens.access_token, 'tools/list')).status).toBe(200);
    expect((await client.refresh(tokens.refresh_token)).status).toBe(200);
    const { body } = await (await workspace.signIn()).get('/api/v1/org/developer/api-keys?origin=oauth&limit=1');
    expect(body.data[0].oauth_client).toEqual({
      id: CLAUDE_CODE,
      name: 'Claude Code',
      redirect_host: new URL(redirect).hostname,
      verified: true,
    });
  },
);

test.each([
  ['of another client', OTHERS, REDIRECTS[0]],
  ['with a secret', SECRET, REDIRECTS[0]],
  ['with a redirect to a script', SCRIPT, 'javascript:alert(1)'],
  ['at a private address', 'https://127.0.0.1/client.json', REDIRECTS[0]],
  ['at the address of a cloud', 'https://169.254.169.254/latest/meta-data', REDIRECTS[0]],
  ['whose path has dots', 'https://claude.example/oauth/../claude-code-client-metadata', REDIRECTS[0]],
  ['that is not https', 'http://claude.example/oauth/claude-code-client-metadata', REDIRECTS[0]],
])('a document %s makes no client', async (_what, id, redirect) => {
  const response = await browser.get(clientOf(id, redirect).authorizeAddress());
  expect([response.status, response.headers.get('location')]).toEqual([400, null]);
  // and the reason tells nothing about what is reachable from the server
  expect(await response.text()).not.toMatch(/ECONN|not a public|169\.254|127\.0/);
});

test('another path or host than that of the document is not redirected to', async () => {
  for (const redirect of ['http://localhost:1/other', 'https://claude.example/callback', 'http://127.0.0.2/callback'])
    expect((await browser.get(clientOf(CLAUDE_CODE, redirect).authorizeAddress())).headers.get('location')).toBeNull();
});
