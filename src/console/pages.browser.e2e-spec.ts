import { beforeAll, describe, expect, test } from '@jest/globals';
import type { BrowserContextOptions, Page, Response } from 'playwright-core';
import { organizationOf } from '../../test/contract/sample-mail.js';
import { sampleMails } from '../../test/contract/sample-mails.js';
import { accessibilityFaults, openBrowser, pageOf } from '../../test/harness/browser.js';
import { consoleSamples } from '../../test/harness/console-samples.js';
import { sharedApp } from '../../test/harness/hosted-app.js';

import { framed } from '../platform/mail/mail-frame.js';

const SCREEN: BrowserContextOptions = { viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' };
const NAVIGATION = 'header.side';
const MOST_HTML = 40 * 1024;
const MOST_OF: Readonly<Record<string, number>> = { 'text/css': 12 * 1024, 'text/javascript': 8 * 1024 };

const app = await sharedApp();
const workspace = await app.workspace();
const browser = await openBrowser();
const pages = await app.inside<typeof import('../../test/harness/console-pages.js')>('test/harness/console-pages.ts').consolePages();
let samples: Record<string, string>;
let cookie: { name: string; value: string; url: string };

beforeAll(async () => {
  if (!browser) return;
  const client = await workspace.signIn();
  samples = await consoleSamples(app, workspace, client);
  const [name, value] = client.headers.cookie.split('=', 2);
  cookie = { name, value, url: app.url };
});

async function signedIn(options: BrowserContextOptions): Promise<Page> {
  const page = await pageOf(browser!, options);
  await page.context().addCookies([cookie]);
  return page;
}

function addressOf(path: string): string {
  const address = samples[path] ?? (path.includes(':') ? undefined : path);
  if (address === undefined) throw new Error(`Give ${path} a sample address in test/harness/console-samples.ts.`);
  return address;
}

/** Links with parameters that the page to which they lead does not have, and would ignore. */
async function unknownParameters(page: Page): Promise<string[]> {
  const addresses = await page.locator('a[href*="?"]').evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href));
  return addresses.flatMap((address) => {
    const { pathname, searchParams } = new URL(address);
    const target =
      pages.find(({ path }) => path === pathname) ?? pages.find(({ path }) => RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`).test(pathname));
    // the page of a form takes the names of its fields, too, and says itself what it cannot take
    const isForm = /\/(?:new|invite)$/.test(pathname);
    const unknown = [...searchParams.keys()].filter((name) => target && !isForm && !target.parameters.includes(name));
    return unknown.map((name) => `${address} has a parameter ${name} that the page ignores`);
  });
}

/** What does not work without the script: by the HTML as it is sent, because the script has changed the page. */
async function needsScript(page: Page, html: string): Promise<string[]> {
  const found = await page.evaluate((text) => {
    const sent = new DOMParser().parseFromString(text, 'text/html');
    const all = (selector: string) => [...sent.querySelectorAll<HTMLElement>(selector)];
    // the Enter key submits a search
    const submits = (control: Element) =>
      control.matches('button:not([type=button], [type=reset]), input[type=submit], input[type=search]') && !control.closest('[hidden]');
    const faults = [
      ...all('[data-script]:not([hidden])'),
      ...all('button[type=button]').filter((button) => !button.closest('[data-script]')),
      ...all('form').filter((form) => ![...(form as HTMLFormElement).elements].some(submits)),
      ...all('form [required]').filter((field) => !field.hasAttribute('name') || field.closest('[hidden]')),
    ];
    // a style must not show what is hidden
    const hidden = [...document.querySelectorAll<HTMLElement>('[data-script]')];
    for (const element of hidden) element.hidden = true;
    faults.push(...hidden.filter((element) => element.checkVisibility()));
    if (document.documentElement.scrollWidth !== 360) faults.push(document.body);
    return faults.map(({ outerHTML }) => outerHTML.slice(0, 200));
  }, html);
  return found.map((fault) => `without a script: ${fault}`);
}

(browser ? describe : describe.skip)('in a browser', () => {
  test.each(pages)('$path is accessible, fits, loads nothing from elsewhere, and works without a script', async ({ path }) => {
    const page = await signedIn(SCREEN);
    const faults: string[] = [];
    const requests: string[] = [];
    page.on('console', (message) => faults.push(message.text()));
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('request', (request) => {
      if (!request.redirectedFrom()) requests.push(request.url());
    });
    const responses: Response[] = [];
    page.on('response', (response) => responses.push(response));
    const response = await page.goto(app.url + addressOf(path));
    expect(response!.status()).toBe(200);
    const html = await response!.body();
    expect(html.length).toBeLessThan(MOST_HTML);
    for (const loaded of responses) {
      const most = MOST_OF[loaded.headers()['content-type']?.split(';')[0]];
      if (most !== undefined && (await loaded.body()).length > most) faults.push(`${loaded.url()} is larger than ${most} bytes`);
    }
    faults.push(...(await unknownParameters(page)));
    const isFirst = path === pages[0].path;
    // axe does not look into closed details, whose navigation styles show on a wide screen
    if (isFirst) await page.locator('details.menu').evaluate((menu: HTMLDetailsElement) => void (menu.open = true));
    // it is the same on every page
    faults.push(...(await accessibilityFaults(page, 'all', isFirst ? undefined : NAVIGATION)));
    await page.emulateMedia({ colorScheme: 'dark' });
    faults.push(...(await accessibilityFaults(page, 'colors')));
    await page.setViewportSize({ width: 360, height: 800 });
    if ((await page.evaluate('document.documentElement.scrollWidth')) !== 360) faults.push('scrolls sideways at 360 px');
    faults.push(...(await needsScript(page, html.toString())));
    expect(faults).toEqual([]);
    expect(requests.filter((url) => !url.startsWith(`${app.url}/`))).toEqual([]);
    // the page, which some refresh; two styles, the script, the icons and up to two typefaces, each once
    expect(new Set(requests).size).toBeLessThanOrEqual(7);
    expect(requests.filter((url) => /\/(?:styles|scripts)\//.test(url)).length).toBeLessThanOrEqual(6);
  });

  test('the menu and forms work without a script', async () => {
    const page = await signedIn({ viewport: { width: 360, height: 800 }, javaScriptEnabled: false });
    await page.goto(`${app.url}/console/account`);
    await page.getByText('Menu', { exact: true }).click();
    await page.getByRole('link', { name: 'Projects' }).click();
    await page.getByRole('link', { name: 'New project' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Without a script');
    await page.getByLabel('Key', { exact: true }).fill('STILL');
    await page.getByRole('button', { name: 'Create project' }).click();
    await page.getByRole('heading', { name: 'Without a script' }).waitFor();
  });

  test('copies, asks before it ends something, and shows local times', async () => {
    const page = await signedIn(SCREEN);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`${app.url}/console/apps`);
    // the button says so for two seconds only
    const said = page.locator('button[data-copy=mcp]').evaluate(
      (button) =>
        new Promise<void>((resolve) => {
          new MutationObserver(() => button.textContent === 'Copied' && resolve()).observe(button, { childList: true });
        }),
    );
    await page.click('button[data-copy=mcp]');
    await said;
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(`${app.url}/api/v1/ext/mcp`);
    await page.goto(`${app.url}/console/account`);
    expect(await page.locator('time').first().textContent()).not.toContain('UTC');
  });
});

// one mail for each kind of part; the parts are those of all mails
const MAILS = ['invitationMail', 'codeMail', 'askMail request', 'eventMail host booked', 'replyContent', 'shipmentMail'];

const COLORS = ['#ffd400', '#0a1a3a'];

(browser ? test : test.skip).each(COLORS)('mails with the color %s are accessible, and fit', async (color) => {
  const page = await pageOf(browser!, { viewport: { width: 360, height: 740 } });
  const mails = (await sampleMails()).filter(({ name, language }) => MAILS.includes(name) && ['en', 'de'].includes(language));
  expect(mails.length).toBeGreaterThanOrEqual(MAILS.length);
  for (const sample of mails) {
    await page.setContent(framed({ organization: organizationOf(sample), color, logo: null }, sample.mail).html);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    await page.emulateMedia({ colorScheme: 'light' });
    // another color is one of colors only
    const light = await accessibilityFaults(page, color === COLORS[0] ? 'all' : 'colors');
    await page.emulateMedia({ colorScheme: 'dark' });
    expect([sample.name, light, await accessibilityFaults(page, 'colors')]).toEqual([sample.name, [], []]);
  }
});
