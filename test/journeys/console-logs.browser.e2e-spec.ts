import { describe, expect, test } from '@jest/globals';
import { openBrowser } from '../harness/browser.js';
import { Client } from '../harness/client.js';
import { sharedApp } from '../harness/hosted-app.js';
import { PASSWORD } from '../harness/workspace.js';

const REFRESH_MS = 5_000;

const app = await sharedApp();
const browser = await openBrowser();

/** Runs what a page offers to paste into a shell. */
async function run(curl: string): Promise<number> {
  const [, url, secret] = /'(http[^']+)'[^]*Bearer ([^"]+)"/.exec(curl)!;
  return (await fetch(url, { headers: { authorization: `Bearer ${secret}` } })).status;
}

(browser ? describe : describe.skip)('in a browser', () => {
  test('a newcomer signs in, makes a test key, pastes the line, and sees the call in the log', async () => {
    const { owner } = await app.workspace();
    const page = await browser!.newPage({ viewport: { width: 1280, height: 900 } });
    await page.goto(`${app.url}/`);
    await page.getByLabel('E-mail').fill(owner.email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    // whoever has no key yet is led to the first steps
    await page.waitForURL('**/console/welcome?after=sign_in');
    await page.getByLabel('What should your software work with?').selectOption('Tasks');
    await page.getByRole('button', { name: 'Create test key' }).click();
    const line = await page.locator('#call').innerText();

    await page.clock.install();
    await page.goto(`${app.url}/console/logs?mode=test`);
    await page.getByRole('heading', { name: 'No calls yet' }).waitFor();
    await page.evaluate(watchShifts);
    await page.evaluate(watchRequests);
    await page.getByRole('button', { name: 'Every 5 seconds' }).click();
    // faster than the server answers: only an answer is followed by another request
    await Promise.all([1, 2, 3, 4].map(() => page.clock.fastForward(REFRESH_MS)));
    expect(await run(line)).toBe(200);
    const row = page.getByRole('row', { name: /First steps with Tasks/ });
    while ((await row.count()) === 0) await page.clock.fastForward(REFRESH_MS);
    expect(await row.innerText()).toContain('200');
    // another call pushes the first one down, and nothing else moves
    expect(await run(line)).toBe(200);
    while ((await row.count()) === 1) await page.clock.fastForward(REFRESH_MS);
    expect(Number(await page.locator('html').getAttribute('data-shift'))).toBeLessThan(0.01);
    expect(await page.locator('html').getAttribute('data-at-once')).toBe('1');
    await page.close();
  });

  test('from the overview, the reason of a refused request is two clicks away', async () => {
    const { signIn } = await app.workspace();
    const member = await signIn();
    const key = { name: '<b>Nightly</b> import', module: 'tasks', mode: 'live', scopes: ['tasks:task:write'] };
    const { secret } = (await member.post('/api/v1/org/developer/api-keys', key)).body as { secret: string };
    const client = new Client(app.url, { authorization: `Bearer ${secret}` });
    for (const title of [5, 6]) expect((await client.post('/api/v1/ext/tasks/tasks', { title })).status).toBe(400);
    const context = await browser!.newContext({ javaScriptEnabled: false });
    const [name, value] = member.headers.cookie.split('=', 2);
    await context.addCookies([{ name, value, url: app.url }]);
    const page = await context.newPage();
    const errors = page.getByRole('row', { name: /validation_failed.*<b>Nightly<\/b> import 2/ });
    do await page.goto(`${app.url}/console`);
    while ((await errors.count()) === 0);

    await errors.getByRole('link', { name: /validation_failed/ }).click();
    await page
      .getByRole('row', { name: /POST \/tasks\/tasks/ })
      .first()
      .getByRole('link')
      .click();
    await page.getByRole('heading', { name: 'title must be a string' }).waitFor();
    const curl = await page.locator('#curl').innerText();
    expect(curl).toContain(`"${app.url}/api/v1/ext/tasks/tasks"`);
    expect(curl).toMatch(/Bearer \$SVC_KEY"[^]*Idempotency-Key: [\w-]{36}'[^]*"title": 6/);
    await context.close();
  });
});

/** Adds up how much the page moves by itself, as browsers measure it. */
function watchShifts(): void {
  document.documentElement.dataset.shift = '0';
  new PerformanceObserver((list) => {
    const sum = list.getEntries().reduce((all, entry) => all + (entry as unknown as { value: number }).value, 0);
    document.documentElement.dataset.shift = String(Number(document.documentElement.dataset.shift) + sum);
  }).observe({ type: 'layout-shift' });
}

/** Notes how many requests of the page were open at once. */
function watchRequests(): void {
  const original = window.fetch;
  let [open, most] = [0, 0];
  window.fetch = async (...given) => {
    most = Math.max(most, ++open);
    document.documentElement.dataset.atOnce = String(most);
    try {
      return await original(...given);
    } finally {
      open--;
    }
  };
}
