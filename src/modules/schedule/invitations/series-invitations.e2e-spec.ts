import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { plusDays } from '../../../kit/index.js';
import type { Json } from '../../../../test/harness/api-document.js';
import { CalendarProgram } from '../testing/calendar-program.js';
import { Client } from '../../../../test/harness/client.js';
import { sharedApp } from '../../../../test/harness/hosted-app.js';
import { EXT_SCHEDULE, makeCalendar, ORG_SCHEDULE } from '../testing/schedule-fixture.js';
import { weekdayOf } from '../time/zone-time.js';

const app = await sharedApp();
const EVENTS = `${EXT_SCHEDULE}/events`;
const address = (name: string) => `${name}-${randomUUID().slice(0, 8)}@example.com`;
/** Mondays at 09:00 in Berlin; in 2041 summer time begins on 31 March. */
const FIRST = '2041-03-18';
const weekly = (on: string) => ({
  title: 'Review',
  start_at: `${on}T09:00`,
  end_at: `${on}T10:00`,
  recurrence: { rrule: 'FREQ=WEEKLY;COUNT=5' },
});
/** The Monday in two weeks, for feeds, which have a year of dates. */
const COMING = plusDays(new Date().toISOString().slice(0, 10), 15 - weekdayOf(new Date().toISOString().slice(0, 10)));

interface StoredMail {
  subject: string;
  text: string;
  html: string;
  calendar: string | null;
}

/** All mails to an address, in order. */
async function mailsTo(email: string): Promise<StoredMail[]> {
  const sql = 'SELECT subject, text, html, calendar FROM mails WHERE recipient = $1 ORDER BY created_at, id';
  return (await app.sql.query<StoredMail>(sql, [email])).rows;
}

/** What an invitee sees in their calendar after all mails. */
async function calendarOf(email: string) {
  const program = new CalendarProgram();
  for (const { calendar } of await mailsTo(email)) if (calendar !== null) program.receive(calendar);
  return program.shown();
}

async function series(values: Json = {}, first = FIRST) {
  const space = await app.workspace();
  const calendar = await makeCalendar(space, { owner_id: space.owner.id });
  const { client: api } = await space.key({ module: 'schedule' });
  const ok = async (answer: Promise<{ status: number; text: string; body: Json }>) => {
    const { status, text, body } = await answer;
    if (status >= 300) throw new Error(text);
    return body;
  };
  const ada = address('ada');
  const made = await ok(api.post(EVENTS, { calendar_id: calendar.id, ...weekly(first), invitees: [{ email: ada }], ...values }));
  const event = `${EVENTS}/${made.id as string}`;
  const list = async () => {
    const window = `from=${plusDays(first, -10)}T00:00:00Z&to=${plusDays(first, 90)}T00:00:00Z&limit=100`;
    const { data } = await ok(api.get(`${EXT_SCHEDULE}/calendars/${calendar.id}/events?${window}`));
    return (data as { id: string; status: string; title: string; start_at: string | null; start_on: string }[])
      .filter(({ status }) => status !== 'cancelled')
      .map(({ id, title, start_at, start_on }) => ({ id, title, start: start_at ?? start_on }));
  };
  /** What the API lists, in the form of `calendarOf`. */
  const listed = async () => (await list()).map(({ start, title }) => ({ start, title }));
  const feed = await ok((await space.signIn()).post(`${ORG_SCHEDULE}/calendars/${calendar.id}/feeds`, { name: 'Screen' }));
  const feedShows = async () => {
    const { text } = await new Client(app.url).get(new URL(feed.url as string).pathname);
    return new CalendarProgram().receive(text).shown();
  };
  const invite = (email: string) => ok(api.post(`${event}/invitees`, { invitees: [{ email }] }));
  const change = async (index: number, body: Json) => ok(api.patch(`${EVENTS}/${(await list())[index].id}`, body));
  const remove = async (index: number, scope = 'this') => ok(api.delete(`${EVENTS}/${(await list())[index].id}?apply_to=${scope}`));
  return { space, api, ok, ada, event, list, listed, feedShows, invite, change, remove };
}

