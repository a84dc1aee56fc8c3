import { expect, it } from '@jest/globals';
import { BookingFixture, ORG_BOOKINGS } from '../testing/booking-fixture.js';
import { sharedProxiedApp } from '../../../../test/harness/fixtures/fixture-apps.js';
import { EXT_SCHEDULE, makeCalendar, makeResource, ORG_SCHEDULE } from '../testing/schedule-fixture.js';
import { eventually } from '../../../../test/harness/eventually.js';
import type { Workspace } from '../../../../test/harness/workspace.js';

const app = await sharedProxiedApp();
const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
const at = (hour: number) => `${day}T${String(hour).padStart(2, '0')}:00:00.000Z`;
const event = (calendar_id: string, hour: number, values: object = {}) => ({
  calendar_id,
  title: 'Appointment',
  start_at: at(hour),
  end_at: at(hour + 1),
  ...values,
});
const ofPerson = (member_id: string, name = 'Grace') => ({ name, kind: 'person', member_id });

/** The offered hours of the day. */
async function hours(fixture: BookingFixture): Promise<number[]> {
  return (await fixture.slots()).filter((start) => start.startsWith(day)).map((start) => Number(start.slice(11, 13)));
}

/** A member with a calendar of their own in the project `ops` and another one, who owns none of the organization's. */
async function person(space: Workspace) {
  const member = await space.member('member');
  const screen = await space.signIn(member.email);
  const mine = async (project_id: string) => (await screen.post(`${ORG_SCHEDULE}/my-calendar`, { project_id })).body.id as string;
  return { member, screen, ops: await mine(space.ops.id), eng: await mine(space.eng.id) };
}

it("a member's own events block them as a resource and as a host, whichever was set up first, in every project", async () => {
  const space = await app.workspace();
  const grace = await person(space);
  const write = async (calendar: string, hour: number, values: object = {}, screen = grace.screen) =>
    (await screen.post(`${ORG_SCHEDULE}/events`, event(calendar, hour, values))).body.id as string;
  // before anything knows the member
  await write(grace.ops, 8);
  await write(grace.eng, 9);
  await write(grace.eng, 10, { show_as: 'free' });
  const canceled = await write(grace.eng, 11);
  expect((await grace.screen.patch(`${ORG_SCHEDULE}/events/${canceled}`, { status: 'cancelled' })).status).toBe(200);
  const whole = { title: 'Away', all_day: true, start_on: day, end_on: new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10) };
  expect((await grace.screen.post(`${ORG_SCHEDULE}/events`, { calendar_id: grace.eng, ...whole })).body.show_as).toBe('free');
  const daily = { recurrence: { rrule: 'FREQ=DAILY;COUNT=5' } };
  const before = new Date(Date.parse(at(13)) - 2 * 86_400_000).toISOString();
  const until = new Date(Date.parse(at(14)) - 2 * 86_400_000).toISOString();
  await write(grace.eng, 13, { start_at: before, end_at: until, timezone: 'UTC', ...daily });
  const calendar = { timezone: 'UTC' };
  const hosted = await BookingFixture.open(app, { calendar: { ...calendar, name: 'Hosted', owner_id: grace.member.id } }, space);
  const page = { resource_mode: 'least_busy' };
  const resources = [ofPerson(grace.member.id)];
  const used = await BookingFixture.open(app, { calendar: { ...calendar, owner_id: null }, page, resources }, space);
  const stranger = await BookingFixture.open(app, { calendar: { ...calendar, name: 'Other' } }, space);
  // and after
  await write(grace.ops, 15);
  await write(grace.eng, 16, { status: 'tentative' });
  const all = Array.from({ length: 24 }, (_, hour) => hour);
  const free = all.filter((hour) => ![8, 9, 13, 15, 16].includes(hour));
  expect([await hours(hosted), await hours(used), await hours(stranger)]).toEqual([free, free, all]);
  for (const fixture of [hosted, used])
    for (const hour of [8, 9, 13, 15, 16]) expect((await fixture.book(at(hour))).body.error.code).toBe('slot_unavailable');
  const { client: key } = await space.key({ module: 'schedule', mode: 'live' });
  for (const {
    calendar: { id },
  } of [hosted, used]) {
    const { body } = await key.get(`${EXT_SCHEDULE}/calendars/${id}/availability?from=${at(0)}&to=${at(23)}&duration_minutes=60`);
    expect(body.slots.map(({ start_at }: { start_at: string }) => Number(start_at.slice(11, 13)))).toEqual(free.slice(0, -1));
  }
  // test mode has times of its own
  const { client: test } = await space.key({ module: 'schedule', mode: 'test' });
  const { body } = await test.get(
    `${EXT_SCHEDULE}/calendars/${used.calendar.id}/availability?from=${at(0)}&to=${at(23)}&duration_minutes=60`,
  );
  expect(body.slots).toHaveLength(23);
  // colleagues are not refused: they may want to ask the member to move something
  const [resource] = (await used.screen.get(`${ORG_SCHEDULE}/calendars/${used.calendar.id}/resources`)).body.data;
  expect((await used.screen.post(`${ORG_SCHEDULE}/events`, event(used.calendar.id, 8, { resource_ids: [resource.id] }))).status).toBe(201);
});

