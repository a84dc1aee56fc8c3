import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PDFDocument } from '@cantoo/pdf-lib';
import type { Browser, Page } from 'playwright-core';
import { ownApp } from '../../../../../../test/harness/hosted-app.js';
import { accessibilityFaults, focusOn, layoutFaults, openBrowser, pageOf } from '../../../../../../test/harness/browser.js';
import { certificateAuthority } from '../../../testing/certificate-authority.js';
import { Mailbox } from '../../../../../../test/harness/mailbox.js';
import { party, SigningFixture } from '../../../testing/signing-fixture.js';

const TEMPLATE =
  '# Agreement\n\nBetween **{{customer}}** and **{{supplier}}**.\n\n' +
  '1. The supplier delivers monthly.\n2. The customer pays within 30 days.\n\n' +
  '| Service | Price per month | Notice | Begins |\n|---|---:|---|---|\n' +
  '| Support and maintenance | 1,200.00 | three months | 1 January |\n';

const browser: Browser | null = await openBrowser();
const seen = browser ? describe : describe.skip;
const mailbox = await Mailbox.start();
const authority = await certificateAuthority();
const app = await ownApp({ env: { ...mailbox.env, ...(authority && { SEAL_TIME_STAMP_URLS: authority.timeStampUrl }) } });
const signing = await SigningFixture.open(app, mailbox);

afterAll(async () => {
  await mailbox.stop();
  await authority?.close();
});

interface Opened {
  id: string;
  page: Page;
  /** Errors reported by the browser, including violations of the content security policy. */
  complaints: string[];
}

async function open({
  parties = [party('customer')],
  width = 360,
  script = true,
  template = TEMPLATE,
  file = [] as readonly object[],
} = {}): Promise<Opened & { customer: string }> {
  const { id, customer } = await signing.sent(parties, { template, signing_days: 14 }, null, file);
  const page = await pageOf(browser as Browser, {
    viewport: { width, height: 740 },
    javaScriptEnabled: script,
    hasTouch: width < 500,
    // colors change at once
    reducedMotion: 'reduce',
  });
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on(
    'request',
    (request) => request.url().startsWith(app.url) || request.url().startsWith('data:') || complaints.push(`asked for ${request.url()}`),
  );
  await page.goto(app.url + (await signing.link(customer)));
  return { id, page, complaints, customer };
}

/** Drops a file beside the field for it. */
async function drop(page: Page, pdf: Buffer): Promise<void> {
  await page.evaluate((base64) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0))], 'a.pdf', { type: 'application/pdf' }));
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
  }, pdf.toString('base64'));
}

async function draw(page: Page): Promise<void> {
  // the mouse reaches only what is in the window
  await page.locator('#signature_pad').scrollIntoViewIfNeeded();
  const box = (await page.locator('#signature_pad').boundingBox()) as { x: number; y: number; width: number; height: number };
  await page.mouse.move(box.x + 20, box.y + 40);
  await page.mouse.down();
  for (let step = 1; step <= 20; step++) await page.mouse.move(box.x + 20 + step * 10, box.y + 80 + Math.sin(step) * 40);
  await page.mouse.up();
}

const state = async (id: string): Promise<string> => (await signing.workflow.read(id)).state;
const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
const picture = async (page: Page, name: string): Promise<void> => {
  if (process.env.TEST_SCREENSHOTS) await page.screenshot({ path: `${process.env.TEST_SCREENSHOTS}/${name}.png`, fullPage: true });
};

