import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { plusDays } from '../../src/kit/index.js';
import { localOf, utcOffsetAt, weekdayOf } from '../../src/modules/schedule/time/zone-time.js';
import type { Json } from '../harness/api-document.js';
import { CalendarProgram, type ShownDate } from '../../src/modules/schedule/testing/calendar-program.js';
import { Client } from '../harness/client.js';
import { sharedMailApp } from '../harness/hosted-app.js';
import { partsOf } from '../harness/mime.js';
import { EXT_SCHEDULE, makeCalendar, ORG_SCHEDULE } from '../../src/modules/schedule/testing/schedule-fixture.js';

const { app, mailbox } = await sharedMailApp();
const EVENTS = `${EXT_SCHEDULE}/events`;
const today = new Date().toISOString().slice(0, 10);
const MONDAY = plusDays(today, 8 - weekdayOf(today));
const WEEK = 7;

/** An invitee with a mailbox and a calendar program, which they open once all their mails are there. */
class Person {
  readonly email: string;

  constructor(readonly name: string) {
    this.email = `${name}-${randomUUID().slice(0, 8)}@example.com`;
  }

  get mails() {
    return mailbox.received.filter(({ to }) => to === this.email);
  }

  /** The iCalendar objects of the mails, in the order of their arrival. */
  get objects(): string[] {
    return this.mails.flatMap(({ source }) => partsOf(source).filter(({ type }) => type === 'text/calendar')).map(({ text }) => text);
  }

  async calendar(newest: string, count = 1): Promise<ShownDate[]> {
    await mailbox.newest(this.email, newest, count);
    return this.objects.reduce((program, object) => program.receive(object), new CalendarProgram()).shown();
  }
}

/** A weekly meeting in Berlin at 09:00. */
async function meeting(count: number, people: readonly Person[]) {
  const space = await app.workspace();
  const calendar = await makeCalendar(space, { owner_id: space.owner.id });
  const { client: api } = await space.key({ module: 'schedule' });
  const made = await api.post(EVENTS, {
    calendar_id: calendar.id,
    title: 'Planning',
    start_at: `${MONDAY}T09:00`,
    end_at: `${MONDAY}T10:00`,
    recurrence: { rrule: `FREQ=WEEKLY;COUNT=${count}` },
    invitees: people.map(({ email, name }) => ({ email, name })),
  });
  expect(made.status).toBe(201);
  const path = `${EVENTS}/${made.body.id}`;
  const window = `from=${MONDAY}T00:00:00Z&to=${plusDays(MONDAY, 366)}T00:00:00Z&limit=100`;
  const dates = async () =>
    (await api.get(`${EXT_SCHEDULE}/calendars/${calendar.id}/events?${window}`)).body.data as { id: string; start_at: string }[];
  const { body: feed } = await (await space.signIn()).post(`${ORG_SCHEDULE}/calendars/${calendar.id}/feeds`, { name: 'Phone' });
  const subscribed = async () => {
    const { text } = await new Client(app.url).get(new URL(feed.url as string).pathname);
    return new CalendarProgram().receive(text).shown();
  };
  const change = async (id: string, body: Json) => expect((await api.patch(`${EVENTS}/${id}`, body)).status).toBe(200);
  return { api, path, dates, subscribed, change };
}

it('a weekly Berlin meeting stays at 09:00 through both changes of clocks, in calendars and in the feed', async () => {
  const ada = new Person('ada');
  const { dates, subscribed } = await meeting(52, [ada]);
  const shown = await ada.calendar('Invitation');
  expect(shown).toHaveLength(52);
  expect(new Set(shown.map(({ start }) => localOf(new Date(start), 'Europe/Berlin').slice(11)))).toEqual(new Set(['09:00:00']));
  expect(new Set(shown.map(({ start }) => utcOffsetAt(new Date(start), 'Europe/Berlin')))).toEqual(new Set(['+01:00', '+02:00']));
  expect(shown.map(({ start }) => start)).toEqual((await dates()).map(({ start_at }) => start_at));
  expect(await subscribed()).toEqual(shown);
});

it('moving one date mails that date only', async () => {
  const ada = new Person('ada');
  const { dates, change, subscribed } = await meeting(6, [ada]);
  const before = await ada.calendar('Invitation');
  const thursday = plusDays(MONDAY, 2 * WEEK + 3);
  await change((await dates())[2].id, { start_at: `${thursday}T15:00`, end_at: `${thursday}T16:00` });
  const after = await ada.calendar('Changed');
  expect([ada.mails.length, ada.objects[1].match(/BEGIN:VEVENT/g), ada.objects[1]]).toEqual([
    2,
    ['BEGIN:VEVENT'],
    expect.stringMatching(/^RECURRENCE-ID;TZID=Europe\/Berlin:/m),
  ]);
  expect(after.filter((_, index) => index !== 2)).toEqual(before.filter((_, index) => index !== 2));
  expect(localOf(new Date(after[2].start), 'Europe/Berlin')).toBe(`${thursday}T15:00:00`);
  expect(partsOf(ada.mails[1].source)[0].text).toContain('One date of a series');
  expect(await subscribed()).toEqual(after);
});

it("deleting an event removes it from every invitee's calendar, whatever has happened before", async () => {
  const [ada, bob, eve] = [new Person('ada'), new Person('bob'), new Person('eve')];
  const { api, path, dates, change, subscribed } = await meeting(6, [ada, bob]);
  const [, second, third] = await dates();
  const tuesday = plusDays(MONDAY, WEEK + 1);
  await change(second.id, { start_at: `${tuesday}T09:00`, end_at: `${tuesday}T10:00` });
  expect((await api.delete(`${EVENTS}/${third.id}`)).status).toBe(204);
  expect((await api.post(`${path}/invitees`, { invitees: [{ email: eve.email }] })).status).toBe(201);
  const expected = (await dates()).map(({ start_at }) => start_at);
  expect(expected).toHaveLength(5);
  for (const [person, newest] of [
    [ada, 'Canceled'],
    [bob, 'Canceled'],
    [eve, 'Invitation'],
  ] as const)
    expect((await person.calendar(newest)).map(({ start }) => start)).toEqual(expected);
  expect((await api.delete(path)).status).toBe(204);
  for (const [person, canceled] of [
    [ada, 2],
    [bob, 2],
    [eve, 1],
  ] as const)
    expect([person.name, await person.calendar('Canceled', canceled)]).toEqual([person.name, []]);
  expect(await subscribed()).toEqual([]);
});