describe('invitees of a series', () => {
  test('who are invited late get its moved and its omitted dates', async () => {
    const { invite, change, remove, listed } = await series();
    await change(1, { start_at: '2041-03-27T14:00', end_at: '2041-03-27T15:00' });
    await change(3, { title: 'Retrospective' });
    await remove(2);
    const bob = address('bob');
    await invite(bob);
    expect(await calendarOf(bob)).toEqual([
      { start: '2041-03-18T08:00:00.000Z', title: 'Review' },
      { start: '2041-03-27T13:00:00.000Z', title: 'Review' },
      { start: '2041-04-08T07:00:00.000Z', title: 'Retrospective' },
      { start: '2041-04-15T07:00:00.000Z', title: 'Review' },
    ]);
    expect(await calendarOf(bob)).toEqual(await listed());
    const [{ text, html }] = await mailsTo(bob);
    expect(text).toContain('Repeats: every week');
    expect(text).toContain('Not on: Monday 1 April 2041');
    expect(text).toContain('Changed: Monday 25 March 2041: Wednesday 27 March 2041, 14:00 to 15:00');
    expect(text).toContain('Changed: Monday 8 April 2041: Retrospective');
    expect(html).toContain('Wednesday 27 March 2041, 14:00 to 15:00');
  });

  test('see after each change what the API lists, and so does the feed', async () => {
    const { ada, ok, api, event, change, remove, invite, listed, feedShows } = await series({}, COMING);
    const at = (days: number, time: string) => `${plusDays(COMING, days)}T${time}`;
    const people = [ada];
    const agree = async () => {
      const late = address('late');
      await invite(late);
      people.push(late);
      const expected = await listed();
      expect(await feedShows()).toEqual(expected);
      for (const email of people) expect([email, await calendarOf(email)]).toEqual([email, expected]);
    };
    await change(1, { start_at: at(9, '14:00'), end_at: at(9, '15:00') });
    await change(3, { title: 'Retrospective' });
    await agree();
    await ok(api.patch(event, { title: 'Planning' }));
    await agree();
    // the moved date returns to the rule; the one with its own title keeps it
    await ok(api.patch(event, { start_at: at(0, '11:00'), end_at: at(0, '12:30') }));
    await agree();
    await change(2, { status: 'cancelled' });
    await agree();
    await ok(api.patch(event, { timezone: 'America/New_York' }));
    await agree();
    await remove(0);
    await change(2, { start_at: at(30, '08:00'), end_at: at(30, '08:30'), location: 'Room 2' });
    await agree();
  });

  test('see a canceled date again when it takes place after all', async () => {
    const { ada, change, list, ok, api, listed } = await series();
    const { id } = (await list())[2];
    await change(2, { status: 'cancelled' });
    expect(await calendarOf(ada)).toHaveLength(4);
    await ok(api.patch(`${EVENTS}/${id}`, { status: 'confirmed' }));
    expect(await calendarOf(ada)).toEqual(await listed());
    expect(await calendarOf(ada)).toHaveLength(5);
  });

  test('get both parts of a series that is split, each with its changed dates', async () => {
    const { ada, change, listed } = await series();
    await change(1, { title: 'Demo' });
    await change(4, { start_at: '2041-04-16T09:00', end_at: '2041-04-16T10:00' });
    await change(3, { apply_to: 'following', location: 'Room 2' });
    expect(await calendarOf(ada)).toEqual(await listed());
    expect((await calendarOf(ada)).map(({ title }) => title)).toEqual(['Review', 'Demo', 'Review', 'Review', 'Review']);
  });

  test('of whole days see its changed dates, too', async () => {
    const days = { start_at: undefined, end_at: undefined, all_day: true, start_on: '2041-03-18', end_on: '2041-03-19' };
    const { ada, change, remove, ok, api, event, listed } = await series(days);
    await change(1, { start_on: '2041-03-26', end_on: '2041-03-27' });
    await remove(2);
    await ok(api.patch(event, { title: 'Away' }));
    expect((await calendarOf(ada)).map(({ start }) => start)).toEqual(['2041-03-18', '2041-03-26', '2041-04-08', '2041-04-15']);
    expect(await calendarOf(ada)).toEqual(await listed());
  });
});

describe('a cancelled event', () => {
  test('is mailed about once, whatever is changed, until it takes place after all', async () => {
    const { ada, ok, api, event, invite, listed } = await series();
    const bob = address('bob');
    await ok(api.patch(event, { status: 'cancelled' }));
    await ok(api.patch(event, { title: 'Later', start_at: '2041-03-18T12:00', end_at: '2041-03-18T13:00' }));
    const { data } = await invite(bob);
    expect(data).toMatchObject([{ email: bob, invitation: { status: 'suppressed', sent_at: null } }]);
    const others = address('others');
    const removed = (await invite(others)).data as { id: string }[];
    await ok(api.delete(`${event}/invitees/${removed[0].id}`));
    expect((await mailsTo(ada)).map(({ subject }) => subject)).toEqual(['Invitation: Review', 'Canceled: Review']);
    expect([await calendarOf(ada), await mailsTo(bob), await mailsTo(others)]).toEqual([[], [], []]);
    await ok(api.patch(event, { status: 'confirmed' }));
    for (const email of [ada, bob]) {
      const mail = (await mailsTo(email)).at(-1) as StoredMail;
      expect([mail.subject, mail.calendar]).toEqual(['Changed: Later', expect.stringContaining('STATUS:CONFIRMED')]);
      expect(mail.text).toContain('It takes place after all.');
      expect(await calendarOf(email)).toEqual(await listed());
    }
    expect(await calendarOf(bob)).toHaveLength(5);
  });

  test('takes its dates along, also one with a status of its own', async () => {
    const { ada, ok, api, event, change, list, listed } = await series();
    await change(1, { status: 'tentative' });
    await change(2, { status: 'cancelled' });
    await ok(api.patch(event, { status: 'cancelled' }));
    expect(await list()).toEqual([]);
    await ok(api.patch(event, { status: 'confirmed' }));
    expect((await list()).length).toBe(4);
    expect(await calendarOf(ada)).toEqual(await listed());
  });

  test('changes nothing in calendars by a change of a cancelled date', async () => {
    const { ada, ok, api, change, list } = await series();
    const { id } = (await list())[1];
    await change(1, { status: 'cancelled' });
    await ok(api.patch(`${EVENTS}/${id}`, { title: 'Nobody comes' }));
    expect((await mailsTo(ada)).map(({ subject }) => subject)).toEqual(['Invitation: Review', 'Canceled: Review']);
  });
});

