import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { focusOn, openBrowser } from '../harness/browser.js';
import type { Client } from '../harness/client.js';
import { sharedApp } from '../harness/hosted-app.js';

const MOST_TABS = 60;

const app = await sharedApp();
const workspace = await app.workspace();
const browser = await openBrowser();
let owner: Client;
let page: Page;

beforeAll(async () => {
  if (!browser) return;
  owner = await workspace.signIn();
  page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  const [name, value] = owner.headers.cookie.split('=', 2);
  await page.context().addCookies([{ name, value, url: app.url }]);
});

/** Presses Tab until the element has the focus, as somebody does who has no mouse. */
async function tabTo(selector: string): Promise<void> {
  for (let pressed = 0; pressed < MOST_TABS; pressed++) {
    await page.keyboard.press('Tab');
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return;
  }
  throw new Error(`${selector} is not reached with ${MOST_TABS} times Tab.`);
}

async function keysNamed(name: string): Promise<{ id: string; last_four: string }[]> {
  const { body } = await owner.get('/api/v1/org/developer/api-keys?limit=100');
  return (body.data as { id: string; name: string; last_four: string }[]).filter((key) => key.name === name);
}

(browser ? describe : describe.skip)('in a browser', () => {
  test('with the keyboard alone a key is made, its secret is announced once, and a reload makes no second one', async () => {
    await page.goto(`${app.url}/console/keys/new?module=tasks`);
    await tabTo('#create-name');
    await page.keyboard.type('Without a mouse');
    await page.keyboard.press('Enter');
    // what a screen reader says by itself: the note, which has the focus, and nothing else
    await focusOn(page, '[role=status]');
    expect(await page.locator('[role=status], [role=alert], [aria-live]').filter({ hasText: /\S/ }).count()).toBe(1);
    await page.keyboard.press('Tab');
    const secret = page.getByRole('textbox', { name: /^Secret of Without a mouse/ });
    expect(await secret.evaluate((field) => field === document.activeElement)).toBe(true);
    const text = await secret.inputValue();
    expect(text).toMatch(/^svc_test_\w+$/);
    const [key, ...others] = await keysNamed('Without a mouse');
    expect([others, text.endsWith(key.last_four)]).toEqual([[], true]);

    await page.reload();
    // the browser sent the form again
    expect(await page.getByRole('heading', { name: 'The secret was shown already' }).count()).toBe(1);
    expect(await page.content()).not.toContain(text);
    expect(await keysNamed('Without a mouse')).toHaveLength(1);
    await page.goto(`${app.url}/console/keys/${key.id}?tab=settings`);
    await tabTo('button:is(form:has([value=roll]) *)');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#secret');
    expect(await page.inputValue('#secret')).not.toBe(text);
    expect(await keysNamed('Without a mouse')).toHaveLength(1);
  });

  test('erasing test data says what goes, shows how it ends, and leaves live rows, keys and types alone', async () => {
    const [live, trial] = await Promise.all([workspace.key({ mode: 'live' }), workspace.key({ mode: 'test' })]);
    for (const { client } of [live, trial, trial])
      expect((await client.post('/api/v1/ext/tasks/tasks', { project_id: workspace.eng.id, title: 'Count me' })).status).toBe(201);
    const kept = async () => {
      const lists = ['/api/v1/org/developer/api-keys?limit=100', '/api/v1/org/projects?limit=100', '/api/v1/org/roles?limit=100'];
      const bodies = await Promise.all(lists.map(async (path) => (await owner.get(path)).body.data as { id: string }[]));
      const statuses = (await live.client.get('/api/v1/ext/tasks/statuses?limit=100')).body.data as { id: string }[];
      const tasks = (await live.client.get('/api/v1/ext/tasks/tasks?limit=100')).body.data as { id: string }[];
      return [...bodies, statuses, tasks].map((rows) => rows.map(({ id }) => id).sort());
    };
    const before = await kept();

    await page.goto(`${app.url}/console/settings/test-data`);
    const row = page.getByRole('row', { name: /Tasks/ });
    expect(await row.getByRole('cell').innerText()).toBe('2');
    const field = page.getByLabel(/^Type Organization \w+ to confirm$/);
    const button = page.getByRole('button', { name: 'Erase test data' });
    const { name } = (await owner.get('/api/v1/org/organization')).body as { name: string };
    await field.fill(name);
    await button.click();
    // the page refreshes by itself until the job has ended
    await page.getByText('There is no test data').waitFor();
    expect(await page.locator('dl').innerText()).toMatch(/Result\s+Done\s+Rows erased\s+2/);
    expect(await kept()).toEqual(before);
  });

  test('and the keyboard signs out', async () => {
    await page.goto(`${app.url}/console/account`);
    await tabTo('.who button');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/console\/sign-in/);
    await page.goto(`${app.url}/console/account`);
    expect(new URL(page.url()).pathname).toBe('/console/sign-in');
  });
});