seen('the signing page in a browser', () => {
  test.each([360, 1280])('fits %i pixels and has no accessibility violations found by axe-core, light and dark', async (width) => {
    const { page, complaints } = await open({ parties: [party('customer', { auth: 'otp' }), party('supplier')], width });
    const check = async (step: string) => {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        // what is dark differs in colors only
        const faults = await accessibilityFaults(page, colorScheme === 'dark' ? 'colors' : 'all');
        expect([step, colorScheme, await layoutFaults(page), faults]).toEqual([step, colorScheme, [], []]);
        await picture(page, `${step}-${width}-${colorScheme}`);
      }
    };
    await page.getByText('I do not want to sign').click();
    await check('signing');
    await page.getByLabel('Draw with finger').check();
    await page.getByRole('button', { name: 'Sign', exact: true }).click();
    await page.getByRole('alert').waitFor();
    await check('problems');
    // A rejected form is a page with status 400, which the browser reports as an error.
    expect(complaints.filter((text) => !text.includes('status of 400'))).toEqual([]);
  });

  test.each([360, 1280])(
    'shows the pages that are signed, with text to select, and leads from field to field at %i pixels',
    async (width) => {
      const { page, complaints, id } = await open({
        width,
        template: `${TEMPLATE}\n{{#signature customer}}`,
        file: [
          { key: 'place', kind: 'text', label: 'Place of birth', page: 1, y: 0.7 },
          { key: 'iban', kind: 'text', label: 'IBAN', page: 2, y: 0.1 },
          { key: 'name', kind: 'signature', page: 2, y: 0.3 },
        ],
      });
      const shown = await page
        .locator('.sheet img')
        .first()
        .evaluate(async (image: HTMLImageElement) => {
          await image.decode();
          return [new URL(image.currentSrc).searchParams.get('width'), image.naturalHeight > image.naturalWidth];
        });
      expect(shown).toEqual([width === 360 ? '720' : '1440', true]);
      await page.locator('#page_1 svg').waitFor({ state: 'attached' });
      const selected = await page.evaluate(() => {
        getSelection()?.selectAllChildren(document.querySelector('#page_1 svg') as Element);
        return String(getSelection());
      });
      expect(selected).toContain('Lease of a flat');
      expect([await overflow(page), await accessibilityFaults(page)]).toEqual([0, []]);
      await page.getByRole('button', { name: 'Next field' }).click();
      await page.keyboard.type('Zürich');
      await page.keyboard.press('Enter');
      expect(await page.getByRole('dialog').getByLabel('IBAN').inputValue()).toBe('');
      await page.keyboard.type('CH93 0076 2011');
      expect(await accessibilityFaults(page)).toEqual([]);
      await picture(page, `field-${width}`);
      await page.keyboard.press('Enter');
      expect(await page.locator('#progress').textContent()).toBe('2 of 2 fields filled in');
      // once the server has answered, there is no next field
      await focusOn(page, '#sign_part');
      await page.getByLabel('Your name').fill('Ada Lovelace');
      expect(await page.locator('.mark_place').allTextContents()).toEqual(['Zürich', 'CH93 0076 2011', 'Ada Lovelace']);
      // The mark covers what will be printed. Both boxes are read at once, because the page may scroll meanwhile.
      const markAt = await page.locator('#mark_0').evaluate((mark) => {
        const sheet = mark.closest('.sheet')?.getBoundingClientRect() ?? new DOMRect();
        return (mark.getBoundingClientRect().y - sheet.y) / sheet.height;
      });
      expect(markAt).toBeCloseTo(0.7, 2);
      await picture(page, `filled-${width}`);
      await page.getByLabel('I have read').check();
      await page.getByRole('button', { name: 'Sign', exact: true }).click();
      await page.getByRole('status').first().waitFor();
      expect([await state(id), complaints]).toEqual(['executed', []]);
    },
  );

  test.each([360, 1280])('shows every table whole at %i pixels', async (width) => {
    const word = 'Donaudampfschifffahrtsgesellschaftskapitän';
    const table = (columns: number) => {
      const row = (text: (column: number) => string) => `| ${Array.from({ length: columns }, (_, column) => text(column)).join(' | ')} |`;
      const cell = (column: number) => (column % 3 === 0 ? 'EUR\u00A01,234,567,890.12' : `${word}${column}`);
      return [row((column) => `Column ${column}`), row((column) => (column % 3 === 0 ? '--:' : '---')), row(cell), row(cell)].join('\n');
    };
    const deliveries = Array.from(
      { length: 8 },
      (_, row) => `| Delivery ${row + 1} of **paper** and pens | 1 May 2027 | 1,200.00 | Hildegard |`,
    );
    const long = ['| What we deliver | Day | Unit price in euros | Responsible |', '|---|---|--:|---|', ...deliveries].join('\n');
    const { page } = await open({ width, template: `# Tables\n\n${[2, 4, 7, 14].map(table).join('\n\n')}\n\n${long}` });
    await page.getByLabel('Text', { exact: true }).check();
    // long tables fold on phones, where screen readers still find rows and columns, and not on paper
    const last = page.getByRole('row', { includeHidden: true }).filter({ hasText: 'Delivery 8 of' });
    const fold = page.getByText('Show all 8 rows');
    expect([await last.isVisible(), await fold.isVisible()]).toEqual([width > 400, width < 400]);
    if (width < 400) {
      await page.emulateMedia({ media: 'print' });
      expect([await last.isVisible(), await fold.isVisible()]).toEqual([true, false]);
      await page.emulateMedia({ media: 'screen' });
      await picture(page, 'folded-360');
      await page.locator('.fold summary').press('Enter');
      expect([await last.isVisible(), await page.getByText('Show fewer rows').isVisible()]).toEqual([true, true]);
      expect(await last.getByRole('cell').allTextContents()).toEqual([
        'Delivery 8 of paper and pens',
        '1 May 2027',
        '1,200.00',
        'Hildegard',
      ]);
    }
    const cut = await page.evaluate(() => {
      const paper = document.querySelector('.paper') as Element;
      const { left, right } = paper.getBoundingClientRect();
      return [...paper.querySelectorAll('.wide, td')].filter((element) => {
        const box = element.getBoundingClientRect();
        return element.scrollWidth > element.clientWidth + 1 || box.left < left || box.right > right;
      }).length;
    });
    expect([cut, await overflow(page), await accessibilityFaults(page)]).toEqual([0, 0, []]);
    await picture(page, `tables-${width}`);
  });

  test('can be used with the keyboard alone, and announces errors and results', async () => {
    const { id, page } = await open();
    const focused = () => page.evaluate(() => document.activeElement?.id);
    const tabTo = async (wanted: string) => {
      for (let steps = 0; steps < 30; steps++) {
        await page.keyboard.press('Tab');
        if ((await focused()) === wanted) return;
      }
      throw new Error(`The Tab key does not lead to ${wanted}.`);
    };
    await tabTo('typed_name');
    expect(await page.getByLabel('Your name').inputValue()).toBe('Ada Lovelace');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.press('Delete');
    await page.keyboard.press('Enter');
    await focusOn(page, '[role=alert]');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await focusOn(page, '#typed_name');
    await page.keyboard.type('Ada Lovelace');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('face_plain');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('consent');
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('All parties have signed.').waitFor();
    await focusOn(page, '[role=status]');
    expect([await state(id), await accessibilityFaults(page)]).toEqual(['executed', []]);
  });

  test('accepts a drawn signature, also on a small screen', async () => {
    const { id, page, complaints } = await open();
    await page.getByLabel('Draw with finger').check();
    await draw(page);
    expect(await page.locator('[data-adopt=signature] [data-way=drawn] [role=status]').textContent()).toBe('A signature is drawn.');
    await page.getByLabel('I have read this document').check();
    await picture(page, 'drawn-360');
    const canvas = await page.locator('#signature_pad').evaluate((pad: HTMLCanvasElement) => pad.width);
    await page.getByRole('button', { name: 'Sign', exact: true }).click();
    await page.getByText('All parties have signed.').waitFor();
    const { rows } = await app.sql.query<{ signature: { kind: string; png: string } }>(
      'SELECT signature FROM signature_parties WHERE document_id = $1',
      [id],
    );
    const { kind, png } = rows[0].signature;
    expect([kind, png.length > 1000, await state(id), complaints]).toEqual(['drawn', true, 'executed', []]);
    // the empty space around it is left out: its width is at byte 16
    expect(Buffer.from(png, 'base64').readUInt32BE(16)).toBeLessThan(canvas);
  });

  test('keeps the proportions of a drawing when the phone is turned', async () => {
    const { page } = await open();
    await page.getByLabel('Draw with finger').check();
    await draw(page);
    const pad = () =>
      page.locator('#signature_pad').evaluate((element) => {
        const canvas = element as HTMLCanvasElement;
        const { width, height } = canvas;
        const pixels = (canvas.getContext('2d') as CanvasRenderingContext2D).getImageData(0, 0, width, height).data;
        const box = { left: width, top: height, right: 0, bottom: 0 };
        for (let at = 0; at < width * height; at++) {
          if (pixels[at * 4 + 3] < 128) continue;
          const [x, y] = [at % width, Math.floor(at / width)];
          box.left = Math.min(box.left, x);
          box.right = Math.max(box.right, x);
          box.top = Math.min(box.top, y);
          box.bottom = Math.max(box.bottom, y);
        }
        const ink = (box.right - box.left) / (box.bottom - box.top);
        return { ink, stretch: width / height / (canvas.clientWidth / canvas.clientHeight), inkWidth: box.right - box.left, width };
      });
    const fits = () =>
      page.waitForFunction(() => {
        const { width, height, clientWidth, clientHeight } = document.getElementById('signature_pad') as HTMLCanvasElement;
        const pixels = Math.min(devicePixelRatio, 2);
        return width === Math.min(Math.round(clientWidth * pixels), 1600) && height === Math.min(Math.round(clientHeight * pixels), 600);
      });
    const before = await pad();
    for (const [width, height] of [
      [780, 360],
      [360, 780],
      [320, 640],
      [780, 360],
    ]) {
      await page.setViewportSize({ width, height });
      await fits();
      const after = await pad();
      expect(after.stretch).toBeCloseTo(1, 1);
      expect(after.ink / before.ink).toBeCloseTo(1, 1);
      expect(after.inkWidth).toBeGreaterThan(before.inkWidth / 2);
      expect(await page.locator('[data-adopt=signature] [data-way=drawn] [role=status]').textContent()).toBe('A signature is drawn.');
    }
    await picture(page, 'turned-780');
  });

  test('keeps what was drawn and entered while the document cannot be sealed, and signs it later, also without scripts', async () => {
    if (!authority) return;
    const parties = [party('customer', { auth: 'otp' })];
    const { id, page, customer } = await open({ parties });
    await page.getByRole('button', { name: 'Send me the code' }).click();
    await page.getByText('We have sent you a code.').waitFor();
    const code = (/is (\d{6})\./.exec((await mailbox.newest(customer, 'Your code')).text) as RegExpExecArray)[1];
    await page.getByLabel('The code from the second mail').first().fill(code);
    await page.getByLabel('Draw with finger').check();
    await draw(page);
    await page.getByLabel('I have read this document').check();
    authority.answer({ status: 500 });
    const sent = page.waitForResponse((response) => response.url().endsWith('/sign'));
    await page.getByRole('button', { name: 'Sign', exact: true }).click();
    const response = await sent;
    expect([response.status(), response.headers()['retry-after'], await state(id)]).toEqual([503, '60', 'sent']);
    expect(await page.getByRole('alert').textContent()).toContain('What you have entered is still here');
    await page.getByText('A signature is drawn.').waitFor();
    await picture(page, 'not-sealed-360');
    const kept = await page.evaluate(() => (document.getElementById('signature_pad') as HTMLCanvasElement).toDataURL().length);
    expect([kept > 1000, await page.getByLabel('Draw with finger').isChecked()]).toEqual([true, true]);
    authority.answer(null);
    await page.evaluate(() => {
      // as a reader without scripts sends it: what the page has
      (document.getElementById('sign') as HTMLFormElement).submit();
    });
    await page.getByText('All parties have signed.').waitFor();
    const { rows } = await app.sql.query('SELECT signature, authentication FROM signature_parties WHERE document_id = $1', [id]);
    expect(rows).toEqual([
      { signature: { kind: 'drawn', png: expect.stringMatching(/^.{1000}/) }, authentication: 'mailed_link_and_code' },
    ]);
  });

  test('discards a cleared drawing', async () => {
    const { id, page } = await open();
    await page.getByLabel('Draw with finger').check();
    await draw(page);
    await page.getByText('A signature is drawn.').waitFor();
    await page.getByRole('button', { name: 'Clear the drawing' }).click();
    await page.getByLabel('I have read this document').check();
    await page.getByRole('button', { name: 'Sign', exact: true }).click();
    await page.getByRole('alert').waitFor();
    expect([await page.getByLabel('Draw with finger').isChecked(), await state(id)]).toEqual([true, 'sent']);
  });

  test('accepts a typed signature and a declined document without scripts', async () => {
    const signing = await open({ script: false });
    expect(await signing.page.getByLabel('Draw with finger').isVisible()).toBe(false);
    await signing.page.getByLabel('Your name, as your signature').fill('Ada Lovelace');
    await signing.page.getByLabel('I have read this document').check();
    await signing.page.getByRole('button', { name: 'Sign', exact: true }).click();
    await signing.page.getByText('All parties have signed.').waitFor();
    const declining = await open({ script: false });
    await declining.page.getByText('I do not want to sign').click();
    await declining.page.getByLabel('Why do you decline?').fill('Not this year.');
    await declining.page.getByRole('button', { name: 'Decline to sign' }).click();
    await declining.page.getByRole('heading', { name: 'You have declined to sign' }).waitFor();
    expect([await state(signing.id), await state(declining.id)]).toEqual(['executed', 'declined']);
  });

  test('requires the code from the second mail', async () => {
    const { id, page, customer } = await open({ parties: [party('customer', { auth: 'otp' })] });
    await page.getByRole('button', { name: 'Send me the code' }).click();
    await page.getByText('We have sent you a code.').waitFor();
    await picture(page, 'code-360');
    const [, code] = /is (\d{6})\./.exec((await mailbox.newest(customer, 'Your code')).text) as RegExpExecArray;
    await page.getByLabel('Your name, as your signature').fill('Ada Lovelace');
    await page.getByLabel('I have read this document').check();
    await page.locator('#code').fill(code);
    await page.locator('#code').press('Enter');
    await page.getByText('All parties have signed.').waitFor();
    expect(await state(id)).toBe('executed');
  });
});

