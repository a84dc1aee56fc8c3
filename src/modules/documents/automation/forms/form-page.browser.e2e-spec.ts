import { PDFDocument } from '@cantoo/pdf-lib';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { sharedApp } from '../../../../../test/harness/hosted-app.js';
import { accessibilityFaults, focusOn, layoutFaults, openBrowser, pageOf } from '../../../../../test/harness/browser.js';
import { WorkflowFixture } from '../../testing/workflow-fixture.js';

const FORMS = '/api/v1/org/papers/forms';
/** One pixel. */
const LOGO = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const FIELDS = {
  type: 'object',
  required: ['company', 'email', 'country', 'truthful'],
  properties: {
    company: { type: 'string', 'x-label': 'Company', 'x-order': 1 },
    email: { type: 'string', format: 'email', 'x-label': 'E-mail', 'x-order': 2, description: 'We write to this address.' },
    phone: { type: 'string', 'x-format': 'phone', 'x-label': 'Phone', 'x-order': 3 },
    country: { type: 'string', enum: ['Austria', 'Germany', 'Switzerland'], 'x-label': 'Country', 'x-order': 4 },
    turnover: { type: 'integer', 'x-format': 'money', 'x-currency': 'EUR', 'x-label': 'Turnover last year', 'x-order': 5 },
    founded_on: { type: 'string', format: 'date', 'x-label': 'Founded', 'x-order': 6 },
    about: { type: 'string', maxLength: 4000, 'x-label': 'About you', 'x-order': 7 },
    references: {
      type: 'array',
      maxItems: 2,
      'x-label': 'Reference',
      'x-order': 8,
      items: { type: 'object', required: ['name'], properties: { name: { type: 'string' }, since: { type: 'integer', minimum: 1900 } } },
    },
    truthful: { type: 'boolean', 'x-label': 'What I say is true.', 'x-order': 9 },
  },
};

const browser: Browser | null = await openBrowser();
const seen = browser ? describe : describe.skip;
const app = await sharedApp();
let workflow: WorkflowFixture;
let form: { id: string; slug: string };

beforeAll(async () => {
  workflow = await WorkflowFixture.open(app);
  form = (
    await workflow.screen.post(FORMS, {
      slug: 'become-our-supplier',
      title: 'Become our supplier',
      description: 'It takes about five minutes.\n\nWe answer within a week.',
      fields: FIELDS,
      project_id: workflow.space.eng.id,
    })
  ).body;
});

async function open({ width = 360, script = true } = {}): Promise<{ page: Page; complaints: string[] }> {
  // colors change at once
  const page = await pageOf(browser as Browser, { viewport: { width, height: 740 }, javaScriptEnabled: script, reducedMotion: 'reduce' });
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('request', (request) => request.url().startsWith(app.url) || complaints.push(`asked for ${request.url()}`));
  await page.goto(`${app.url}/f/${form.slug}`);
  return { page, complaints };
}

const answers = async () =>
  (await workflow.screen.get(`${FORMS}/${form.id}/submissions`)).body.data.map((submission: { answers: object }) => submission.answers);
const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
const picture = async (page: Page, name: string): Promise<void> => {
  if (process.env.TEST_SCREENSHOTS) await page.screenshot({ path: `${process.env.TEST_SCREENSHOTS}/${name}.png`, fullPage: true });
};

const SCHEMES = ['light', 'dark'] as const;
/** Checks what the page is in both color schemes; what is dark differs in colors only. */
async function check(page: Page, name: string): Promise<void> {
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme });
    const faults = await accessibilityFaults(page, colorScheme === 'dark' ? 'colors' : 'all');
    expect([colorScheme, await layoutFaults(page), faults]).toEqual([colorScheme, [], []]);
    await picture(page, `${name}-${colorScheme}`);
  }
}

