import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { BrowserContext } from 'playwright-core';
import { accessibilityFaults, openBrowser } from '../../test/kit/browser.js';
import { consoleSamples } from '../../test/kit/console-samples.js';
import { sharedApp } from '../../test/kit/hosted-app.js';

const MOST_HTML = 40 * 1024;
const MOST_OF: Readonly<Record<string, number>> = { 'text/css': 12 * 1024, 'text/javascript': 8 * 1024 };

const app = await sharedApp();
const workspace = await app.workspace();
const browser = await openBrowser();
const pages = await app.inside<typeof import('../../test/kit/console-pages.js')>('test/kit/console-pages.ts').consolePages();
let samples: Record<string, string>;
let context: BrowserContext;

beforeAll(async () => {
  if (!browser) return;
  const client = await workspace.signIn();
  samples = await consoleSamples(app, workspace, client);
  context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' });
  const [name, value] = client.headers.cookie.split('=', 2);
  await context.addCookies([{ name, value, url: app.url }]);
});
afterAll(() => browser?.close());

(browser ? describe : describe.skip)('in a browser', () => {
  test.each(pages)('$path is accessible, fits, and loads nothing from elsewhere', async ({ path }) => {
    const page = await context.newPage();
    const faults: string[] = [];
    const requests: string[] = [];
    page.on('console', (message) => {
      if (!message.location().url.endsWith('/favicon.ico')) faults.push(message.text());
    });
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('request', (request) => {
      if (!request.redirectedFrom()) requests.push(request.url());
    });
    page.on('response', async (response) => {
      const most = MOST_OF[response.headers()['content-type']?.split(';')[0]];
      if (most !== undefined && (await response.body()).length > most) faults.push(`${response.url()} is larger than ${most} bytes`);
    });
    const address = samples[path] ?? (path.includes(':') ? undefined : path);
    if (address === undefined) throw new Error(`Give ${path} a sample address in test/kit/console-samples.ts.`);
    const response = await page.goto(app.url + address);
    expect(response!.status()).toBe(200);
    expect((await response!.body()).length).toBeLessThan(MOST_HTML);
    faults.push(...(await accessibilityFaults(page)));
    await page.emulateMedia({ colorScheme: 'dark' });
    faults.push(...(await accessibilityFaults(page, 'colors')));
    await page.setViewportSize({ width: 360, height: 800 });
    if ((await page.evaluate('document.documentElement.scrollWidth')) !== 360) faults.push('scrolls sideways at 360 px');
    expect(faults).toEqual([]);
    expect(requests.filter((url) => !url.startsWith(`${app.url}/`))).toEqual([]);
    // the page, the style and the script
    expect(requests.length).toBeLessThanOrEqual(3);
    await page.close();
  });

  test('copies, asks before it ends something, and shows local times', async () => {
    const page = await context.newPage();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`${app.url}/console/apps`);
    await page.click('button[data-copy=mcp]');
    await page.waitForSelector('button:text("Copied")');
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(`${app.url}/api/v1/ext/mcp`);
    await page.goto(`${app.url}/console/account`);
    expect(await page.locator('time').first().textContent()).not.toContain('UTC');
    await page.close();
  });
});
