import { describe, expect, test } from '@jest/globals';
import { PDFDict, PDFDocument, PDFName } from '@cantoo/pdf-lib';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { sharedMailApp } from '../../../../../../test/harness/hosted-app.js';
import { accessibilityFaults, openBrowser, pageOf } from '../../../../../../test/harness/browser.js';
import { party, SigningFixture } from '../../../testing/signing-fixture.js';

const browser: Browser | null = await openBrowser();
const seen = browser ? describe : describe.skip;
const { app, mailbox } = await sharedMailApp();
const signing = await SigningFixture.open(app, mailbox);

const box = (x: number, y: number) => ({ page: 1, x, y, w: 0.03, h: 0.02 });
const FIELDS = [
  { key: 'rent', kind: 'number', label: 'Rent', page: 1, y: 0.1, decimals: 2, min: '1' },
  {
    key: 'pays',
    kind: 'choice',
    label: 'Pays',
    page: 1,
    y: 0.2,
    options: [
      { value: 'monthly', label: 'Every month', place: box(0.1, 0.2) },
      { value: 'yearly', label: 'Every year', place: box(0.3, 0.2) },
    ],
  },
  { key: 'total', kind: 'number', label: 'Per year', page: 1, y: 0.3, decimals: 2, calculated: 'rent * if(pays = "monthly", 12, 1)' },
  { key: 'pets', kind: 'checkbox', label: 'Has pets', page: 1, y: 0.4, w: 0.03 },
  { key: 'animal', kind: 'text', label: 'Which animal', page: 1, y: 0.5, shown_when: 'pets' },
  { key: 'from', kind: 'entered_date', label: 'Moves in on', page: 1, y: 0.6 },
  {
    key: 'floor',
    kind: 'list',
    label: 'Floor',
    page: 1,
    y: 0.7,
    options: [{ value: 'ground', label: 'Ground floor' }, { value: 'first' }],
  },
  { key: 'sign', kind: 'signature', page: 1, y: 0.9 },
  { key: 'pet_initials', kind: 'initials', page: 1, x: 0.6, y: 0.9, shown_when: 'pets' },
];

interface Opened {
  id: string;
  page: Page;
  /** Of the link. */
  path: string;
  complaints: string[];
}

async function open(width: number, script = true, fields: readonly object[] = FIELDS, type = {}): Promise<Opened> {
  const { id, customer } = await signing.sent([party('customer')], type, null, fields);
  const page = await pageOf(browser as Browser, { viewport: { width, height: 740 }, javaScriptEnabled: script, reducedMotion: 'reduce' });
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  const path = await signing.link(customer);
  await page.goto(app.url + path);
  // as long as a busy server takes, the page waits for what it says before it leads to the next field
  if (script) await page.evaluate(waitLonger);
  return { id, page, path, complaints };
}

function waitLonger(): void {
  const original = window.setTimeout;
  window.setTimeout = ((run: () => void, ms: number) => original(run, ms === 2000 ? 60_000 : ms)) as typeof setTimeout;
}

const valuesOf = async (id: string) => (await signing.parties(id)).body.data[0].evidence.field_values as Record<string, string>;
const picture = async (page: Page, name: string): Promise<void> => {
  if (process.env.TEST_SCREENSHOTS) await page.screenshot({ path: `${process.env.TEST_SCREENSHOTS}/${name}.png`, fullPage: true });
};

