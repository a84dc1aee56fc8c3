import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { BookingFixture, SETTINGS } from '../testing/booking-fixture.js';
import { accessibilityFaults, focusOn, layoutFaults, openBrowser, pageOf } from '../../../../test/harness/browser.js';
import { sharedApp } from '../../../../test/harness/hosted-app.js';

const browser: Browser | null = await openBrowser();
const seen = browser ? describe : describe.skip;
const app = await sharedApp();
const rules = [1, 2, 3, 4, 5].map((weekday) => ({ weekday, start: '09:00', end: '13:00' }));
const questions = [
  { key: 'topic', label: 'What would you like to talk about?', kind: 'choice', options: ['A new project', 'Support'], required: true },
  { key: 'terms', label: 'I have read the terms', kind: 'checkbox', required: true },
];
const text = 'Half an hour to talk about your project, by phone or in our office in Berlin.\n\nBring your questions; coffee is on us.';
let fixture: BookingFixture;

beforeAll(async () => {
  const space = await app.workspace();
  const brand = await (await space.signIn()).patch('/api/v1/org/papers/settings', { color: '#7a1f5c' });
  expect(brand.status).toBe(200);
  fixture = await BookingFixture.open(
    app,
    {
      availability: { rules, settings: SETTINGS },
      page: { duration_minutes: [30, 60], text, questions, title: 'Meet Grace' },
    },
    space,
  );
});

interface Options {
  width?: number;
  script?: boolean;
  query?: string;
  zone?: string;
}

async function open({ width = 360, script = false, query = '', zone = 'Asia/Tokyo' }: Options = {}): Promise<{
  page: Page;
  complaints: string[];
}> {
  const page = await pageOf(browser as Browser, {
    viewport: { width, height: 740 },
    javaScriptEnabled: script,
    // colors change at once
    reducedMotion: 'reduce',
    timezoneId: zone,
  });
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('request', (request) => request.url().startsWith(app.url) || complaints.push(`asked for ${request.url()}`));
  await page.goto(`${app.url}/b/${fixture.page.slug}${query}`);
  // the script loads it again in the zone of the device
  if (script && !query.includes('tz=')) await page.waitForURL((url) => url.searchParams.has('tz'));
  return { page, complaints };
}

const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
const picture = async (page: Page, name: string): Promise<void> => {
  if (process.env.TEST_SCREENSHOTS) await page.screenshot({ path: `${process.env.TEST_SCREENSHOTS}/${name}.png`, fullPage: true });
};