seen('the form page in a browser', () => {
  test.each([360, 1280])('fits %i pixels and passes axe-core, light and dark, before and after a rejected submission', async (width) => {
    const { page, complaints } = await open({ width });
    await check(page, `form-${width}`);
    await page.getByLabel('E-mail').fill('nobody');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('alert').waitFor();
    await check(page, `form-rejected-${width}`);
    // the browser logs the status 400 of a rejected form
    expect(complaints.filter((text) => !text.includes('status of 400'))).toEqual([]);
  });

  test('can be filled in by keyboard alone, without scripts; problems are listed and linked', async () => {
    const before = (await answers()).length;
    const { page } = await open({ script: false });
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await press('Tab');
    await page.keyboard.type('Acme GmbH');
    await press('Tab');
    await page.keyboard.type('nobody');
    await press('Enter');
    await focusOn(page, '[role=alert]');
    expect(await page.getByRole('alert').getByRole('listitem').allTextContents()).toEqual([
      'E-mail must be an e-mail address.',
      'Country is required.',
      'Please tick: What I say is true.',
    ]);
    // the note has the focus; its first link leads to the first invalid field
    await press('Tab', 'Enter');
    await focusOn(page, '#f-email');
    expect(await page.getByLabel('Company').inputValue()).toBe('Acme GmbH');
    expect((await answers()).length).toBe(before);
    await page.getByLabel('E-mail').fill('ada@acme.example');
    await page.getByLabel('Country').selectOption('Germany');
    await page.getByLabel('Turnover last year').fill('1250,50');
    await page.getByRole('group', { name: 'Reference, row 2' }).getByLabel('Name').fill('Bolt & Co');
    await page.getByLabel('What I say is true.').focus();
    await press('Space', 'Tab', 'Enter');
    await page.getByRole('status').waitFor();
    expect([new URL(page.url()).pathname, await page.getByRole('status').textContent()]).toEqual([
      `/f/${form.slug}/thanks`,
      expect.stringContaining('Thank you'),
    ]);
    await picture(page, 'form-sent');
    expect((await answers())[0]).toEqual({
      company: 'Acme GmbH',
      email: 'ada@acme.example',
      country: 'Germany',
      turnover: 125050,
      references: [{ name: 'Bolt & Co' }],
      truthful: true,
    });
  });

  test('rows are added and removed by the keyboard, up to the limit, and a problem stands at its row', async () => {
    const { page, complaints } = await open();
    const rows = page.getByRole('group', { name: /^Reference, row/ });
    const add = page.getByRole('button', { name: 'Add a row: Reference' });
    const status = page.locator('.rows [aria-live]');
    const focusedName = () => page.locator(':focus').getAttribute('name');
    expect([await rows.count(), await page.getByRole('button', { name: 'Remove row 1' }).count()]).toEqual([1, 0]);
    await rows.nth(0).getByLabel('Name').fill('First');
    await add.press('Enter');
    expect([await focusedName(), await add.count(), await status.textContent()]).toEqual([
      'answers.references.1.name',
      0,
      'There can be no more than 2 rows.',
    ]);
    await page.keyboard.type('Second');
    await page.keyboard.press('Tab');
    await page.keyboard.type('long ago');
    await check(page, 'form-rows-360');
    await page.getByRole('button', { name: 'Remove row 1' }).press('Enter');
    expect([await focusedName(), await status.textContent(), await rows.count()]).toEqual([
      'answers.references.0.name',
      'Row 1 was removed.',
      1,
    ]);
    expect(await page.getByRole('group', { name: 'Reference, row 1' }).getByLabel('Name').inputValue()).toBe('Second');
    await add.press('Enter');
    await page.keyboard.type('Third');
    // the first row is empty now, so what was second is first
    await rows.nth(0).getByLabel('Name').fill('');
    await rows.nth(0).getByLabel('Since').fill('');
    await rows.nth(1).getByLabel('Since').fill('long ago');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('link', { name: 'Reference, row 1, Since must be a whole number such as 1,250.' }).click();
    await focusOn(page, '[name="answers.references.0.since"]');
    expect([await rows.count(), await rows.nth(0).getByLabel('Name').inputValue()]).toEqual([1, 'Third']);
    expect(complaints.filter((text) => !text.includes('status of 400'))).toEqual([]);
  });

  test('fills in the fields from a PDF by keyboard, without scripts, at 360 pixels', async () => {
    const type = await workflow.type({ field_schema: { type: 'object', properties: { company: { type: 'string' } } } });
    const zone = { page: 1, x: 0, y: 0, w: 1, h: 1, field: 'company', kind: 'text' };
    await workflow.screen.put(`/api/v1/org/papers/types/${type.id}/zones`, [zone]);
    await workflow.screen.patch(`${FORMS}/${form.id}`, { document_type_id: type.id });
    const { page } = await open({ script: false });
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').getAttribute('id')).toBe('upload');
    await page.getByLabel('Filled-in PDF').setInputFiles({ name: 'a.pdf', mimeType: 'application/pdf', buffer: Buffer.from('no PDF') });
    await page.getByLabel('Phone').fill('+49 30 901820');
    await page.getByRole('button', { name: 'Fill in from the file' }).press('Enter');
    await focusOn(page, '[role=alert]');
    expect(await page.getByRole('alert').getByRole('listitem').allTextContents()).toEqual(['Filled-in PDF: the file is not a PDF.']);
    expect(await overflow(page)).toBe(0);
    await picture(page, 'form-upload-refused');
    const pdf = await PDFDocument.create();
    pdf.addPage().drawText('Acme GmbH');
    const buffer = Buffer.from(await pdf.save());
    await page.getByLabel('Filled-in PDF').setInputFiles({ name: 'a.pdf', mimeType: 'application/pdf', buffer });
    await page.getByRole('button', { name: 'Fill in from the file' }).press('Enter');
    expect(await page.getByRole('status').textContent()).toContain('1 field was filled in from the file.');
    expect([await page.getByLabel('Company').inputValue(), await page.getByLabel('Phone').inputValue()]).toEqual([
      'Acme GmbH',
      '+49 30 901820',
    ]);
    expect(await overflow(page)).toBe(0);
    await picture(page, 'form-filled');
    // Enter in a field sends the form, also below the button of the file
    await page.getByLabel('Company').press('Enter');
    await page.getByRole('alert').waitFor();
    expect(new URL(page.url()).pathname).toBe(`/f/${form.slug}`);
    const { page: scripted } = await open();
    await check(scripted, 'form-upload');
    await scripted.getByRole('button', { name: 'Fill in from the file' }).click();
    await scripted.getByRole('alert').waitFor();
    await check(scripted, 'form-upload-missing');
    await workflow.screen.patch(`${FORMS}/${form.id}`, { document_type_id: null });
  });

  test('hides the honeypot from people', async () => {
    const { page } = await open({ width: 1280 });
    const trap = page.locator('#website');
    const box = await trap.boundingBox();
    expect([
      (box?.x ?? 0) < 0,
      await trap.getAttribute('tabindex'),
      await page.getByRole('textbox', { name: 'Leave this empty' }).count(),
    ]).toEqual([true, '-1', 0]);
  });

  test.each([360, 1280])('shows the brand and speaks the language of the form at %i pixels', async (width) => {
    await workflow.screen.patch('/api/v1/org/papers/settings', { color: '#7a1f5c', logo: LOGO });
    await workflow.screen.patch(`${FORMS}/${form.id}`, { language: 'de' });
    const { page } = await open({ width });
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    expect(await page.locator('img.logo').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1);
    expect(await page.evaluate(() => getComputedStyle(document.body).borderTopColor)).toBe('rgb(122, 31, 92)');
    await page.getByRole('button', { name: 'Senden' }).click();
    expect(await page.getByRole('alert').textContent()).toContain('Company: bitte ausfüllen.');
    expect([await overflow(page), await accessibilityFaults(page)]).toEqual([0, []]);
    await picture(page, `form-brand-${width}`);
    await workflow.screen.patch(`${FORMS}/${form.id}`, { language: 'en' });
    await workflow.screen.patch('/api/v1/org/papers/settings', { color: null, logo: null });
  });
});
