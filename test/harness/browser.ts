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
  // containers rarely have the privileges that the browser's sandbox needs; pages end before optimized code would be faster
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--js-flags=--max-opt=1'] });
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
  const page = pages.get(key) ?? (await browser.newPage(options));
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

const AXE_SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Waits until an element that matches has the focus, and its page is loaded. Browsers focus the note of a new page and the target of a
 * link with the next picture that they draw, which is later than the element is there.
 */
export async function focusOn(page: Page, selector: string): Promise<void> {
  await page.locator(`${selector}:focus`).waitFor({ state: 'attached' });
  await page.waitForLoadState();
}

/** The colors that axe-core has judged: those of a text, of what is behind it, and its size. */
const judged = new Set<string>();

/** The colors of the page's texts that were not judged before. */
async function newColors(page: Page): Promise<string[]> {
  const found = await page.evaluate(() => {
    const styles = new Map<Element, { own: string; behind: string }>();
    const styleOf = (element: Element): { own: string; behind: string } => {
      const known = styles.get(element);
      if (known) return known;
      const style = getComputedStyle(element);
      const layer = [style.backgroundColor, style.backgroundImage, style.opacity, style.position].join(' ');
      const parent = element.parentElement ? styleOf(element.parentElement) : { own: '', behind: '' };
      const font = [style.fontSize, style.fontWeight, style.textShadow, style.textDecorationLine];
      const computed = {
        own: [element.localName, style.color, ...font].join(' '),
        behind: layer === 'rgba(0, 0, 0, 0) none 1 static' ? parent.behind : `${parent.behind}; ${layer}`,
      };
      styles.set(element, computed);
      return computed;
    };
    const hasText = ({ childNodes }: Element) => [...childNodes].some((node) => node.nodeType === 3 && /\S/.test(node.nodeValue!));
    const shown = [...document.querySelectorAll('body, body *')].filter((one) => hasText(one) || one.matches('input, select, textarea'));
    const visible = shown.filter((element) => element.checkVisibility());
    // a link is told from the text around it
    return [...new Set(visible.map((one) => `${styleOf(one.parentElement!).own} > ${styleOf(one).own} on ${styleOf(one).behind}`))];
  });
  return found.filter((colors) => !judged.has(colors));
}

/**
 * The accessibility violations of a page that axe-core finds, without minor ones. Colors are judged once in a process. `colors`: only
 * those, for a page that was checked in the other color scheme. `without` matches a part of the page that was checked on another one.
 */
export async function accessibilityFaults(page: Page, checked: 'all' | 'colors' = 'all', without?: string): Promise<string[]> {
  // a click on a link ends once the next page begins
  await page.waitForLoadState();
  const colors = await newColors(page);
  if (checked === 'colors' && colors.length === 0) return [];
  // the page's content security policy allows no added script, so it is evaluated
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(AXE_SOURCE);
  const ofColors = ['color-contrast', 'link-in-text-block'];
  const options = {
    resultTypes: ['violations'],
    ...(checked === 'colors' && { runOnly: ofColors }),
    ...(colors.length === 0 && { rules: Object.fromEntries(ofColors.map((rule) => [rule, { enabled: false }])) }),
  };
  const run = { context: { include: [['html']], exclude: without === undefined ? [] : [[without]] }, options };
  const faults = await page.evaluate(async ({ context, options: given }) => {
    const { axe } = globalThis as unknown as {
      axe: { run(context: object, options: object): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }> };
    };
    const { violations } = await axe.run(context, given);
    return violations
      .filter(({ impact }) => impact !== 'minor')
      .flatMap(({ id, impact, nodes }) => nodes.map(({ html }) => `${impact} ${id}: ${html.slice(0, 200)}`));
  }, run);
  // a fault is one on every page
  if (faults.length === 0) for (const one of colors) judged.add(one);
  return faults;
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
