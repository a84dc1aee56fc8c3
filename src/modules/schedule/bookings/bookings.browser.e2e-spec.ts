import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { BookingFixture, SETTINGS } from '../../../../test/kit/booking-fixture.js';
import { accessibilityFaults, openBrowser } from '../../../../test/kit/browser.js';
import { sharedApp } from '../../../../test/kit/hosted-app.js';

const browser: Browser | null = await openBrowser();
const seen = browser ? describe : describe.skip;
const app = await sharedApp();
const rules = [1, 2, 3, 4, 5].map((weekday) => ({ weekday, start: '09:00', end: '13:00' }));
const questions = [
  { key: 'topic', label: 'What would you like to talk about?', kind: 'choice', options: ['A new project', 'Support'], required: true },
  { key: 'terms', label: 'I have read the terms', kind: 'checkbox', required: true },
];
const text = 'Half an hour to talk about your project, by phone or in our office in Berlin.\n\nBring your questions; coffee is on us.';
/** An address may send the form of a page ten times a minute, so there are two. */
let fixture: BookingFixture;
let other: BookingFixture;

const setUp = () =>
  BookingFixture.open(app, {
    availability: { rules, settings: SETTINGS },
    page: { duration_minutes: [30, 60], text, questions, title: 'Meet Grace' },
  });

beforeAll(async () => {
  [fixture, other] = [await setUp(), await setUp()];
}, 60_000);
afterAll(() => browser?.close());

interface Options {
  width?: number;
  script?: boolean;
  dark?: boolean;
  query?: string;
  of?: BookingFixture;
}

