import { beforeAll, describe, expect, test } from '@jest/globals';
import { Authenticator } from '../../../../test/harness/authenticator.js';
import { sharedApp } from '../../../../test/harness/hosted-app.js';
import { Browser, hiddenFields, OAuthClient, returnAddress, scopesOn } from '../../../../test/harness/oauth.js';

const app = await sharedApp();
const workspace = await app.workspace();
let client: OAuthClient;

beforeAll(async () => {
  client = await OAuthClient.register(app.url);
});

async function browserOf(email = workspace.owner.email): Promise<Browser> {
  const browser = new Browser(app.url);
  await browser.signIn(email);
  return browser;
}

describe('who authorizes', () => {
  test('a visitor signs in first, and comes back to the request', async () => {
    const browser = new Browser(app.url);
    const { location } = Object.fromEntries((await browser.get(client.authorizeAddress())).headers);
    const asked = await browser.get(new URL(location).pathname);
    expect(asked.status).toBe(303);
    const page = await (await browser.get(asked.headers.get('location')!)).text();
    expect(page).toContain('autocomplete="current-password"');
    const wrong = await browser.post('/console/sign-in', { ...hiddenFields(page), email: workspace.owner.email, password: 'wrong' });
    expect(wrong.status).toBe(401);
    const again = await wrong.text();
    expect(again).toContain(`value="${workspace.owner.email}"`);
    expect(again).not.toContain('value="wrong"');
    const signedIn = await browser.signIn(workspace.owner.email, { returnTo: hiddenFields(again).return_to });
    expect([signedIn.status, signedIn.headers.get('location')]).toEqual([303, new URL(location).pathname]);
    expect(await (await browser.get(new URL(location).pathname)).text()).toContain('An app asks for access');
  });

  test('a member without the permission learns who has it, also when they send the form', async () => {
    const member = await workspace.member('member');
    const browser = await browserOf(member.email);
    const { address, page } = await client.open(browser);
    expect(page).toContain('org.developer.apikeys.manage');
    expect(page).toContain('Olga Owner');
    const response = await browser.post(address, {
      ...hiddenFields(page),
      decision: 'authorize',
      mode: 'test',
      'scope.tasks:task:read': 'on',
    });
    expect([response.status, response.headers.get('refresh')]).toEqual([403, null]);
  });

  test('whoever gave their password more than two hours ago gives it again', async () => {
    const browser = await browserOf();
    const { address } = await client.open(browser);
    await app.sql.query(`UPDATE sessions SET confirmed_at = now() - interval '121 minutes' WHERE member_id = $1`, [workspace.owner.id]);
    expect((await browser.get(address)).headers.get('location')).toContain('/console/sign-in?return_to=');
    expect((await browser.post(address, { decision: 'authorize' })).status).toBe(303);
  });

  test('a second factor is asked for in a second step', async () => {
    const { email } = await workspace.member('admin');
    const api = await workspace.signIn(email);
    const { secret } = (await api.post('/api/v1/org/account/second-factor')).body as { secret: string };
    const code = new Authenticator(secret).code(-1);
    const { codes } = (await api.post('/api/v1/org/account/second-factor/enable', { code })).body as { codes: string[] };
    const browser = new Browser(app.url);
    const { address } = await client.open(browser);
    const step = await (await browser.signIn(email, { returnTo: address })).text();
    expect(step).toContain('autocomplete="one-time-code"');
    expect(step).not.toContain('type="password"');
    const wrong = await browser.post('/console/sign-in', { ...hiddenFields(step), code: '000000' });
    expect(wrong.status).toBe(400);
    const right = await browser.post('/console/sign-in', { ...hiddenFields(await wrong.text()), code: codes[0] });
    expect([right.status, right.headers.get('location')]).toEqual([303, address]);
    expect((await browser.get(address)).status).toBe(200);
  });

  test('who must have a second factor and has none cannot connect apps', async () => {
    const strict = await app.workspace();
    await app.sql.query(`UPDATE organizations SET requires_second_factor = true WHERE id = $1`, [strict.organizationId]);
    const { address, page } = await client.open(await browserOf(strict.owner.email));
    expect(address).toContain('/console/authorize/');
    expect(page).toContain('Set up a second factor first');
  });

  test('nobody can give what their role lacks', async () => {
    const developer = await workspace.member('developer');
    const browser = await browserOf(developer.email);
    const { address, page } = await client.open(browser, { scope: 'tasks:task:read papers:workflow:act' });
    expect(scopesOn(page)).toEqual([
      { scope: 'tasks:task:read', isTicked: true },
      { scope: 'papers:workflow:act', isTicked: false },
    ]);
    expect(page).toContain('your role lacks papers.document.approve');
    const response = await browser.post(address, {
      ...hiddenFields(page),
      decision: 'authorize',
      mode: 'test',
      'scope.papers:workflow:act': 'on',
    });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('papers.document.approve');
  });
});