it('two pages and two resources of one person never book them twice; a class of one resource does', async () => {
  const space = await app.workspace();
  const { member } = await person(space);
  const calendar = { timezone: 'UTC', owner_id: null };
  const page = { resource_mode: 'least_busy' };
  const resources = [{ ...ofPerson(member.id), capacity: 2 }];
  const hosted = await BookingFixture.open(app, { calendar: { ...calendar, name: 'Hosted', owner_id: member.id } }, space);
  const one = await BookingFixture.open(app, { calendar, page, resources }, space);
  const settings = { slot_minutes: 60, buffer_before: 0, buffer_after: 60, min_notice_minutes: 0, horizon_days: 60, daily_limit: null };
  const other = await BookingFixture.open(
    app,
    { calendar: { ...calendar, name: 'Other' }, page, resources: [ofPerson(member.id)], availability: { settings } },
    space,
  );
  expect([(await one.book(at(9))).status, (await one.book(at(9))).status, (await one.book(at(9))).status]).toEqual([201, 201, 409]);
  expect((await hosted.book(at(12))).status).toBe(201);
  expect((await other.book(at(15))).status).toBe(201);
  const all = Array.from({ length: 24 }, (_, hour) => hour);
  const except = (...taken: number[]) => all.filter((hour) => !taken.includes(hour));
  // the buffer of the third calendar applies to its own bookings, and to those of others when it is asked
  expect([await hours(hosted), await hours(one), await hours(other)]).toEqual([
    except(9, 12, 15, 16),
    except(9, 12, 15, 16),
    except(8, 9, 11, 12, 14, 15, 16),
  ]);
  // by hand as well, and nobody learns of an event that they may not see
  const [resource] = (await one.screen.get(`${ORG_SCHEDULE}/calendars/${one.calendar.id}/resources`)).body.data;
  const write = (hour: number) => one.screen.post(`${ORG_SCHEDULE}/events`, event(one.calendar.id, hour, { resource_ids: [resource.id] }));
  const refused = await write(12);
  expect([refused.status, refused.body.error.code, refused.body.error.conflicts]).toEqual([
    409,
    'resource_conflict',
    [{ resource_id: resource.id, event_id: expect.any(String), start_at: at(12), end_at: at(13) }],
  ]);
  expect((await write(13)).status).toBe(201);
  const [moved] = await hosted.bookings();
  const move = (hour: number) => hosted.screen.post(`${ORG_BOOKINGS}/${moved.id}/reschedule`, { start_at: at(hour) });
  expect([(await move(15)).body.error?.code, (await move(18)).status]).toEqual(['resource_conflict', 200]);
  const edit = (hour: number) =>
    hosted.screen.patch(`${ORG_SCHEDULE}/events/${moved.event_id}`, { start_at: at(hour), end_at: at(hour + 1) });
  expect([(await edit(15)).body.error?.code, (await edit(20)).status, (await edit(18)).status]).toEqual(['resource_conflict', 200, 200]);
  // a resource cannot become a person who has other appointments at the same times
  const room = await makeResource(space, one.calendar.id, { name: 'Ann', kind: 'person' });
  const busy = await one.screen.post(`${ORG_SCHEDULE}/events`, event(one.calendar.id, 18, { resource_ids: [room.id] }));
  const change = () => one.screen.patch(`${ORG_SCHEDULE}/calendars/${one.calendar.id}/resources/${room.id}`, { member_id: member.id });
  const late = await change();
  expect([late.status, late.body.error.param]).toEqual([409, 'member_id']);
  expect((await one.screen.delete(`${ORG_SCHEDULE}/events/${busy.body.id}`)).status).toBe(204);
  expect((await change()).status).toBe(200);
});