async function open({ width = 360, script = false, dark = false, query = '', of = fixture }: Options = {}): Promise<{
  page: Page;
  complaints: string[];
}> {
  const context = await (browser as Browser).newContext({
    viewport: { width, height: 740 },
    javaScriptEnabled: script,
    colorScheme: dark ? 'dark' : 'light',
    timezoneId: 'Asia/Tokyo',
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('request', (request) => request.url().startsWith(app.url) || complaints.push(`asked for ${request.url()}`));
  await page.goto(`${app.url}/b/${of.page.slug}${query}`);
  return { page, complaints };
}

const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
const picture = async (page: Page, name: string): Promise<void> => {
  if (process.env.TEST_SCREENSHOTS) await page.screenshot({ path: `${process.env.TEST_SCREENSHOTS}/${name}.png`, fullPage: true });
};

seen('the pages of a booking in a browser', () => {
  test.each([
    [360, false, ''],
    [360, true, '?tz=Asia/Kathmandu'],
    [1280, false, '?tz=America/New_York'],
    [1280, true, ''],
  ])(
    'fit %i pixels (dark: %s, %s) and pass axe-core: list, form, faults, appointment, moving, canceled',
    async (width, dark, query) => {
      const { page, complaints } = await open({ width, dark, query, script: true });
      const name = (step: string) => `booking-${step}-${width}-${dark ? 'dark' : 'light'}`;
      const check = async (step: string) => {
        expect([step, await overflow(page), await accessibilityFaults(page)]).toEqual([step, 0, []]);
        await picture(page, name(step));
      };
      await check('list');
      await page
        .getByRole('button', { name: /^\w+day \d+ \w+.*, \d\d:\d\d/ })
        .first()
        .click();
      await page.getByLabel('Your name').waitFor();
      await check('form');
      await page.getByRole('button', { name: 'Book this appointment' }).click();
      await page.getByRole('alert').waitFor();
      await check('faults');
      await page.getByLabel('Your name').fill('Ada Lovelace');
      await page.getByLabel('E-mail').fill(`ada-${width}-${dark}@example.com`);
      await page.getByLabel('What would you like').selectOption('Support');
      await page.getByLabel('I have read the terms').check();
      await page.getByRole('button', { name: 'Book this appointment' }).click();
      await page.getByRole('heading', { name: 'Your appointment' }).waitFor();
      await check('booked');
      await page.getByRole('link', { name: 'Choose another time' }).click();
      await check('move');
      await page
        .getByRole('button', { name: /^\w+day \d+ \w+.*, \d\d:\d\d/ })
        .nth(5)
        .click();
      await check('move-confirm');
      await page.getByRole('button', { name: 'Move it' }).click();
      await page.getByText('Cancel this appointment').click();
      await page.getByRole('button', { name: 'Cancel the appointment' }).click();
      await page.getByRole('heading', { name: 'Canceled' }).waitFor();
      await check('canceled');
      // the browser logs the status 400 of a rejected form
      expect(complaints.filter((one) => !one.includes('status of 400'))).toEqual([]);
    },
    60_000,
  );

  test('lead to an appointment in three pages, by keyboard alone and without scripts', async () => {
    const { page } = await open({ of: other });
    const tabTo = async (name: RegExp) => {
      for (let steps = 0; steps < 60; steps++) {
        await page.keyboard.press('Tab');
        const focused = page.locator(':focus');
        const label = await focused.evaluate((element) => {
          const named = (element.getAttribute('aria-labelledby') ?? '')
            .split(' ')
            .map((id) => document.getElementById(id)?.textContent ?? '');
          const input = element as HTMLInputElement;
          return [...named, input.labels?.[0]?.textContent ?? '', element.textContent].join(' ');
        });
        if (name.test(label)) return;
      }
      throw new Error(`The Tab key does not lead to ${name}.`);
    };
    await tabTo(/day \d+ \w+, \s*\d\d:\d\d/);
    await page.keyboard.press('Enter');
    await page.getByLabel('Your name').waitFor();
    await tabTo(/Your name/);
    await page.keyboard.type('Grace Hopper');
    await tabTo(/E-mail/);
    await page.keyboard.type('grace@example.com');
    await tabTo(/What would you like/);
    await page.keyboard.press('A');
    await tabTo(/I have read the terms/);
    await page.keyboard.press('Space');
    await tabTo(/Book this appointment/);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Your appointment' }).waitFor();
    expect(await page.getByRole('status').textContent()).toContain('Your appointment is booked.');
    expect((await other.bookings()).some(({ guest }) => (guest as { name: string }).name === 'Grace Hopper')).toBe(true);
  });

  test('keep the answers of a visitor whose time was taken meanwhile', async () => {
    const { page } = await open({ width: 1280, query: '?minutes=60', of: other });
    const button = page.getByRole('button', { name: /^\w+day \d+ \w+.*, \d\d:\d\d/ }).nth(8);
    const start = new Date((await button.getAttribute('value')) as string).toISOString();
    await button.click();
    const answers = { topic: 'Support', terms: true };
    expect((await other.book(start, { duration_minutes: 60, answers })).status).toBe(201);
    await page.getByLabel('Your name').fill('Ada Lovelace');
    await page.getByLabel('E-mail').fill('late@example.com');
    await page.getByLabel('What would you like').selectOption('Support');
    await page.getByLabel('I have read the terms').check();
    await page.getByRole('button', { name: 'Book this appointment' }).click();
    expect(await page.getByRole('alert').textContent()).toContain('This time is no longer free');
    expect([await overflow(page), await page.getByLabel('Your name').inputValue(), await page.getByRole('radio').count()]).toEqual([
      0,
      'Ada Lovelace',
      5,
    ]);
    await picture(page, 'booking-taken-1280');
    await page.getByRole('radio').first().check();
    await page.getByRole('button', { name: 'Book this appointment' }).click();
    await page.getByRole('heading', { name: 'Your appointment' }).waitFor();
  });

  test("preselect the zone of the visitor's device, and change nothing until the button is pressed", async () => {
    const { page } = await open({ script: true });
    expect(await page.getByLabel('Your time zone').inputValue()).toBe('Asia/Tokyo');
    const note = page.getByText('The times below are still in Berlin (Europe).');
    expect(await note.isVisible()).toBe(true);
    await page.getByLabel('Your time zone').selectOption('Europe/Berlin');
    expect(await note.isVisible()).toBe(false);
    await page.getByLabel('Your time zone').selectOption('Asia/Tokyo');
    await page.getByRole('button', { name: 'Show times' }).click();
    expect(new URL(page.url()).searchParams.get('tz')).toBe('Asia/Tokyo');
    expect(await page.locator('#tz-note').isVisible()).toBe(false);
    expect(await page.locator('.times small').first().textContent()).toMatch(/^\d\d:\d\d host$/);
  });
});
