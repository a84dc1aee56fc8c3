import { describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { PDFDocument } from '@cantoo/pdf-lib';
import { sharedMailApp } from '../../../../test/harness/hosted-app.js';
import { accessibilityFaults, layoutFaults, openBrowser, pageOf } from '../../../../test/harness/browser.js';
import { party, SigningFixture } from '../testing/signing-fixture.js';

const browser: Browser | null = await openBrowser();
const seen = browser ? describe : describe.skip;
const { app, mailbox } = await sharedMailApp();
const signing = await SigningFixture.open(app, mailbox);
const PAGES = Array.from({ length: 30 }, (_, index) => `Page ${index + 1} of the lease`);

/** The link to sign a file of these pages, with a field on the page before the last one. */
async function linkTo(pages: readonly string[], further: readonly string[] = []): Promise<string> {
  const text = { type: 'string' } as const;
  const field_schema = { type: 'object', properties: { customer: text, customer_email: text } } as const;
  const { code } = await signing.workflow.type({ field_schema, signature_parties: [party('customer')] });
  const customer_email = `pages-${Date.now().toString(36)}@example.com`;
  const { id } = await signing.workflow.draft(code, { title: 'Lease', data_values: { customer: 'Ada Lovelace', customer_email } });
  const place = await signing.uploaded(id, [...pages]);
  const fields = [{ key: 'place', kind: 'text', label: 'Place', page: pages.length - 1, y: 0.4 }];
  expect((await place([...fields, { key: 'name', kind: 'signature', page: 1, y: 0.3 }])).status).toBe(200);
  for (const name of further) {
    const file = await PDFDocument.create();
    for (let number = 1; number <= 4; number++) file.addPage([595, 842]).drawText(`${name}, ${number}`, { x: 60, y: 760 });
    const body = { name, file_base64: await file.saveAsBase64() };
    expect((await signing.workflow.api.post(`/api/v1/ext/papers/documents/${id}/files`, body)).status).toBe(201);
  }
  for (const action of ['finalize', 'send']) expect((await signing.workflow.org(id, action)).status).toBe(200);
  return app.url + (await signing.link(customer_email));
}

/** How far the top of an element is from that of the window, in pixels. */
const topOf = (page: Page, selector: string) => page.locator(selector).evaluate((element) => element.getBoundingClientRect().top);

seen('the pages of a document in a browser', () => {
  test.each([360, 1280])('are reached by their numbers at %i pixels, and Tab leads on from there', async (width) => {
    const page = await pageOf(browser as Browser, { viewport: { width, height: 740 } });
    await page.goto(await linkTo(PAGES));
    const choice = page.getByLabel('Page', { exact: true });
    expect((await choice.locator('option').allTextContents()).slice(28)).toEqual(['29 / 30', '30 / 30']);
    await choice.selectOption('29 / 30');
    const top = await topOf(page, '#page_29');
    expect([top > 0, top < 200, await choice.isVisible()]).toEqual([true, true, true]);
    expect([await layoutFaults(page), await accessibilityFaults(page)]).toEqual([[], []]);
    if (process.env.TEST_SCREENSHOTS) await page.screenshot({ path: `${process.env.TEST_SCREENSHOTS}/page-choice-${width}.png` });
    await choice.focus();
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('figure')?.id)).toBe('page_29');
    // the page that is read is named, however it was reached
    await page.locator('#page_5').evaluate((figure) => figure.scrollIntoView({ behavior: 'instant' }));
    await page.waitForFunction(() => (document.getElementById('go') as HTMLSelectElement).value === 'page_5');
    await page.getByLabel('Text', { exact: true }).check();
    expect(await choice.isVisible()).toBe(false);
  });

  test('of several files are grouped by file, and a short document has no choice', async () => {
    const page = await pageOf(browser as Browser, { viewport: { width: 360, height: 740 } });
    await page.goto(await linkTo(PAGES.slice(0, 2), ['House rules']));
    const choice = page.getByLabel('Page', { exact: true });
    expect(await choice.locator('optgroup').evaluateAll((groups) => groups.map((group) => (group as HTMLOptGroupElement).label))).toEqual([
      expect.any(String),
      'House rules',
    ]);
    await choice.selectOption('page_2_4');
    expect(await topOf(page, '#page_2_4')).toBeLessThan(740);
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.goto(await linkTo(PAGES.slice(0, 2)));
    await page.locator('#page_2').waitFor();
    expect(await choice.count()).toBe(0);
  });
});