describe('beyond the limit of a day', () => {
  const crowd = (count: number) => Array.from({ length: count }, (_, index) => ({ email: `guest-${index}@many.example.com` }));
  /** Sixty mails are left of each kind. */
  const busyCalendar = async () => {
    const busy = await app.workspace();
    const { client: api } = await busy.key({ module: 'schedule' });
    const { id: calendar_id } = await makeCalendar(busy);
    await app.sql.query(
      `INSERT INTO schedule_invitation_counts (id, organization_id, day, count, cancellations)
       SELECT gen_random_uuid(), $1, (now() AT TIME ZONE 'UTC')::date + days, 1940, 1940 FROM generate_series(0, 1) AS days`,
      [busy.organizationId],
    );
    const create = async (title: string, guests: number, values = {}) => {
      const times = { start_at: '2041-03-25T09:00', end_at: '2041-03-25T10:00', show_as: 'free' };
      const body = { calendar_id, title, ...times, ...values, invitees: crowd(guests) };
      const made = await api.post(EVENTS, body);
      return { ...made, path: `${EVENTS}/${made.body.id}` };
    };
    const mailed = async (kind: string) => {
      const sql = `SELECT count(*)::int AS n FROM mails WHERE organization_id = $1 AND subject LIKE $2`;
      return (await app.sql.query<{ n: number }>(sql, [busy.organizationId, `${kind}%`])).rows[0].n;
    };
    return { api, calendar_id, create, mailed, testKey: () => busy.key({ module: 'schedule', mode: 'test' }) };
  };

  test('nothing is changed or mailed, but in test mode', async () => {
    const { api, calendar_id, create, mailed, testKey } = await busyCalendar();
    const { path } = await create('Planning', 31);
    const refused = await api.patch(path, { title: 'Too much' });
    expect([refused.status, refused.body.error.message]).toEqual([
      429,
      'An organization can send 2000 mails about events a day (UTC); this change would send 31. Try again tomorrow.',
    ]);
    expect([(await api.get(path)).body.title, await mailed('Changed')]).toEqual(['Planning', 0]);
    const { client: test } = await testKey();
    const body = { calendar_id, title: 'Test', start_at: '2041-03-25T09:00', end_at: '2041-03-25T10:00', invitees: crowd(50) };
    for (const status of [201, 201]) expect((await test.post(EVENTS, { ...body, show_as: 'free' })).status).toBe(status);
  });

  test('an event can still be deleted, cancelled, ended, and somebody removed', async () => {
    const { api, calendar_id, create, mailed } = await busyCalendar();
    const [whole, other, third] = [await create('Whole', 20), await create('Other', 20), await create('Third', 5)];
    const series = await create('Series', 15, { recurrence: { rrule: 'FREQ=WEEKLY;COUNT=9' } });
    expect((await create('More', 1)).status).toBe(429);
    expect((await api.delete(whole.path)).status).toBe(204);
    expect((await api.patch(other.path, { status: 'cancelled' })).status).toBe(200);
    const [guest] = (await api.get(`${third.path}/invitees`)).body.data as { id: string }[];
    expect((await api.delete(`${third.path}/invitees/${guest.id}`)).status).toBe(204);
    expect(await mailed('Canceled')).toBe(41);
    // single dates have a reserve as large as the limit: four times 15 mails
    const window = 'from=2041-03-20T00:00:00Z&to=2041-06-30T00:00:00Z';
    const { data } = (await api.get(`${EXT_SCHEDULE}/calendars/${calendar_id}/events?q=Series&${window}`)).body;
    const date = (index: number) => `${EVENTS}/${data[index].id}`;
    expect((await api.delete(`${date(7)}?apply_to=following`)).status).toBe(204);
    for (const index of [1, 2]) expect((await api.delete(date(index))).status).toBe(204);
    expect((await api.patch(date(3), { status: 'cancelled' })).status).toBe(200);
    expect([await mailed('Canceled'), await mailed('Changed')]).toEqual([86, 15]);
    const refused = await api.delete(date(4));
    expect([refused.status, refused.body.error.message]).toEqual([429, expect.stringContaining('delete the whole series')]);
    expect((await api.delete(series.path)).status).toBe(204);
    expect(await mailed('Canceled')).toBe(101);
  });
});
