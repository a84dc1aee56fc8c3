import { describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accessibilityFaults, layoutFaults, openBrowser, pageOf } from '../../../test/harness/browser.js';
import { unpackClient } from '../../../test/harness/client-package.js';
import { sharedNotesApp } from '../../../test/harness/fixtures/fixture-apps.js';

const browser = await openBrowser();
const seen = browser ? describe : describe.skip;
// Swagger UI takes 5 s of CPU to read the product's document, and less than one to read that of a module
const app = await sharedNotesApp();

seen('the documentation in a browser', () => {
  test.each([
    ['/docs', '#modules'],
    ['/docs/swagger', '#swagger-ui .info .title'],
    ['/docs/errors', '#invalid_body'],
    ['/docs/webhooks', '#promises'],
  ])('%s is shown, and its policy blocks nothing of it', async (path, element) => {
    const page = await pageOf(browser!, {});
    const messages: string[] = [];
    page.on('console', (message) => messages.push(message.text()));
    page.on('pageerror', (error) => messages.push(error.message));
    await page.goto(app.url + path);
    await page.locator(element).waitFor();
    expect(messages.filter((message) => /policy|refused|error/i.test(message))).toEqual([]);
    // a style of the page's own
    expect(await page.evaluate(() => getComputedStyle(document.body).margin)).not.toBe('8px');
  });
});

seen('the reference in a browser', () => {
  test('finds what the reader searches, and sends a request with a test key that stays in the tab', async () => {
    const { secret } = await (await app.workspace()).key({ mode: 'test' });
    const page = await pageOf(browser!, {});
    await page.goto(`${app.url}/docs`);
    await page.keyboard.press('/');
    await page.keyboard.type('list notes');
    await page.locator('#found [aria-selected=true]', { hasText: 'List notes' }).waitFor();
    // what is found for the earlier text does not count
    await page.locator('#search').evaluate((field: HTMLInputElement) => (field.value = 'create note'));
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/api/notes/notes#create_note');
    const section = page.locator('#create_note');
    await section.getByRole('button', { name: 'Try it' }).click();
    await section.getByLabel('Test key').fill(secret);
    await section.getByRole('button', { name: 'Send' }).click();
    await section.getByText(/^201 Created, /).waitFor();
    expect(JSON.parse(await section.locator('.try pre').innerText())).toMatchObject({ object: 'note' });
    expect(await page.evaluate(() => [Object.values(sessionStorage), Object.values(localStorage)])).toEqual([[secret], []]);
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.setViewportSize({ width: 360, height: 720 });
    expect(await layoutFaults(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    // colors of links change slowly
    await page.reload();
    expect(await accessibilityFaults(page, 'colors')).toEqual([]);
  });
});

seen('the typed client in a browser', () => {
  test('calls the suite of its page, whose own modules it has; pages of another origin may not', async () => {
    const project = mkdtempSync(join(tmpdir(), 'work-suite-browser-'));
    const { folder } = await unpackClient(app.url, project);
    const { secret } = await (await app.workspace()).key();
    const page = await pageOf(browser!, {});
    await page.route('**/blank', (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }));
    await page.route('**/client/**', (route) => route.fulfill({ path: join(folder, new URL(route.request().url()).pathname.slice(8)) }));
    await page.goto(`${app.url}/blank`);
    const called = await page.evaluate(async (key) => {
      const { WorkSuite, webhooks } = await import(`${location.origin}/client/index.js`);
      const here = new WorkSuite({ baseUrl: location.origin, key });
      const note = await here.notes.create({ title: 'From a page' });
      const elsewhere = new WorkSuite({ baseUrl: location.origin.replace('127.0.0.1', 'localhost'), key, maxRetries: 0 });
      const failure = (error: Error) => error.name;
      return [
        note.title,
        (await here.notes.update(note, { title: 'Changed' })).version,
        await elsewhere.notes.list().page().catch(failure),
        await webhooks.verify('{}', 't=1,v1=' + '0'.repeat(64), 's').catch(failure),
      ];
    }, secret);
    rmSync(project, { recursive: true });
    expect(called).toEqual(['From a page', 2, 'ConnectionError', 'SignatureError']);
  });
});