it('a member becomes the host of bookings, by owning a calendar or by the mode of a page, only while they are free', async () => {
  const space = await app.workspace();
  const { member } = await person(space);
  const { member: other } = await person(space);
  const open = (name: string, owner_id: string | null, values: object = {}) =>
    BookingFixture.open(app, { calendar: { timezone: 'UTC', name, owner_id }, ...values }, space);
  const hosted = await open('Hosted', member.id);
  const given = await open('Given', null);
  const rooms = { page: { resource_mode: 'least_busy' }, resources: [{ name: 'One' }, { name: 'Two' }] };
  const shared = await open('Shared', member.id, rooms);
  for (const fixture of [hosted, given, shared, shared]) expect((await fixture.book(at(9))).status).toBe(201);
  const { screen } = hosted;
  const own = (owner_id: string | null) => screen.patch(`${ORG_SCHEDULE}/calendars/${given.calendar.id}`, { owner_id });
  const mode = (resource_mode: string) => screen.patch(`${ORG_SCHEDULE}/booking-pages/${shared.page.id}`, { resource_mode });
  const move = async (fixture: BookingFixture, hour: number, index = 0) =>
    screen.post(`${ORG_BOOKINGS}/${(await fixture.bookings())[index].id}/reschedule`, { start_at: at(hour) });
  const refused = await own(member.id);
  expect([refused.status, refused.body.error.code, refused.body.error.param]).toEqual([409, 'resource_conflict', 'owner_id']);
  expect((await screen.get(`${ORG_SCHEDULE}/calendars/${given.calendar.id}`)).body).toMatchObject({ owner: null });
  expect([(await own(other.id)).status, (await own(member.id)).status]).toEqual([200, 409]);
  expect((await move(given, 12)).status).toBe(200);
  expect([(await own(member.id)).status, (await own(member.id)).status]).toEqual([200, 200]);
  // the bookings of the page are at the same time as each other, and as that of the other calendar
  const late = await mode('calendar');
  expect([late.status, late.body.error.code, late.body.error.param]).toEqual([409, 'resource_conflict', 'resource_mode']);
  expect((await screen.get(`${ORG_SCHEDULE}/booking-pages/${shared.page.id}`)).body.resource_mode).toBe('least_busy');
  expect((await move(hosted, 15)).status).toBe(200);
  expect((await mode('calendar')).status).toBe(409);
  expect((await move(shared, 18)).status).toBe(200);
  expect([(await mode('calendar')).status, (await mode('visitor_chooses')).status]).toEqual([200, 200]);
});