describe('a form that is sent several times', () => {
  const connections = async () => {
    const { body } = await (await workspace.signIn()).get('/api/v1/org/developer/api-keys?origin=oauth&limit=100&status=active');
    return (body.data as { id: string }[]).map(({ id }) => id);
  };
  const opened = async () => {
    const browser = await browserOf();
    const { address, page } = await client.open(browser);
    const form = { ...hiddenFields(page), mode: 'test', 'scope.tasks:task:read': 'on' };
    return (decision: string, changes: object = {}) => browser.post(address, { ...form, decision, ...changes });
  };

  test('at once makes one connection, and each answer leads back with its code', async () => {
    const before = await connections();
    const send = await opened();
    const responses = await Promise.all([1, 2, 3, 4].map(() => send('authorize')));
    const addresses = new Set(await Promise.all(responses.map(async (response) => (await returnAddress(response)).href)));
    expect([addresses.size, (await connections()).length]).toEqual([1, before.length + 1]);
    const [address] = addresses;
    expect((await client.exchange(new URL(address).searchParams.get('code')!)).status).toBe(200);
  });

  test('one after the other is answered the same, whatever the later ones say', async () => {
    const before = await connections();
    const send = await opened();
    const { href } = await returnAddress(await send('authorize'));
    for (const decision of ['authorize', 'cancel']) expect((await returnAddress(await send(decision))).href).toBe(href);
    expect(await connections()).toHaveLength(before.length + 1);
  });

  test('with both decisions at once has one of them', async () => {
    const before = await connections();
    const send = await opened();
    const responses = await Promise.all([send('authorize'), send('cancel'), send('authorize'), send('cancel')]);
    const addresses = await Promise.all(responses.map(async (response) => (await returnAddress(response)).href));
    expect(new Set(addresses).size).toBe(1);
    expect(await connections()).toHaveLength(before.length + (addresses[0].includes('code=') ? 1 : 0));
  });

  test('can be corrected in between', async () => {
    const send = await opened();
    const unknown = { project: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a61' };
    const statuses = await Promise.all([1, 2, 3].map(async () => (await send('authorize', unknown)).status));
    expect(statuses).toEqual([400, 400, 400]);
    expect((await returnAddress(await send('authorize'))).searchParams.has('code')).toBe(true);
  });

  test('is answered in the browser of the request only', async () => {
    const browser = await browserOf();
    const { address, page } = await client.open(browser);
    const form = { ...hiddenFields(page), decision: 'authorize', mode: 'test', 'scope.tasks:task:read': 'on' };
    await returnAddress(await browser.post(address, form));
    expect((await (await browserOf()).post(address, form)).status).toBe(410);
  });
});

describe('the page', () => {
  test('of a client that names no scope offers all in words, marked where they delete or reach others, and ticks none', async () => {
    const { page } = await client.open(await browserOf(), { scope: null });
    const offered = scopesOn(page);
    expect(offered.length).toBeGreaterThan(20);
    expect(offered.filter(({ isTicked }) => isTicked)).toEqual([]);
    for (const text of [
      'Delete tasks <span class="tag">',
      'which costs credits <span class="tag outside">',
      'Create and change contacts</label>',
    ])
      expect(page).toContain(text);
    expect(page).not.toMatch(/name="mode"[^>]*checked/);
    expect(page).toContain('<option value="90" selected>');
  });

  test('shows where access goes, and that a name is only a claim', async () => {
    const browser = await browserOf();
    const claude = await OAuthClient.register(app.url, { client_name: 'Claude', redirect_uris: ['https://claude.ai.evil.example/cb'] });
    const { page } = await claude.open(browser);
    expect(page).toContain('<p class="host">claude.ai.evil.example</p>');
    expect(page).toContain('<b>Unverified.</b> It calls itself “<b>Claude</b>”.');
    const local = await OAuthClient.register(app.url, { redirect_uris: ['http://127.0.0.1:3334/cb'] });
    expect((await local.open(browser)).page).toContain('<p class="host">a program on this computer</p>');
    const cursor = await OAuthClient.register(app.url, { redirect_uris: ['cursor://anysphere.cursor-mcp/oauth/callback'] });
    expect((await cursor.open(browser)).page).toContain('<p class="host">cursor:</p>');
  });

  test.each(['<img src=x onerror=alert(1)>', '"><script>alert(1)</script>', "'; DROP TABLE members; --", '{{7*7}}<%= 7*7 %>'])(
    'escapes the name %s',
    async (client_name) => {
      const browser = await browserOf();
      const hostile = await OAuthClient.register(app.url, { client_name, redirect_uris: ["https://a.example/'onload=alert(1)//"] });
      const { page } = await hostile.open(browser);
      expect(page).not.toMatch(/<script(?! nonce=)|<img|onload=alert\(1\)\/\/"[^&]/);
      const { hash } = await hostile.consent(browser, {}, { state: '"><script>alert(1)</script>' });
      expect(hash).toBe('');
    },
  );

  test('the page that leads back escapes the address and goes on without a script', async () => {
    const browser = await browserOf();
    const { address, page } = await client.open(browser, { state: '"><script>alert(1)</script>' });
    const response = await browser.post(address, { ...hiddenFields(page), decision: 'cancel' });
    const text = await response.text();
    expect(text).not.toContain('<script');
    expect(text).toContain('href="https://app.example.com/oauth/callback?');
    expect(response.headers.get('refresh')).toMatch(/^0; url=https:\/\/app\.example\.com\/oauth\/callback\?[^"<>\s]+$/);
  });

  test('keeps what was chosen if something has to be corrected', async () => {
    const browser = await browserOf();
    const { address, page } = await client.open(browser);
    const form = { ...hiddenFields(page), decision: 'authorize', ends: '365', project: workspace.ops.id, 'scope.tasks:task:read': 'on' };
    const response = await browser.post(address, form);
    expect(response.status).toBe(400);
    const text = await response.text();
    expect(text).toContain('Choose which data');
    expect(text).toContain('<option value="365" selected>');
    expect(text).toContain(`<option value="${workspace.ops.id}" selected>`);
    expect(scopesOn(text).filter(({ isTicked }) => isTicked)).toEqual([{ scope: 'tasks:task:read', isTicked: true }]);
    const nothing = await browser.post(address, { ...hiddenFields(page), decision: 'authorize', mode: 'test' });
    expect(await nothing.text()).toContain('Select at least one');
  });

  test.each([
    ['project', '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a61'],
    ['project', 'x'],
    ['ends', '1e9'],
    ['ends', '__proto__'],
    ['mode', 'prod'],
  ])('refuses %s %s', async (name, value) => {
    const browser = await browserOf();
    const { address, page } = await client.open(browser);
    const form = { ...hiddenFields(page), decision: 'authorize', mode: 'test', 'scope.tasks:task:read': 'on', [name]: value };
    expect((await browser.post(address, form)).status).toBe(400);
  });

  test('another organization sees neither the projects nor the connections', async () => {
    const other = await app.workspace();
    const browser = await browserOf(other.owner.email);
    expect((await client.open(browser)).page).not.toContain(workspace.eng.id);
    await client.connect(browser);
    const { body } = await (await workspace.signIn()).get('/api/v1/org/developer/api-keys?origin=oauth&limit=100');
    expect(body.data.filter(({ created_by }: { created_by: string }) => created_by === other.owner.id)).toEqual([]);
  });
});
