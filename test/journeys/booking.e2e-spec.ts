import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import ICAL from 'ical.js';
import type { Browser, Page } from 'playwright-core';
import { BookingFixture } from '../../src/modules/schedule/testing/booking-fixture.js';
import { openBrowser } from '../harness/browser.js';
import { sharedApp } from '../harness/hosted-app.js';
import { EXT_SCHEDULE, ORG_SCHEDULE } from '../../src/modules/schedule/testing/schedule-fixture.js';

const browser: Browser | null = await openBrowser();
const seen = browser ? describe : describe.skip;
const app = await sharedApp();
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, javaScriptEnabled: false };
const HOUR_MS = 3_600_000;

let fixture: BookingFixture;

beforeAll(async () => {
  const questions = [
    { key: 'topic', label: 'What would you like to talk about?', kind: 'choice', options: ['A new project', 'Support'], required: true },
    { key: 'terms', label: 'I have read the terms', kind: 'checkbox', required: true },
  ];
  const rules = [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, start: '09:00', end: '11:00' }));
  fixture = await BookingFixture.open(app, { page: { questions }, availability: { rules } });
});

interface StoredMail {
  recipient: string;
  subject: string;
  text: string;
  calendar: string | null;
}

async function mailsTo(...recipients: string[]): Promise<StoredMail[]> {
  const { rows } = await app.sql.query<StoredMail>(
    'SELECT recipient, subject, text, calendar FROM mails WHERE recipient = ANY ($1) ORDER BY id',
    [recipients],
  );
  return rows;
}

/** What stands in somebody's calendar program after it has read these mails: times by UID. */
function calendarAfter(mails: readonly StoredMail[]): Map<string, string> {
  const entries = new Map<string, { sequence: number; start: string }>();
  for (const { calendar } of mails) {
    if (calendar === null) continue;
    const component = new ICAL.Component(ICAL.parse(calendar) as never);
    for (const vevent of component.getAllSubcomponents('vevent')) {
      const { uid, sequence, startDate } = new ICAL.Event(vevent);
      if (sequence < (entries.get(uid)?.sequence ?? 0)) continue;
      if (component.getFirstPropertyValue('method') === 'CANCEL') entries.delete(uid);
      else entries.set(uid, { sequence, start: startDate.toJSDate().toISOString() });
    }
  }
  return new Map([...entries].map(([uid, { start }]) => [uid, start]));
}

const linksIn = (text: string): string[] => text.match(/https?:\/\/\S+/g) ?? [];

async function book(start: string): Promise<{ email: string; link: string }> {
  const email = `${randomUUID()}@example.com`;
  const { status, text } = await fixture.book(start, { email, answers: { topic: 'Support', terms: true } });
  if (status !== 201) throw new Error(text);
  const [booked] = await mailsTo(email);
  return { email, link: linksIn(booked.text)[0] };
}

seen('story 6', () => {
  it('a guest moves an appointment by link on a phone without scripts; the calendar entry moves, not doubles', async () => {
    const [first] = await fixture.slots();
    const { email, link } = await book(first);
    const before = calendarAfter(await mailsTo(email));
    expect([...before.values()]).toEqual([first]);
    const context = await (browser as Browser).newContext(PHONE);
    const page = await context.newPage();
    await page.goto(link);
    await page.getByRole('link', { name: 'Choose another time' }).tap();
    await page.getByRole('heading', { name: 'Choose another time' }).waitFor();
    await page.locator('summary').nth(1).tap();
    await page
      .getByRole('button', { name: /^\w+day \d+ \w+.*, \d\d:\d\d/ })
      .last()
      .tap();
    const start = new Date((await page.locator('input[name=start]').getAttribute('value')) as string).toISOString();
    await page.getByRole('button', { name: 'Move it' }).tap();
    await page.getByRole('heading', { name: 'Your appointment' }).waitFor();
    expect(page.url()).toBe(link);
    expect(await page.locator('time').getAttribute('datetime')).toBe(start);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    await context.close();
    expect([start === first, [...calendarAfter(await mailsTo(email))]]).toEqual([false, [[[...before.keys()][0], start]]]);
    const [uid] = before.keys();
    expect(calendarAfter(await mailsTo(fixture.space.owner.email)).get(uid)).toBe(start);
    const window = `from=${first}&to=${new Date(Date.parse(start) + HOUR_MS).toISOString()}`;
    const { body } = await fixture.screen.get(`${ORG_SCHEDULE}/calendars/${fixture.calendar.id}/events?${window}`);
    expect(body.data.map(({ start_at }: { start_at: string }) => start_at)).toEqual([start]);
    expect(await fixture.slots()).toContain(first);
  });
});