seen('fields of all kinds in a browser', () => {
  test.each([360, 1280])('are filled in by the keyboard, and follow from each other, at %i pixels', async (width) => {
    const { page, complaints, id } = await open(width);
    const dialog = page.getByRole('dialog');
    const check = async (step: string) => {
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      expect([step, overflow, await accessibilityFaults(page)]).toEqual([step, 0, []]);
      await picture(page, `kinds-${step}-${width}`);
    };
    await page.locator('#sign').scrollIntoViewIfNeeded();
    expect(await page.getByLabel('Which animal').isVisible()).toBe(false);
    await check('empty');
    await page.getByRole('button', { name: 'Next field' }).press('Enter');
    await dialog.getByLabel('Rent').waitFor();
    await page.keyboard.type('0.5');
    await page.keyboard.press('Enter');
    await dialog.getByRole('radiogroup', { name: 'Pays' }).waitFor();
    await check('dialog');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    // what is calculated is passed over
    await dialog.getByLabel('Has pets').waitFor();
    await page.keyboard.press('Space');
    await dialog.getByRole('button', { name: 'Next' }).press('Enter');
    // there only since the field before it was filled in
    await dialog.getByLabel('Which animal').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).press('Enter');
    // the server has said what is there now
    await page.locator('#placed_animal').waitFor();
    expect(await page.locator('#placed_total').inputValue()).toBe('');
    expect(await page.locator('#placed_rent_error').textContent()).toBe('must not be less than 1.');
    await page.getByRole('textbox', { name: 'Rent' }).fill('1,250.5');
    await page.waitForFunction(() => (document.getElementById('placed_total') as HTMLInputElement).value === '15006.00');
    expect(await page.locator('#placed_rent_error').count()).toBe(0);
    await page.getByRole('button', { name: 'Next field' }).press('Enter');
    await dialog.getByLabel('Which animal').waitFor();
    await page.keyboard.type('Cat');
    await page.keyboard.press('Enter');
    await dialog.getByLabel('Moves in on').fill('2027-02-01');
    await dialog.getByRole('button', { name: 'Next' }).press('Enter');
    await dialog.getByLabel('Floor').selectOption('Ground floor');
    await dialog.getByRole('button', { name: 'Next' }).press('Enter');
    await dialog.waitFor({ state: 'hidden' });
    expect(await page.locator('#progress').textContent()).toBe('5 of 5 fields filled in');
    await page.waitForFunction(() => document.activeElement?.id === 'sign_part');
    // marks on the page: the option of a choice, and a box, can be ticked where they are printed
    const yearly = page.locator('.mark_place').getByRole('radio', { name: 'Every year' });
    await yearly.press('Space');
    expect(await yearly.getAttribute('aria-checked')).toBe('true');
    await page.waitForFunction(() => (document.getElementById('placed_total') as HTMLInputElement).value === '1250.50');
    const pets = page.locator('.mark_place').getByRole('checkbox', { name: 'Has pets' });
    await pets.click();
    await page.locator('#placed_animal').waitFor({ state: 'hidden' });
    await pets.click();
    await page.locator('#placed_animal').waitFor();
    const marks = page.locator('.mark_place:visible');
    expect(await marks.allTextContents()).toEqual(
      expect.arrayContaining(['1,250.5', '✓', '1250.50', 'Cat', 'Feb 1, 2027', 'Ground floor', 'Ada Lovelace', 'AL']),
    );
    await check('filled');
    await page.getByLabel('Your name').fill('Ada Lovelace');
    await page.getByLabel('I have read').check();
    await page.getByRole('button', { name: 'Sign', exact: true }).click();
    await page.getByRole('status').first().waitFor();
    expect(complaints).toEqual([]);
    expect(await valuesOf(id)).toEqual({
      rent: '1250.50',
      pays: 'yearly',
      total: '1250.50',
      pets: 'true',
      animal: 'Cat',
      from: '2027-02-01',
      floor: 'ground',
    });
  });

  test('stand on several files, which are listed and filled in one after the other', async () => {
    const { workflow } = signing;
    const text = { type: 'string' } as const;
    const { code } = await workflow.type({
      field_schema: { type: 'object', properties: { customer: text, customer_email: text } },
      signature_parties: [party('customer')],
      template: '# Lease\n\n{{#signature customer}}',
    });
    const email = `files-${Date.now().toString(36)}@example.com`;
    const { id } = await workflow.draft(code, { title: 'Lease', data_values: { customer: 'Ada Lovelace', customer_email: email } });
    for (const [index, name] of ['House rules', 'Inventory'].entries()) {
      const file = await PDFDocument.create();
      file.addPage([595, 842]).drawText(name, { x: 60, y: 760, size: 14 });
      const added = await workflow.api.post(`/api/v1/ext/papers/documents/${id}/files`, {
        name,
        content_base64: await file.saveAsBase64(),
      });
      const field = {
        key: `place_${index}`,
        party: 'customer',
        kind: 'text',
        label: `Place on ${name}`,
        page: 1,
        x: 0.1,
        y: 0.2,
        w: 0.4,
        h: 0.04,
      };
      const path = `/api/v1/ext/papers/documents/${id}/file/fields?file_id=${added.body.id}`;
      expect((await workflow.api.put(path, { fields: [field] })).status).toBe(200);
    }
    for (const action of ['finalize', 'send']) expect((await workflow.org(id, action)).status).toBe(200);
    const page = await pageOf(browser as Browser, { viewport: { width: 360, height: 740 }, reducedMotion: 'reduce' });
    await page.goto(app.url + (await signing.link(email)));
    expect(await page.locator('.sheets h2').allTextContents()).toEqual([
      'File 1 of 3 Lease',
      'File 2 of 3 House rules',
      'File 3 of 3 Inventory',
    ]);
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    await page.getByRole('navigation', { name: 'Files' }).getByRole('link', { name: 'Inventory', exact: true }).click();
    await page.waitForFunction(() => Math.abs((document.getElementById('file_3') as HTMLElement).getBoundingClientRect().top) < 100);
    await page.getByRole('button', { name: 'Next field' }).click();
    for (const name of ['House rules', 'Inventory']) {
      await page.getByRole('dialog').getByLabel(`Place on ${name}`).fill(`In ${name}`);
      await page.getByRole('dialog').getByRole('button', { name: 'Next' }).click();
    }
    const marks = page.locator('#page_2_1 .mark_place, #page_3_1 .mark_place');
    expect(await marks.allTextContents()).toEqual(['In House rules', 'In Inventory']);
    await page.getByLabel('I have read').check();
    await page.getByRole('button', { name: 'Sign', exact: true }).click();
    await page.getByRole('status').first().waitFor();
    const names = ['Lease', 'House rules', 'Inventory', 'Signature certificate'];
    for (const name of names) await page.getByRole('link', { name: `PDF ${name}` }).waitFor();
    expect(await page.locator('.sheets img').count()).toBe(names.length);
  });

  test('are the same for a template', async () => {
    const template =
      'Seats: {{#field seats party=customer kind=number label="Seats"}}, at 12.50 each: ' +
      '{{#field net party=customer kind=number label="Net" decimals=2 calculated="seats * 12.5"}}\n\n{{#signature customer}}';
    const { page, complaints, id } = await open(360, true, [], { template });
    await page.getByRole('button', { name: 'Next field' }).click();
    await page.getByRole('dialog').getByLabel('Seats').fill('7');
    await page.keyboard.press('Enter');
    await page.locator('.mark_place').getByText('87.50').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByLabel('I have read').check();
    await page.getByRole('button', { name: 'Sign', exact: true }).click();
    await page.getByText('All parties have signed.').waitFor();
    expect([await valuesOf(id), complaints]).toEqual([{ seats: '7', net: '87.50' }, []]);
  });

  test('are filled in without JavaScript, and what does not apply is left out', async () => {
    const { page, id } = await open(1280, false);
    await page.getByText('Those are left out when you sign.').waitFor();
    await page.getByRole('textbox', { name: 'Rent' }).fill('100');
    await page.getByRole('radio', { name: 'Every month' }).check();
    await page.getByLabel('Which animal').fill('Cat');
    await page.getByLabel('Moves in on').fill('2027-02-01');
    await page.getByLabel('Your name').fill('Ada Lovelace');
    await page.getByLabel('I have read').check();
    await page.getByRole('button', { name: 'Sign', exact: true }).click();
    await page.getByRole('link', { name: 'Floor: choose one.' }).click();
    expect(await page.locator('#placed_total').inputValue()).toBe('1200.00');
    await page.getByLabel('Floor').selectOption('first');
    await page.getByRole('button', { name: 'Sign', exact: true }).click();
    await page.getByText('All parties have signed.').waitFor();
    const { animal, total, pets } = await valuesOf(id);
    expect([animal, total, pets]).toEqual([undefined, '1200.00', 'false']);
  });
});

