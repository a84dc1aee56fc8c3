import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { accessibilityFaults, openBrowser } from '../../../../test/kit/browser.js';
import { sharedApp } from '../../../../test/kit/hosted-app.js';
import { OAuthClient } from '../../../../test/kit/oauth.js';
import { PASSWORD } from '../../../../test/kit/workspace.js';

const app = await sharedApp();
const workspace = await app.workspace();
const browser = await openBrowser();

/** A program on this computer that waits for the code. */
let program: Server;
let callback: string;
let received: string[] = [];

beforeAll(async () => {
  program = createServer((request, response) => {
    received.push(String(request.url));
    response.setHeader('content-type', 'text/html').end('<title>Back in the app</title>');
  });
  await new Promise<void>((resolve) => program.listen(0, '127.0.0.1', resolve));
  callback = `http://127.0.0.1:${(program.address() as AddressInfo).port}/callback`;
});
afterAll(async () => {
  await browser?.close();
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
    const context = await browser!.newContext({ viewport: { width, height: 800 }, colorScheme, javaScriptEnabled });
    const page = await context.newPage();
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
    await page.uncheck('#scope-tasks-task-delete');
    await page.click(`button[value=${decision}]`);
    await page.waitForURL(`${callback}?**`);
    expect(await page.title()).toBe('Back in the app');
    expect(received[0]).toMatch(decision === 'authorize' ? /^\/callback\?code=[\w-]{43}&/ : /^\/callback\?error=access_denied&/);
    expect(complaints.filter((text) => !text.includes('favicon'))).toEqual([]);
    await context.close();
  });
});