it('story 7: a mail scanner opens every link, and all links on those pages; nothing has changed', async () => {
  const slots = await fixture.slots();
  const { email, link } = await book(slots[6]);
  const invited = `${randomUUID()}@example.com`;
  const { client: api } = await fixture.space.key({ module: 'schedule' });
  const times = { start_at: slots[7], end_at: new Date(Date.parse(slots[7]) + HOUR_MS).toISOString() };
  const event = { calendar_id: fixture.calendar.id, title: 'Planning', show_as: 'free', ...times, invitees: [{ email: invited }] };
  expect((await api.post(`${EXT_SCHEDULE}/events`, event)).status).toBe(201);
  const state = async () => {
    const of = async (table: string) =>
      (await app.sql.query(`SELECT * FROM ${table} WHERE organization_id = $1 ORDER BY id`, [fixture.space.organizationId]))
        .rows as unknown[];
    const tables = ['bookings', 'events', 'instances', 'invitees', 'occupancies', 'reminders', 'booking_codes'];
    const rows = await Promise.all([...tables.map((name) => of(`schedule_${name}`)), of('outbox_events')]);
    return [...rows, (await mailsTo(email, invited, fixture.space.owner.email)).map(({ subject }) => subject)];
  };
  const before = await state();
  const mails = await mailsTo(email, invited);
  const open = new Set(mails.flatMap(({ text }) => linksIn(text)));
  expect([...open].filter((one) => one.includes('/b/manage/') || one.includes('/r/'))).toHaveLength(2);
  const scanner = fixture.visitor();
  // the set grows while it is read: links of the pages, times to choose, and the addresses of their forms
  for (const address of open) {
    if (open.size > 200) break;
    const { pathname, search, origin } = new URL(address);
    if (origin !== app.url) continue;
    expect((await fetch(address, { method: 'HEAD' })).status).toBeLessThan(500);
    const { status, text } = await scanner.get(`${pathname}${search}`, { accept: 'text/html' });
    expect([200, 303, 400, 404, 405, 409]).toContain(status);
    for (const [, , path] of text.matchAll(/(href|action)="(\/(?:b|r|c)\/[^"]+)"/g)) open.add(`${app.url}${path.replaceAll('&amp;', '&')}`);
    const [time] = text.match(/(?<=name=start value=)[^ >]+/) ?? [];
    if (time) open.add(`${app.url}${pathname}?start=${time}`);
  }
  expect(open.size).toBeGreaterThan(6);
  expect(await state()).toEqual(before);
  // the person who presses the buttons still can
  expect((await fixture.send({}, undefined, `${new URL(link).pathname}/cancel`)).status).toBe(303);
  const [answer] = mails.flatMap(({ text }) => linksIn(text)).filter((one) => one.includes('/r/'));
  expect((await fixture.send({ response: 'declined' }, undefined, new URL(answer).pathname)).status).toBe(303);
  expect(await state()).not.toEqual(before);
});

/** A page as a screen reader announces it, moved through by keyboard. */
class ScreenReader {
  private constructor(
    readonly page: Page,
    private readonly tree: () => Promise<{ nodes: AccessibilityNode[] }>,
  ) {}

  static async open(of: Browser, url: string): Promise<ScreenReader> {
    const page = await (await of.newContext({ javaScriptEnabled: false })).newPage();
    const session = await page.context().newCDPSession(page);
    await page.goto(url);
    return new ScreenReader(page, () => session.send('Accessibility.getFullAXTree') as Promise<{ nodes: AccessibilityNode[] }>);
  }

  /** Role, name, description and invalidity of what has the focus. */
  async heard(): Promise<string> {
    const { nodes } = await this.tree();
    const focused = nodes.filter(({ properties = [] }) => properties.some(({ name, value }) => name === 'focused' && value.value === true));
    const node = focused.at(-1);
    const invalid = node?.properties?.some(({ name, value }) => name === 'invalid' && value.value === 'true') ? 'invalid' : '';
    return [node?.role?.value, node?.name?.value, node?.description?.value, invalid].filter(Boolean).join(' | ');
  }

