// scripts that tests run in a page use the types of browsers
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium, type Browser, type Page } from 'playwright-core';
import { explainSkippedTests } from './skipped-tests.js';

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** A real browser; null, with the reason printed, if there is none on this machine. */
export async function openBrowser(): Promise<Browser | null> {
  const executablePath = CHROMIUM.find((path) => existsSync(path));
  if (!executablePath) {
    explainSkippedTests('Tests in a browser are skipped: there is no Chromium (Debian: apt-get install chromium).');
    return null;
  }
  // containers rarely have the privileges that the browser's sandbox needs
  return chromium.launch({ executablePath, args: ['--no-sandbox'] });
}

const AXE_SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * The accessibility violations of a page that axe-core finds, without minor ones. `colors`: only those that depend on the color scheme,
 * for a page that was checked in the other one.
 */
export async function accessibilityFaults(page: Page, checked: 'all' | 'colors' = 'all'): Promise<string[]> {
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
