import { describe, expect, test } from '@jest/globals';
import ICAL from 'ical.js';
import ical, { type VEvent } from 'node-ical';
import { Client } from '../../../../test/harness/client.js';
import { sharedApp } from '../../../../test/harness/hosted-app.js';
import { resolveLocal } from '../time/zone-time.js';

const app = await sharedApp();
const fixture = app.inside<typeof import('../testing/schedule-events.js')>('src/modules/schedule/testing/schedule-events.ts');
const statements = app.inside<typeof import('../../../../test/harness/statements.js')>('test/harness/statements.ts');
const space = await app.workspace();
const ctx = space.ctx();
const owner = await space.signIn();
const reader = new Client(app.url);
const zone = 'Europe/Berlin';
const organizer = { member_id: space.owner.id, name: 'Grace Hopper', email: space.owner.email };

const today = new Date().toISOString().slice(0, 10);

/** A local time so many days from today. */
const dayAt = (days: number, time: string) => `${new Date(Date.parse(today) + days * 86_400_000).toISOString().slice(0, 10)}T${time}:00`;
const times = (start_local: string) => {
  const start_at = resolveLocal(start_local, zone);
  return { start_local, start_at, end_at: new Date(start_at.getTime() + 3_600_000) };
};

async function feedOf(calendar: { id: string }, detail = 'full') {
  const { body, status } = await owner.post(`/api/v1/org/schedule/calendars/${calendar.id}/feeds`, { name: 'Screen', detail });
  expect(status).toBe(201);
  return { id: body.id as string, path: new URL(body.url as string).pathname };
}

const titles = (text: string) => [...text.matchAll(/^SUMMARY:(.*)$/gm)].map(([, title]) => title.trim()).sort();