it('guests and colleagues who book one person at once: one gets the time, and nothing deadlocks', async () => {
  const space = await app.workspace();
  const { member } = await person(space);
  const calendar = { timezone: 'UTC', owner_id: null };
  const page = { resource_mode: 'least_busy' };
  const open = (name: string) =>
    BookingFixture.open(app, { calendar: { ...calendar, name }, page, resources: [ofPerson(member.id)] }, space);
  const pages = [
    await BookingFixture.open(app, { calendar: { ...calendar, name: 'Hosted', owner_id: member.id } }, space),
    await BookingFixture.open(app, { calendar: { ...calendar, name: 'Hosted too', owner_id: member.id } }, space),
    await open('First'),
    await open('Second'),
  ];
  const shared = await makeCalendar(space, { name: 'Shared' });
  const resource = await makeResource(space, shared.id, ofPerson(member.id));
  const { client: key } = await space.key({ module: 'schedule', mode: 'live', rate_limit_per_minute: 6000 });
  for (let hour = 8; hour < 14; hour++) {
    const answers = await Promise.all([
      ...Array.from({ length: 12 }, (_, index) =>
        pages[(index + hour) % 4].book(at(hour), {}, pages[0].visitor(`198.51.100.${index + 1}`)),
      ),
      ...Array.from({ length: 4 }, () => key.post(`${EXT_SCHEDULE}/events`, event(shared.id, hour, { resource_ids: [resource.id] }))),
    ]);
    const statuses = answers.map(({ status }) => status).sort();
    expect([hour, statuses]).toEqual([hour, [201, ...Array.from({ length: 15 }, () => 409)]]);
  }
});

it('a booking waits for another one of the same person that has found its time free but is not written yet', async () => {
  const space = await app.workspace();
  const { member } = await person(space);
  const open = (name: string) => BookingFixture.open(app, { calendar: { timezone: 'UTC', name, owner_id: member.id } }, space);
  const [one, two] = [await open('One'), await open('Two')];
  const other = await app.sql.connect();
  try {
    await other.query('BEGIN');
    // the first booking refers to its page after it has looked for free times
    await other.query('SELECT 1 FROM schedule_booking_pages WHERE id = $1 FOR UPDATE', [one.page.id]);
    const { pid } = (await other.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0];
    const first = one.book(at(9));
    const isBlocked = async () =>
      (await app.sql.query('SELECT 1 FROM pg_locks WHERE $1 = ANY (pg_blocking_pids(pid))', [pid])).rowCount !== 0;
    expect(await eventually(isBlocked, Boolean)).toBe(true);
    // from another address, because those of one wait for each other anyway
    const second = two.book(at(9), {}, two.visitor('198.51.100.77'));
    await Promise.race([second, new Promise((resolve) => setTimeout(resolve, 3000))]);
    await other.query('COMMIT');
    expect([(await first).status, (await second).status]).toEqual([201, 409]);
  } finally {
    other.release(true);
  }
});

it('a booking that waits while its page is given another mode is refused: its host was not asked', async () => {
  const space = await app.workspace();
  const { member } = await person(space);
  const rooms = { page: { resource_mode: 'least_busy' }, resources: [{ name: 'One' }] };
  const fixture = await BookingFixture.open(app, { calendar: { timezone: 'UTC', owner_id: member.id }, ...rooms }, space);
  const other = await app.sql.connect();
  try {
    await other.query('BEGIN');
    const { pid } = (await other.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0];
    await other.query(
      `SELECT pg_advisory_xact_lock(('x' || left(encode(sha256(convert_to(
         'schedule calendar ' || organization_id || ' ' || id || ' live', 'UTF8')), 'hex'), 16))::bit(64)::bigint)
       FROM schedule_calendars WHERE id = $1`,
      [fixture.calendar.id],
    );
    const booked = fixture.book(at(9));
    const isBlocked = async () =>
      (await app.sql.query('SELECT 1 FROM pg_locks WHERE $1 = ANY (pg_blocking_pids(pid))', [pid])).rowCount !== 0;
    expect(await eventually(isBlocked, Boolean)).toBe(true);
    await other.query(`UPDATE schedule_booking_pages SET resource_mode = 'calendar' WHERE id = $1`, [fixture.page.id]);
    await other.query('COMMIT');
    const refused = await booked;
    expect([refused.status, refused.body.error?.code]).toEqual([409, 'slot_unavailable']);
    expect((await fixture.book(at(9))).status).toBe(201);
  } finally {
    other.release(true);
  }
});