  /** Everything that is announced, from the top, as `role name`. */
  async all(): Promise<string[]> {
    const { nodes } = await this.tree();
    return nodes.filter(({ ignored }) => !ignored).map(({ role, name }) => `${role?.value ?? ''} ${name?.value ?? ''}`.trim());
  }

  async tabTo(wanted: RegExp): Promise<void> {
    for (let steps = 0; steps < 40; steps++) {
      await this.page.keyboard.press('Tab');
      if (wanted.test(await this.heard())) return;
    }
    throw new Error(`The Tab key does not lead to ${wanted}: ${(await this.all()).join('\n')}`);
  }

  async press(key: string, title: RegExp): Promise<void> {
    await this.page.keyboard.press(key);
    await this.page.waitForFunction((pattern) => new RegExp(pattern).test(document.title), title.source);
  }
}

interface AccessibilityNode {
  ignored: boolean;
  role?: { value: string };
  name?: { value: string };
  description?: { value: string };
  properties?: { name: string; value: { value: unknown } }[];
}

seen('story 10', () => {
  it('a blind visitor books by keyboard and screen reader in three pages', async () => {
    const reader = await ScreenReader.open(browser as Browser, `${app.url}/b/${fixture.page.slug}`);
    const { page } = reader;
    const visited: string[] = [];
    page.on('framenavigated', (frame) => visited.push(new URL(frame.url()).pathname));
    const list = await reader.all();
    expect(list.filter((one) => one.startsWith('heading')).slice(0, 2)).toEqual([
      'heading Meet Grace',
      expect.stringMatching(/^heading \w+day \d+ \w+ to \w+day \d+ \w+/),
    ]);
    const [today, nextDay] = list.filter((one) => one.startsWith('DisclosureTriangle'));
    expect([today, nextDay]).toEqual([expect.stringMatching(/^\w+ \w+day \d+ \w+, \d+ times?$/), expect.not.stringContaining(today)]);
    await reader.tabTo(new RegExp(nextDay.replace('DisclosureTriangle ', '')));
    await page.keyboard.press('Enter');
    await reader.tabTo(/^button \| \w+day \d+ \w+,? 09:00/);
    const chosen = (await reader.heard()).replace(/^button \| /, '');
    await reader.press('Enter', /^Your details/);
    await reader.tabTo(/^textbox \| Your name/);
    await page.keyboard.type('Grace Hopper');
    await reader.tabTo(/^button \| Book this appointment/);
    await reader.press('Enter', /^Not booked yet/);
    // what is wrong is announced first, and leads to the field
    expect(await reader.heard()).toMatch(/^alert/);
    await reader.tabTo(/^link \| E-mail is required/);
    await page.keyboard.press('Enter');
    expect(await reader.heard()).toBe('textbox | E-mail | E-mail is required. | invalid');
    await page.keyboard.type('grace@example.com');
    await reader.tabTo(/^combobox \| What would you like to talk about\? \| Please choose: What would you like to talk about\? \| invalid/);
    await page.keyboard.press('S');
    await reader.tabTo(/^checkbox \| I have read the terms \| Please tick: I have read the terms \| invalid/);
    await page.keyboard.press('Space');
    await reader.tabTo(/^button \| Book this appointment/);
    await reader.press('Enter', /^Your appointment/);
    expect(await reader.heard()).toMatch(/^status/);
    const booked = await reader.all();
    expect(booked).toContain('StaticText Your appointment is booked.');
    const [day] = /\w+day \d+ \w+/.exec(chosen) as RegExpExecArray;
    expect(booked.join('\n')).toMatch(new RegExp(`${day} \\d{4}, 09:00 to 10:00`));
    // list, form (a second time with what was missing), appointment
    expect(visited.filter((path) => !path.endsWith('/book'))).toHaveLength(1);
    const made = (await fixture.bookings()).filter(({ guest }) => (guest as { name: string }).name === 'Grace Hopper');
    expect(made).toMatchObject([{ answers: { topic: 'Support', terms: true } }]);
    await page.context().close();
  });
});
