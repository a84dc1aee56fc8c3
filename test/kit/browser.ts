import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium, type Browser, type Page } from 'playwright-core';

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** A real browser; null, with the reason printed, where the machine has none. */
export async function openBrowser(): Promise<Browser | null> {
  const executablePath = CHROMIUM.find((path) => existsSync(path));
  if (!executablePath) {
    console.warn('Tests in a browser are skipped: there is no Chromium (Debian: apt-get install chromium).');
    return null;
  }
  // inside a container there are seldom the privileges that the browser's own sandbox asks for
  return chromium.launch({ executablePath, args: ['--no-sandbox'] });
}

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** What axe-core finds wrong with a page for those who cannot see it, or use no mouse; without minor matters. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  // the page's own policy lets no script in, so it is evaluated and not added
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
