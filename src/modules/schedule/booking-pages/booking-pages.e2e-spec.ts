import { expect, it } from '@jest/globals';
import { BookingFixture, SETTINGS } from '../testing/booking-fixture.js';
import { sharedApp } from '../../../../test/harness/hosted-app.js';
import { makeCalendar, ORG_SCHEDULE } from '../testing/schedule-fixture.js';

const app = await sharedApp();
const PAGES = `${ORG_SCHEDULE}/booking-pages`;

async function setUp() {
  const space = await app.workspace();
  const calendar = await makeCalendar(space);
  const slug = `meet-${space.organizationId.slice(-12)}`;
  return { space, calendar, slug, owner: await space.signIn() };
}

it('a booking page is created with defaults, changed and deleted', async () => {
  const { calendar, slug, owner } = await setUp();
  const created = await owner.post(PAGES, { calendar_id: calendar.id, slug, title: 'Meet Grace', duration_minutes: [30, 60] });
  expect([created.status, created.body]).toMatchObject([
    201,
    {
      object: 'booking_page',
      url: `${app.url}/b/${slug}`,
      enabled: true,
      duration_minutes: [30, 60],
      resource_mode: 'calendar',
      questions: [],
      requires_confirmation: false,
      verify_email: false,
      change_notice_minutes: 0,
      max_reschedules: 3,
    },
  ]);
  const path = `${PAGES}/${created.body.id}`;
  const questions = [{ key: 'topic', label: 'Topic', kind: 'choice', options: ['A', 'B'] }];
  expect((await owner.patch(path, { questions })).body.questions).toEqual([{ ...questions[0], required: false }]);
  expect((await owner.get(`${PAGES}?calendar_id=${calendar.id}`)).body.data).toHaveLength(1);
  expect([(await owner.delete(path)).status, (await owner.get(path)).status]).toEqual([204, 404]);
});

it('a slug is taken once for all organizations', async () => {
  const [one, other] = [await setUp(), await setUp()];
  const page = { slug: one.slug, title: 'Meet', duration_minutes: [30] };
  expect((await one.owner.post(PAGES, { ...page, calendar_id: one.calendar.id })).status).toBe(201);
  const { status, body } = await other.owner.post(PAGES, { ...page, calendar_id: other.calendar.id });
  expect([status, body.error.code, body.error.param]).toEqual([409, 'duplicate', 'slug']);
});

it('questions that cannot be asked, repeated lengths and a reserved slug are refused by name', async () => {
  const { calendar, owner } = await setUp();
  const { status, body } = await owner.post(PAGES, {
    calendar_id: calendar.id,
    slug: 'manage',
    title: 'Meet',
    duration_minutes: [30],
    questions: [
      { key: 'topic', label: 'Topic', kind: 'choice' },
      { key: 'topic', label: 'Again', kind: 'text', options: ['A'] },
    ],
  });
  expect([status, body.error.details.map(({ param }: { param: string }) => param)]).toEqual([
    400,
    ['slug', 'questions.0.options', 'questions.1.key', 'questions.1.options'],
  ]);
});

it('a page without free times looks two months ahead, however far visitors may book', async () => {
  const { text: closed } = await pageOf({ rules: [], settings: { ...SETTINGS, horizon_days: 730 } });
  const [, on] = /free times before <a href="[^"]*on=([\d-]+)/.exec(closed) as RegExpExecArray;
  expect(Math.round((Date.parse(on) - Date.now()) / 86_400_000)).toBeLessThanOrEqual(14 + 62);
  expect((await pageOf({ rules: [], settings: SETTINGS })).text).toContain('There are no free times at the moment.');
});

async function pageOf(availability: object) {
  const fixture = await BookingFixture.open(app, { availability });
  return fixture.visitor().get(`/b/${fixture.page.slug}`, { accept: 'text/html' });
}

it.each([
  [5, 30, 'America/New_York', 160],
  [5, 20, 'Europe/Berlin', 240],
  [7, 30, 'Europe/Berlin', 224],
])('a page shows 14 days of 8 hours, %i days a week, every %i minutes in %s, and stays small', async (weekdays, minutes, tz, most) => {
  const rules = Array.from({ length: weekdays }, (_, day) => ({ weekday: day + 1, start: '09:00', end: '17:00' }));
  const availability = { rules, settings: { ...SETTINGS, slot_minutes: minutes } };
  const fixture = await BookingFixture.open(app, { availability, page: { duration_minutes: [minutes, 60] } });
  // so that no time is over
  const on = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
  const { text } = await fixture.visitor().get(`/b/${fixture.page.slug}?tz=${tz}&on=${on}`, { accept: 'text/html' });
  const later = new Date(Date.parse(on) + 14 * 86_400_000).toISOString().slice(0, 10);
  expect([text.match(/name=start/g)?.length, text.includes(`on=${later}">Later`)]).toEqual([most, true]);
  expect(Buffer.byteLength(text)).toBeLessThan(25 * 1024);
});
