import { describe, expect, test } from '@jest/globals';
import { openBrowser, pageOf } from '../../../test/harness/browser.js';
import { sharedNotesApp } from '../../../test/harness/fixtures/fixture-apps.js';

const browser = await openBrowser();
const seen = browser ? describe : describe.skip;
// Swagger UI takes 5 s of CPU to read the product's document, and less than one to read that of a module
const app = await sharedNotesApp();

seen('the documentation in a browser', () => {
  test.each([
    ['/docs', '#swagger-ui .info .title'],
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