seen('the pages of a booking in a browser', () => {
  test('the days are headed lists, whose headings stand outside of what folds them', async () => {
    const { page } = await open();
    const session = await page.context().newCDPSession(page);
    const { nodes } = await session.send('Accessibility.getFullAXTree');
    const byId = new Map(nodes.map((node) => [node.nodeId, node]));
    const rolesAbove = ({ parentId }: (typeof nodes)[number]): unknown[] => {
      const parent = parentId === undefined ? undefined : byId.get(parentId);
      return parent ? [parent.role?.value, ...rolesAbove(parent)] : [];
    };
    const named = (role: string, pattern: RegExp) =>
      nodes.filter((node) => !node.ignored && node.role?.value === role && pattern.test(String(node.name?.value)));
    const headings = named('heading', /^\w+day \d+ \w+,$/);
    expect(headings).toHaveLength(await page.locator('.days details').count());
    expect(headings.filter((one) => rolesAbove(one).includes('DisclosureTriangle'))).toEqual([]);
    // that of the open day
    expect(named('list', /day \d/).map(({ name }) => name!.value)).toEqual([headings[0].name!.value]);
    await session.detach();
  });

  test.each([
    [360, '?tz=Asia/Kathmandu'],
    [1280, ''],
  ])('fit %i pixels (%s) and pass axe-core, light and dark: list, form, faults, appointment, moving, canceled', async (width, query) => {
    const { page, complaints } = await open({ width, query, script: true });
    const check = async (step: string) => {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        // what is dark differs in colors only
        const faults = await accessibilityFaults(page, colorScheme === 'dark' ? 'colors' : 'all');
        expect([step, colorScheme, await layoutFaults(page), faults]).toEqual([step, colorScheme, [], []]);
        await picture(page, `booking-${step}-${width}-${colorScheme}`);
      }
    };
    expect(await page.locator('.crest').evaluate((crest) => getComputedStyle(crest).backgroundColor)).toBe('rgb(122, 31, 92)');
    await check('list');
    // the first time could begin before it is booked
    await page.locator('.days summary').last().click();
    await page
      .getByRole('button', { name: /^\w+day \d+ \w+.*, \d\d:\d\d/ })
      .last()
      .click();
    await page.getByLabel('Your name').waitFor();
    await check('form');
    await page.getByRole('button', { name: 'Book this appointment' }).click();
    await page.getByRole('alert').waitFor();
    await check('faults');
    await page.getByLabel('Your name').fill('Ada Lovelace');
    await page.getByLabel('E-mail').fill(`ada-${width}@example.com`);
    await page.getByLabel('What would you like').selectOption('Support');
    await page.getByLabel('I have read the terms').check();
    await page.getByRole('button', { name: 'Book this appointment' }).click();
    await page.getByRole('heading', { name: 'Your appointment' }).waitFor();
    await check('booked');
    await page.getByRole('link', { name: 'Choose another time' }).click();
    await check('move');
    await page
      .getByRole('button', { name: /^\w+day \d+ \w+.*, \d\d:\d\d/ })
      .first()
      .click();
    await check('move-confirm');
    await page.getByRole('button', { name: 'Move it' }).click();
    await page.getByText('Cancel this appointment').click();
    await page.getByRole('button', { name: 'Cancel the appointment' }).click();
    await page.getByRole('heading', { name: 'Canceled' }).waitFor();
    await check('canceled');
    // the browser logs the status 400 of a rejected form
    expect(complaints.filter((one) => !one.includes('status of 400'))).toEqual([]);
  });

  test('keep the answers of a visitor whose time was taken meanwhile', async () => {
    const { page } = await open({ width: 1280, query: '?minutes=60' });
    await page.locator('.days summary').nth(1).click();
    await page
      .getByRole('button', { name: /^\w+day \d+ \w+.*, \d\d:\d\d/ })
      .last()
      .click();
    const start = new Date((await page.locator('input[name=start]').getAttribute('value')) as string).toISOString();
    const answers = { topic: 'Support', terms: true };
    expect((await fixture.book(start, { duration_minutes: 60, answers })).status).toBe(201);
    await page.getByLabel('Your name').fill('Ada Lovelace');
    await page.getByLabel('E-mail').fill('late@example.com');
    await page.getByLabel('What would you like').selectOption('Support');
    await page.getByLabel('I have read the terms').check();
    await page.getByRole('button', { name: 'Book this appointment' }).click();
    await focusOn(page, '[role=alert]');
    expect(await page.getByRole('alert').textContent()).toContain('This time is no longer free');
    expect([await overflow(page), await page.getByLabel('Your name').inputValue(), await page.getByRole('radio').count()]).toEqual([
      0,
      'Ada Lovelace',
      5,
    ]);
    await picture(page, 'booking-taken-1280');
    // axe-core does not look at the crest, which is hidden from screen readers; its ground is that of buttons
    const colorOf = (selector: string) => page.locator(selector).evaluate((element) => getComputedStyle(element).color);
    expect(await colorOf('.crest')).toBe(await colorOf('form.card > button'));
    await page.getByRole('radio').first().check();
    await page.getByRole('button', { name: 'Book this appointment' }).click();
    await page.getByRole('heading', { name: 'Your appointment' }).waitFor();
  });

  test("show the times in the zone of the visitor's device at once, by the list's name of it", async () => {
    for (const [device, zone, label] of [
      ['Asia/Tokyo', 'Asia/Tokyo', 'Tokyo (Asia)'],
      // the browser has an old name for it
      ['Asia/Kathmandu', 'Asia/Kathmandu', 'Kathmandu (Asia)'],
      // one that the list does not have
      ['Pacific/Chatham', 'Pacific/Chatham', 'Chatham (Pacific)'],
    ]) {
      const { page, complaints } = await open({ script: true, zone: device });
      expect([new URL(page.url()).searchParams.get('tz'), await page.getByLabel('Your time zone').inputValue()]).toEqual([zone, zone]);
      await page.getByText(`Times are in ${label}; the smaller ones are the host's, in Berlin (Europe).`).waitFor();
      const times = page.getByRole('button', { name: /^\w+day \d+ \w+, \d\d:\d\d \d\d:\d\d host$/ });
      const value = (await times.first().getAttribute('value')) as string;
      const shown = (timeZone: string) =>
        new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(Number.parseInt(value, 36) * 60_000);
      expect(await times.first().textContent()).toContain(shown(zone) + shown('Europe/Berlin'));
      expect([await page.locator('#tz-note').isVisible(), complaints]).toEqual([false, []]);
    }
  });

  test("keep the host's zone without scripts, and one that the visitor has chosen", async () => {
    const { page: plain } = await open({ script: false });
    expect([await plain.getByLabel('Your time zone').inputValue(), new URL(plain.url()).search]).toEqual(['Europe/Berlin', '']);
    const { page } = await open({ script: true, query: '?tz=America/New_York' });
    expect(await page.getByLabel('Your time zone').inputValue()).toBe('America/New_York');
    await page.getByLabel('Your time zone').selectOption('Asia/Tokyo');
    expect(await page.getByText('The times below are still in New York (America).').isVisible()).toBe(true);
    await page.getByRole('button', { name: 'Show times' }).click();
    await page.waitForURL((url) => url.searchParams.get('tz') === 'Asia/Tokyo');
    expect(await page.locator('#tz-note').isVisible()).toBe(false);
    // back at the times of New York, they are said to be those
    await page.goBack();
    await page.waitForURL((url) => url.searchParams.get('tz') === 'America/New_York');
    expect(await page.getByLabel('Your time zone').inputValue()).toBe('America/New_York');
    expect(await page.locator('#tz-note').isVisible()).toBe(false);
  });
});
