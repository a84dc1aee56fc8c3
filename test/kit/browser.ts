import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium, type Browser, type Page } from 'playwright-core';

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** A real browser; null, with the reason printed, if there is none on this machine. */
export async function openBrowser(): Promise<Browser | null> {
  const executablePath = CHROMIUM.find((path) => existsSync(path));
  if (!executablePath) {
    console.warn('Tests in a browser are skipped: there is no Chromium (Debian: apt-get install chromium).');
    return null;
  }
  // containers rarely have the privileges that the browser's sandbox needs
  return chromium.launch({ executablePath, args: ['--no-sandbox'] });
}

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** The accessibility violations of a page that axe-core finds, without minor ones. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  // the page's content security policy allows no added script, so it is evaluated
  await page.evaluate(readFileSync(AXE, 'utf8'));
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }> };
    };
    const { violations } = await axe.run();
    return violations
      .filter(({ impact }) => impact !== 'minor')
      .flatMap(({ id, impact, nodes }) => nodes.map(({ html }) => `${impact} ${id}: ${html.slice(0, 200)}`));
  });
}
