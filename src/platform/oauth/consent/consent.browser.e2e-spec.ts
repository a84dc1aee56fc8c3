import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { accessibilityFaults, openBrowser, pageOf } from '../../../../test/harness/browser.js';
import { sharedApp } from '../../../../test/harness/hosted-app.js';
import { OAuthClient, rpc, type Tokens } from '../../../../test/harness/oauth.js';
import { PASSWORD } from '../../../../test/harness/workspace.js';

const app = await sharedApp();
const workspace = await app.workspace();
const browser = await openBrowser();
const KEYS = '/api/v1/org/developer/api-keys';

interface ConnectionKey {
  id: string;
  name: string;
  oauth_client: { redirect_host: string };
}

/** A program on this computer that waits for the code. */
let program: Server;
let callback: string;
let received: string[] = [];

beforeAll(async () => {
  program = createServer((request, response) => {
    // a browser also asks for an icon
    if (request.url?.startsWith('/callback')) received.push(request.url);
    response.setHeader('content-type', 'text/html').end('<title>Back in the app</title>');
  });
  await new Promise<void>((resolve) => program.listen(0, '127.0.0.1', resolve));
  callback = `http://127.0.0.1:${(program.address() as AddressInfo).port}/callback`;
});
afterAll(() => {
  program.closeAllConnections();
  program.close();
});

const CASES = [
  { width: 1280, colorScheme: 'light', javaScriptEnabled: true, decision: 'authorize' },
  { width: 360, colorScheme: 'dark', javaScriptEnabled: true, decision: 'cancel' },
  { width: 360, colorScheme: 'light', javaScriptEnabled: false, decision: 'authorize' },
] as const;

(browser ? describe : describe.skip)('in a browser', () => {
  test.each(CASES)('$width px, $colorScheme, script $javaScriptEnabled: sign in, choose, $decision, return', async (look) => {
    const { width, colorScheme, javaScriptEnabled, decision } = look;
    received = [];
    const hostile = `<b>${'Claude'.repeat(16)}`;
    const client = await OAuthClient.register(app.url, { client_name: hostile, redirect_uris: [callback] });
    const page = await pageOf(browser!, { viewport: { width, height: 800 }, colorScheme, javaScriptEnabled });
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    const check = async () => {
      if (javaScriptEnabled) expect(await accessibilityFaults(page)).toEqual([]);
      if (javaScriptEnabled) expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    };

    await page.goto(app.url + client.authorizeAddress({ scope: null }));
    await check();
    await page.fill('#email', workspace.owner.email);
    await page.fill('#password', PASSWORD);
    await page.click('button');
    await page.waitForURL(/\/console\/authorize\//);
    await check();
    expect(await page.locator('.claim b').nth(1).textContent()).toBe(hostile.slice(0, 100));
    expect(Buffer.byteLength(await page.content())).toBeLessThan(40_000);
    // the browser itself asks for the mode
    if (decision === 'authorize') {
      await page.click('button[value=authorize]');
      expect(page.url()).toContain('/console/authorize/');
      await page.check('#mode-test');
    }
    if (javaScriptEnabled) await page.click('button[aria-label="All of Tasks"]');
    else await page.check('#scope-tasks-task-read');
    await page.uncheck('#scope-tasks-task-delete');
    await page.click(`button[value=${decision}]`);
    await page.waitForURL(`${callback}?**`);
    expect(await page.title()).toBe('Back in the app');
    expect(received[0]).toMatch(decision === 'authorize' ? /^\/callback\?code=[\w-]{43}&/ : /^\/callback\?error=access_denied&/);
    expect(complaints.filter((text) => !text.includes('favicon'))).toEqual([]);
  });

  /** A page whose member is signed in, at the request of a client. */
  async function consentFor(client: OAuthClient): Promise<Page> {
    const page = await pageOf(browser!, { javaScriptEnabled: false });
    await page.goto(app.url + client.authorizeAddress());
    await page.fill('#email', workspace.owner.email);
    await page.fill('#password', PASSWORD);
    await page.click('button');
    await page.waitForURL(/\/console\/authorize\//);
    return page;
  }

  test('a client that is called Claude and returns to an unknown host is recognized and refused', async () => {
    const redirect = 'https://claude.ai.evil.example/callback';
    const client = await OAuthClient.register(app.url, { client_name: 'Claude', redirect_uris: [redirect] });
    const page = await consentFor(client);
    const returned: URL[] = [];
    await page.route('https://claude.ai.evil.example/**', async (route) => {
      returned.push(new URL(route.request().url()));
      await route.fulfill({ contentType: 'text/html', body: '<title>Elsewhere</title>' });
    });
    const host = page.locator('.host');
    expect(await host.textContent()).toBe('claude.ai.evil.example');
    const [sizeOfHost, sizeOfText] = await Promise.all(
      ['.host', '.claim'].map((selector) => page.locator(selector).evaluate((element) => parseFloat(getComputedStyle(element).fontSize))),
    );
    expect(sizeOfHost).toBeGreaterThan(1.4 * sizeOfText);
    expect(await page.locator('.claim').textContent()).toMatch(/^Unverified. It calls itself “Claude”. Anyone can choose any name./);
    await page.click('button[value=cancel]');
    await page.waitForURL(`${redirect}?**`);
    expect(Object.fromEntries(returned[0].searchParams)).toMatchObject({ error: 'access_denied', state: client.state });
    const { body } = await (await workspace.signIn()).get(`${KEYS}?origin=oauth&limit=100`);
    expect(body.data.filter((key: ConnectionKey) => key.oauth_client.redirect_host === new URL(redirect).host)).toEqual([]);
  });

  test('the next call of a connection is refused once it is revoked, while its page is still open', async () => {
    const client = await OAuthClient.register(app.url, { client_name: 'To be revoked', redirect_uris: [callback] });
    const page = await consentFor(client);
    await page.check('#mode-test');
    await page.click('button[value=authorize]');
    await page.waitForURL(`${callback}?**`);
    const { access_token } = (await (await client.exchange(new URL(page.url()).searchParams.get('code')!)).json()) as Tokens;
    expect((await rpc(app.url, access_token, 'tools/list')).status).toBe(200);
    const owner = await workspace.signIn();
    const { body } = await owner.get(`${KEYS}?origin=oauth&limit=100`);
    const { id } = (body.data as ConnectionKey[]).find(({ name }) => name === 'To be revoked')!;
    expect((await owner.post(`${KEYS}/${id}/revoke`)).status).toBe(200);
    expect((await rpc(app.url, access_token, 'tools/list')).status).toBe(401);
    expect(await page.title()).toBe('Back in the app');
  });
});