seen('the page of a shared document in a browser', () => {
  test('opens with its passcode, fits 360 pixels and has no accessibility violations found by axe-core', async () => {
    const { code } = await signing.workflow.type({ template: TEMPLATE.replaceAll('{{supplier}}', 'us') });
    const { id } = await signing.workflow.draft(code);
    const { body } = await signing.workflow.api.post(`/api/v1/ext/papers/documents/${id}/share-link`, {
      passcode: 'blue harbour',
      allow_download: true,
    });
    const page = await pageOf(browser as Browser, { viewport: { width: 360, height: 740 }, hasTouch: true, reducedMotion: 'reduce' });
    await page.goto(body.url as string);
    expect([await overflow(page), await accessibilityFaults(page)]).toEqual([0, []]);
    await page.getByLabel('Passcode').fill('red harbour');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    await picture(page, 'passcode-360');
    await page.getByLabel('Passcode').fill('blue harbour');
    await page.getByRole('button', { name: 'Open the document' }).click();
    await page.locator('#page_1 svg').getByText('DRAFT').first().waitFor({ state: 'attached' });
    expect([await overflow(page), await accessibilityFaults(page)]).toEqual([0, []]);
    await picture(page, 'shared-360');
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Download as PDF' }).click()]);
    expect(download.suggestedFilename()).toMatch(/\.pdf$/);
  });
});

