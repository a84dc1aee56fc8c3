import { expect, it } from '@jest/globals';
import { sharedApp } from '../../../../test/kit/hosted-app.js';
import { makeCalendar, ORG_SCHEDULE } from '../../../../test/kit/schedule-fixture.js';

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
      ...{ requires_confirmation: false, verify_email: false, change_notice_minutes: 0, max_reschedules: 3 },
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