seen('what a party adopts', () => {
  const PLACES = [
    { key: 'sign', kind: 'signature', page: 1, y: 0.3 },
    { key: 'again', kind: 'signature', page: 2, y: 0.3 },
    { key: 'short', kind: 'initials', page: 2, y: 0.5 },
  ];
  const fontsOf = async (path: string) => {
    const pdf = new Uint8Array(await (await fetch(`${app.url}${path}/pdf`)).arrayBuffer());
    const { context } = await PDFDocument.load(pdf);
    return context
      .enumerateIndirectObjects()
      .map(([, object]) => (object instanceof PDFDict ? String(object.get(PDFName.of('FontName'))) : ''));
  };

  test('is a typed name in a face, with the initials, in all of its places', async () => {
    const { page, complaints, path } = await open(360, true, PLACES);
    await page.locator('.faces').scrollIntoViewIfNeeded();
    await page.getByRole('radio', { name: 'Calligraphy' }).check();
    await page.waitForFunction(() => document.fonts.check('20px "Signature script"'));
    await page.getByLabel('Your initials, as they').fill('A. L.');
    expect(await page.locator('.mark_place .script').allTextContents()).toEqual(['Ada Lovelace', 'Ada Lovelace', 'A. L.']);
    expect(await accessibilityFaults(page)).toEqual([]);
    await picture(page, 'adopt-typed-360');
    await page.getByLabel('I have read').check();
    await page.getByRole('button', { name: 'Sign', exact: true }).click();
    await page.getByText('All parties have signed.').waitFor();
    expect(complaints).toEqual([]);
    expect(await fontsOf(path)).toContainEqual(expect.stringContaining('GreatVibes'));
  });

  test('is an uploaded picture, without its paper, and drawn initials', async () => {
    const { page, complaints, id } = await open(1280, true, PLACES);
    const ink =
      '<rect width="900" height="500" fill="#f4f1ea"/><path d="M100 300 Q 400 0 800 300" stroke="#123" stroke-width="14" fill="none"/>';
    const photo = await sharp(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="900" height="500">${ink}</svg>`))
      .jpeg()
      .toBuffer();
    const of = (adopted: string) => page.locator(`[data-adopt=${adopted}]`);
    await of('signature').getByLabel('Upload a picture').check();
    await page.getByRole('button', { name: 'Sign', exact: true }).click();
    await page.getByRole('link', { name: 'Choose a picture' }).waitFor();
    await of('signature').locator('[type=file]').setInputFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer: photo });
    await page.locator('.mark_place canvas').nth(1).waitFor();
    await of('initials').getByLabel('Draw with finger').check();
    const pad = of('initials').locator('[data-way=drawn] canvas');
    await pad.scrollIntoViewIfNeeded();
    const { x, y } = (await pad.boundingBox()) as { x: number; y: number };
    await page.mouse.move(x + 30, y + 30);
    await page.mouse.down();
    for (const step of [60, 90, 120]) await page.mouse.move(x + step, y + (step % 60) + 40);
    await page.mouse.up();
    await page.locator('.mark_place canvas').nth(2).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await picture(page, 'adopt-picture-1280');
    await page.getByLabel('I have read').check();
    await page.getByRole('button', { name: 'Sign', exact: true }).click();
    await page.getByText('All parties have signed.').waitFor();
    await page.locator('.sheet img').first().scrollIntoViewIfNeeded();
    await picture(page, 'adopt-signed-1280');
    expect(complaints.filter((text) => !text.includes('status of 400'))).toEqual([]);
    const { rows } = await app.sql.query('SELECT signature, initials FROM signature_parties WHERE document_id = $1', [id]);
    const [{ signature, initials }] = rows as Record<string, { kind: string; png: string }>[];
    expect([signature.kind, initials.kind]).toEqual(['uploaded', 'drawn']);
    const { channels } = await sharp(Buffer.from(signature.png, 'base64')).stats();
    // most of it is transparent
    expect(channels[3].mean).toBeLessThan(60);
  });
});