describe('a feed', () => {
  test('has the live events of the window and their changed dates, and no people', async () => {
    const calendar = await fixture.createCalendar(ctx, space.eng.id);
    const weekly = await fixture.createEvent(
      ctx,
      calendar,
      { ...times(dayAt(-7, '09:00')), organizer, title: 'Weekly', location: 'Room 1', rrule: 'FREQ=WEEKLY;COUNT=4' },
      ['ada@example.com'],
    );
    for (const [title, days] of Object.entries({ Soon: 3, 'Long ago': -100, 'In years': 400 }))
      await fixture.createEvent(ctx, calendar, { ...times(dayAt(days, '14:00')), title }, []);
    await fixture.createEvent(space.ctx('test'), calendar, { ...times(dayAt(3, '14:00')), title: 'Only a test' }, []);
    await fixture.createEvent(ctx, calendar, { ...times(dayAt(3, '14:00')), title: 'Called off', status: 'cancelled' }, []);
    const moved = times(dayAt(8, '16:00'));
    await fixture.moveInstance(ctx, weekly.id, dayAt(7, '09:00'), { ...moved, overrides: { time: true } });
    await fixture.moveInstance(ctx, weekly.id, dayAt(14, '09:00'), { status: 'cancelled', overrides: { status: 'cancelled' } });

    const { path } = await feedOf(calendar);
    const { status, headers, text } = await reader.get(path);
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([200, 'text/calendar; charset=utf-8', 'private, no-cache']);
    expect(titles(text)).toEqual(['Soon', 'Weekly', 'Weekly']);
    expect(text).not.toMatch(/ATTENDEE|ORGANIZER|Grace|ada@/);
    expect(text).toContain('REFRESH-INTERVAL;VALUE=DURATION:PT60M');
    expect(ICAL.parse(text)).toHaveLength(3);
    const series = Object.values(ical.sync.parseICS(text)).find(
      (found): found is VEvent => found?.type === 'VEVENT' && found.rrule !== undefined,
    ) as VEvent;
    const window = { from: new Date(Date.now() - 30 * 86_400_000), to: new Date(Date.now() + 60 * 86_400_000) };
    expect(ical.expandRecurringEvent(series, window).map(({ start }) => new Date(start).toISOString())).toEqual(
      [times(dayAt(-7, '09:00')), times(dayAt(0, '09:00')), moved].map(({ start_at }) => start_at.toISOString()),
    );
  });

  test('is not sent again as long as nothing has changed, and not at all once it is revoked', async () => {
    const calendar = await fixture.createCalendar(ctx, space.eng.id);
    const event = await fixture.createEvent(ctx, calendar, { ...times(dayAt(3, '14:00')), title: 'First' }, []);
    const { id, path } = await feedOf(calendar);
    const { etag } = (await reader.get(path)).headers as Record<string, string>;
    await statements.recordStatements();
    const again = await new Client(app.url, { 'if-none-match': etag }).get(path);
    const sent = await statements.takeStatements();
    expect([again.status, again.text, again.headers.etag]).toEqual([304, '', etag]);
    // no text of an event was read to find that out
    expect(sent.filter((text) => /\bdescription\b/.test(text))).toEqual([]);
    await fixture.changeEvent(ctx, event.id, { title: 'Second' }, {});
    const changed = await new Client(app.url, { 'if-none-match': etag }).get(path);
    expect([changed.status, titles(changed.text)]).toEqual([200, ['Second']]);
    expect((await owner.delete(`/api/v1/org/schedule/calendars/${calendar.id}/feeds/${id}`)).status).toBe(204);
    expect((await reader.get(path)).status).toBe(404);
    expect((await reader.get(path.replace('.ics', ''))).status).toBe(404);
  });

  test('has the changed dates of its window only, however many there are', async () => {
    const calendar = await fixture.createCalendar(ctx, space.eng.id);
    const event = await fixture.createEvent(
      ctx,
      calendar,
      { ...times(dayAt(1, '09:00')), title: 'Daily', rrule: 'FREQ=DAILY;COUNT=3' },
      [],
    );
    await fixture.moveInstance(ctx, event.id, dayAt(2, '09:00'), { ...times(dayAt(2, '16:00')), overrides: { time: true } });
    // copies of a changed date, all of them long ago but one
    const { rows } = await app.sql.query<{ columns: string }>(
      `SELECT string_agg(quote_ident(column_name), ', ') AS columns FROM information_schema.columns
       WHERE table_name = 'schedule_instances'
         AND column_name NOT IN ('id', 'start_at', 'end_at', 'start_local', 'original_start_at', 'original_start_local')`,
    );
    await app.sql.query(
      `INSERT INTO schedule_instances (id, start_at, end_at, start_local, original_start_at, original_start_local, ${rows[0].columns})
       SELECT gen_random_uuid(), at, at + interval '30 minutes', to_char(at, local), at, to_char(at, local), ${rows[0].columns}
       FROM schedule_instances, (SELECT 'YYYY-MM-DD"T"HH24:MI:SS' AS local) AS format,
         generate_series(start_at - interval '20000 hours', start_at - interval '9000 hours', interval '1 hour') AS at
       WHERE event_id = $1 AND overrides <> '{}'`,
      [event.id],
    );
    const { status, text } = await reader.get((await feedOf(calendar)).path);
    expect([status, titles(text)]).toEqual([200, ['Daily', 'Daily']]);
  });

  test('has a date that could not follow a change of its zone where it is, as mails do', async () => {
    const calendar = await fixture.createCalendar(ctx, space.eng.id);
    const daily = { ...times(dayAt(-30, '09:00')), title: 'Daily', rrule: 'FREQ=DAILY;COUNT=300' };
    const event = await fixture.createEvent(ctx, calendar, daily, []);
    const { path } = await feedOf(calendar);
    const datesOf = async () => [...(await reader.get(path)).text.matchAll(/^RECURRENCE-ID.*:(.*)$/gm)].map(([, at]) => at.trim());
    // of these 300 days, the clocks change on one at least
    expect(await datesOf()).toEqual([]);
    const left = dayAt(5, '09:00');
    await app.sql.query(
      `UPDATE schedule_instances SET start_at = start_at - interval '1 hour', end_at = end_at - interval '1 hour',
         original_start_at = original_start_at - interval '1 hour'
       WHERE event_id = $1 AND original_start_local = $2`,
      [event.id, left],
    );
    expect(await datesOf()).toEqual([left.replace(/[-:]/g, '')]);
    expect((await reader.get(path)).text).toContain(`DTSTART;TZID=${zone}:${dayAt(5, '08:00').replace(/[-:]/g, '')}`);
  });

  test('of busy times says nothing else', async () => {
    const calendar = await fixture.createCalendar(ctx, space.eng.id);
    await fixture.createEvent(ctx, calendar, { ...times(dayAt(3, '14:00')), title: 'Secret', location: 'Hidden', description: 'Deep' }, []);
    await fixture.createEvent(ctx, calendar, { ...times(dayAt(4, '14:00')), title: 'Free', show_as: 'free' }, []);
    const series = await fixture.createEvent(
      ctx,
      calendar,
      { ...times(dayAt(5, '09:00')), title: 'Secret series', rrule: 'FREQ=DAILY;COUNT=3' },
      [],
    );
    await fixture.moveInstance(ctx, series.id, dayAt(6, '09:00'), { overrides: { title: 'Secret date' } });
    await fixture.moveInstance(ctx, series.id, dayAt(7, '09:00'), {
      ...times(dayAt(7, '16:00')),
      overrides: { time: true, location: 'Hidden' },
    });
    const { text } = await reader.get((await feedOf(calendar, 'busy')).path);
    expect(titles(text)).toEqual(['Busy', 'Busy', 'Busy']);
    expect(text).not.toMatch(/Secret|Hidden|Deep|Free/);
  });

  test('tells on a page of its own how to subscribe', async () => {
    const { path } = await feedOf(await fixture.createCalendar(ctx, space.eng.id, { name: 'Rooms & <more>' }));
    const { text } = await reader.get(path.replace('.ics', ''));
    expect(text).toContain('Rooms &amp; &lt;more&gt;');
    expect(text).toContain(`value="${app.url}${path}"`);
    expect(text).toContain('Google Calendar does so about once a day');
  });

  test('is read 60 times an hour at most', async () => {
    const { path } = await feedOf(await fixture.createCalendar(ctx, space.eng.id));
    const statuses: number[] = [];
    for (let call = 0; call < 61; call++) statuses.push((await reader.get(path)).status);
    expect(statuses).toEqual([...Array.from({ length: 60 }, () => 200), 429]);
  });
});

test('members manage feeds of their own calendar, and whoever sets up calendars those that they see', async () => {
  const { id, email } = await space.member('member');
  const member = await space.signIn(email);
  const own = await fixture.createCalendar(ctx, space.eng.id, { personal: true, visibility: 'private', owner_member_id: id });
  const shared = await fixture.createCalendar(ctx, space.eng.id);
  const feeds = (calendar: { id: string }) => `/api/v1/org/schedule/calendars/${calendar.id}/feeds`;
  expect((await member.post(feeds(own), { name: 'Phone' })).status).toBe(201);
  const { body } = await member.get(feeds(own));
  expect(body.data).toEqual([expect.objectContaining({ object: 'calendar_feed', name: 'Phone', detail: 'full', url: null })]);
  expect((await member.post(feeds(shared), { name: 'Phone' })).status).toBe(403);
  expect((await owner.get(feeds(own))).status).toBe(404);
  const { rows } = await app.sql.query<{ row: string }>('SELECT f::text AS row FROM schedule_feeds f WHERE calendar_id = $1', [own.id]);
  expect(rows).toHaveLength(1);
});
