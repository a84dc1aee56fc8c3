// scripts that tests run in a page use the types of browsers
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Socket } from 'node:net';
import { afterAll } from '@jest/globals';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { explainSkippedTests } from './skipped-tests.js';

// the first one needs less CPU time than the others
const CHROMIUM = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

let shared: Browser | null = null;
const pages = new Map<string, Page>();

/**
 * A real browser; null, with the reason printed, if there is none on this machine. The test files of a process share it, one after the
 * other; what a file opened is closed after its tests.
 */
export async function openBrowser(): Promise<Browser | null> {
  const executablePath = CHROMIUM.find((path) => existsSync(path));
  if (!executablePath) {
    explainSkippedTests('Tests in a browser are skipped: there is no Chromium (Debian: apt-get install chromium-headless-shell).');
    return null;
  }
  // one that has crashed is not connected
  const browser = shared?.isConnected() ? shared : await launch(executablePath);
  shared = browser;
  afterAll(async () => {
    pages.clear();
    await Promise.all(browser.contexts().map((context) => context.close()));
  });
  return browser;
}

/** A browser that does not keep this process from ending, and ends with it: Playwright kills it then. */
async function launch(executablePath: string): Promise<Browser> {
  // containers rarely have the privileges that the browser's sandbox needs
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  for (const handle of (process as unknown as { _getActiveHandles(): unknown[] })._getActiveHandles()) {
    if (!(handle instanceof ChildProcess) || handle.spawnfile !== executablePath) continue;
    handle.unref();
    for (const stream of handle.stdio) if (stream instanceof Socket) stream.unref();
  }
  return browser;
}

/**
 * A page without cookies and listeners. Tests of a file get the same one for the same options, except for the size and the colors: a new
 * one would start another process of the browser, which takes more CPU time than most tests.
 */
export async function pageOf(browser: Browser, options: BrowserContextOptions): Promise<Page> {
  const { viewport = { width: 1280, height: 720 }, colorScheme = 'light', ...kind } = options;
  const key = JSON.stringify(kind);
  const page = pages.get(key) ?? (await newPage(browser, options));
  pages.set(key, page);
  page.removeAllListeners();
  await page.unrouteAll();
  await page.context().clearCookies();
  await page.setViewportSize(viewport!);
  await page.emulateMedia({ colorScheme });
  // nothing is under the pointer
  await page.mouse.move(0, 0);
  return page;
}

/** Long pages do not lay out what is out of sight. Tests measure all of it, and nothing moves while they scroll. */
async function newPage(browser: Browser, options: BrowserContextOptions): Promise<Page> {
  const page = await browser.newPage(options);
  await page.addInitScript(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('* { content-visibility: visible !important }');
    document.adoptedStyleSheets.push(sheet);
  });
  return page;
}

const AXE_SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Waits until an element that matches has the focus, and its page is loaded. Browsers focus the note of a new page and the target of a
 * link with the next picture that they draw, which is later than the element is there.
 */
export async function focusOn(page: Page, selector: string): Promise<void> {
  await page.locator(`${selector}:focus`).waitFor({ state: 'attached' });
  await page.waitForLoadState();
}

/**
 * The accessibility violations of a page that axe-core finds, without minor ones. `colors`: only those that depend on the color scheme,
 * for a page that was checked in the other one.
 */
export async function accessibilityFaults(page: Page, checked: 'all' | 'colors' = 'all'): Promise<string[]> {
  // a click on a link ends once the next page begins
  await page.waitForLoadState();
  // the page's content security policy allows no added script, so it is evaluated
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(AXE_SOURCE);
  const options = { resultTypes: ['violations'], ...(checked === 'colors' && { runOnly: ['color-contrast', 'link-in-text-block'] }) };
  return page.evaluate(async (given) => {
    const { axe } = globalThis as unknown as {
      axe: { run(options: object): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }> };
    };
    const { violations } = await axe.run(given);
    return violations
      .filter(({ impact }) => impact !== 'minor')
      .flatMap(({ id, impact, nodes }) => nodes.map(({ html }) => `${impact} ${id}: ${html.slice(0, 200)}`));
  }, options);
}

/** What does not fit the window, and what is too small to be hit with a finger (WCAG 2.2, 2.5.8), except for links within text. */
export async function layoutFaults(page: Page): Promise<string[]> {
  await page.waitForLoadState();
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    const targets = [...document.querySelectorAll<HTMLElement>('a, button, input, select, textarea, summary')].filter(
      (element) => element.checkVisibility() && !element.matches('p a, li a, dd a, td a, .skip, .away *') && element.tabIndex >= 0,
    );
    const small = targets.filter((element) => {
      const { width, height } = element.getBoundingClientRect();
      return width < 24 || height < 24;
    });
    return [
      ...(scrollWidth > clientWidth ? [`scrolls sideways by ${scrollWidth - clientWidth} pixels`] : []),
      ...small.map((element) => `too small: ${element.outerHTML.slice(0, 120)}`),
    ];
  });
}