seen('the other public pages in a browser', () => {
  const paths: Record<string, string> = {
    verify: '/verify?language=de',
    'sign in': '/console/sign-in',
    'forgotten password': '/console/reset',
    'not found': '/s/nothing',
  };
  let executed: Buffer;

  beforeAll(async () => {
    const parties = [party('customer'), party('supplier', { order: 2 })];
    const [open, revoked] = [await signing.sent(parties), await signing.sent()];
    const yellow = await signing.workflow.screen.patch('/api/v1/org/papers/settings', { color: '#ffd400' });
    expect(yellow.status).toBe(200);
    paths.waiting = await signing.link(open.customer);
    await signing.sign(paths.waiting);
    paths.revoked = await signing.link(revoked.customer);
    await signing.workflow.move(revoked.id, 'revoke', { comments: 'A mistake' });
    const done = await signing.sent();
    paths.executed = await signing.link(done.customer);
    await signing.sign(paths.executed);
    executed = (await signing.visitor.get(`${paths.executed}/pdf`)).body as Buffer;
  });

  test('pass axe-core, fit 360 and 1280 pixels, light and dark, and have targets that a finger can hit', async () => {
    const page = await pageOf(browser as Browser, { reducedMotion: 'reduce' });
    const faults: string[] = [];
    const check = async (name: string) => {
      for (const width of [360, 1280]) {
        await page.setViewportSize({ width, height: 740 });
        faults.push(...(await layoutFaults(page)).map((fault) => `${name}, ${width} pixels: ${fault}`));
        await picture(page, `${name}-${width}`);
      }
      faults.push(...(await accessibilityFaults(page)).map((fault) => `${name}: ${fault}`));
      await page.emulateMedia({ colorScheme: 'dark' });
      faults.push(...(await accessibilityFaults(page, 'colors')).map((fault) => `${name}, dark: ${fault}`));
      await page.emulateMedia({ colorScheme: 'light' });
    };
    for (const [name, path] of Object.entries(paths)) {
      await page.goto(app.url + path);
      await check(name);
    }
    await page.goto(`${app.url}/verify`);
    const foreign = await PDFDocument.create();
    foreign.addPage();
    const elsewhere = Buffer.from(await foreign.save());
    const changed = Buffer.concat([executed, Buffer.from('\n9 0 obj\n<< /Extra true >>\nendobj\n%%EOF\n')]);
    for (const [name, buffer, shown] of [
      ['unchanged', executed, '.done #verdict'],
      ['changed', changed, '.problem #verdict'],
      ['unknown', elsewhere, '.note:not(.done, .problem) #verdict'],
      ['unreadable', Buffer.from('%PDF-1.7 and then nothing'), '.problem #verdict'],
      ['no PDF', Buffer.from('<html>'), '[role=alert]'],
    ] as const) {
      if (name === 'unchanged') await drop(page, buffer);
      else {
        await page.getByLabel('PDF file').last().setInputFiles({ name: 'a.pdf', mimeType: 'application/pdf', buffer });
        await page.getByRole('button', { name: 'Verify' }).click();
      }
      await page.locator(shown).waitFor();
      await check(name);
    }
    expect(faults).toEqual([]);
  });
});
