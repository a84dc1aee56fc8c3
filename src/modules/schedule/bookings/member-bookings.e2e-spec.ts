import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { BookingFixture, ORG_BOOKINGS } from '../testing/booking-fixture.js';
import { sharedProxiedApp } from '../../../../test/harness/fixtures/fixture-apps.js';
import { eventually } from '../../../../test/harness/eventually.js';
import { EXT_SCHEDULE, ORG_SCHEDULE } from '../testing/schedule-fixture.js';

const app = await sharedProxiedApp();
const HOUR_MS = 3_600_000;

describe('members', () => {
  it('confirm or reject what is pending, once; a rejected time is free again', async () => {
    const fixture = await BookingFixture.open(app, { page: { requires_confirmation: true } });
    const template = `${ORG_SCHEDULE}/event-templates/${(await fixture.screen.get(`${ORG_SCHEDULE}/event-templates`)).body.data[0].id}`;
    expect((await fixture.screen.patch(template, { reminder_minutes: [60] })).status).toBe(200);
    const reminded = async (instance: string) =>
      (await app.sql.query<{ due_at: Date }>('SELECT due_at FROM schedule_reminders WHERE instance_id = $1', [instance])).rows;
    const slots = await fixture.slots();
    const ids = [];
    for (const start of slots.slice(0, 2)) ids.push((await fixture.book(start)).body.booking.id as string);
    expect(await fixture.slots()).not.toContain(slots[0]);
    const act = (id: string, move: string, body = {}) => fixture.screen.post(`${ORG_BOOKINGS}/${id}/${move}`, body);
    const both = await Promise.all([act(ids[0], 'confirm'), act(ids[0], 'reject', { reason: 'ill' })]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
    const later = (await fixture.book(slots[3])).body.booking;
    expect([await reminded(later.event_id), (await act(later.id, 'confirm')).status]).toEqual([[], 200]);
    const hourBefore = (start: string) => [{ due_at: new Date(Date.parse(start) - HOUR_MS) }];
    expect(await reminded(later.event_id)).toEqual(hourBefore(slots[3]));
    expect((await act(later.id, 'reschedule', { start_at: slots[5] })).status).toBe(200);
    expect(await reminded(later.event_id)).toEqual(hourBefore(slots[5]));
    expect((await act(ids[1], 'reject', { reason: 'I am ill.' })).body.status).toBe('rejected');
    expect(await fixture.slots()).toContain(slots[1]);
    expect((await act(ids[1], 'no-show')).body.error.code).toBe('invalid_transition');
  });

  it('give a booking custom fields, by which members and keys find it', async () => {
    const fixture = await BookingFixture.open(app);
    const field = { resource: 'booking', key: 'room_service', label: 'Room service', type: 'boolean', filterable: true, required: true };
    expect((await fixture.screen.post('/api/v1/org/custom-fields', field)).status).toBe(201);
    const [start] = await fixture.slots();
    const { id, custom_fields } = (await fixture.book(start)).body.booking;
    expect(custom_fields).toEqual({});
    const changed = await fixture.screen.patch(`${ORG_BOOKINGS}/${id}`, { custom_fields: { room_service: true } });
    expect(changed.body).toMatchObject({ id, status: 'confirmed', custom_fields: { room_service: true } });
    const { client } = await fixture.space.key({ module: 'schedule' });
    for (const list of [
      fixture.screen.get(`${ORG_BOOKINGS}?custom_fields.room_service=true`),
      client.get(`${EXT_SCHEDULE}/bookings?custom_fields.room_service=true`),
    ])
      expect((await list).body.data).toMatchObject([changed.body]);
  });

  it('change the event of a pending booking without inviting the guest, who learns that the request changed', async () => {
    const fixture = await BookingFixture.open(app, { page: { requires_confirmation: true } });
    const [start] = await fixture.slots();
    const email = `${randomUUID()}@example.com`;
    const colleague = `${randomUUID()}@example.com`;
    const { event_id, id } = (await fixture.book(start, { email })).body.booking;
    const path = `${ORG_SCHEDULE}/events/${event_id}`;
    expect((await fixture.screen.post(`${path}/invitees`, { invitees: [{ email: colleague }] })).status).toBe(201);
    const at = (hours: number) => new Date(Date.parse(start) + hours * HOUR_MS).toISOString();
    expect((await fixture.screen.patch(path, { start_at: at(24), end_at: at(25), location: 'Room 4' })).status).toBe(200);
    const [, changed, ...more] = await fixture.mailsOf(email);
    expect([changed, more]).toEqual([{ subject: 'Moved: Meet Grace', text: expect.any(String), calendar: null }, []]);
    expect(changed.text).toMatch(/not confirmed yet[\s\S]*Room 4[\s\S]*\/b\/manage\//);
    expect(changed.text).not.toContain('/r/');
    expect((await fixture.mailsOf(colleague)).map(({ calendar }) => calendar?.includes('METHOD:REQUEST'))).toEqual([true, true]);
    expect(await fixture.bookings()).toMatchObject([{ id, status: 'pending', start_at: at(24) }]);
    await fixture.screen.post(`${ORG_BOOKINGS}/${id}/confirm`);
    expect((await fixture.mailsOf(email)).map(({ calendar }) => calendar?.includes('METHOD:REQUEST') ?? false)).toEqual([
      false,
      false,
      true,
    ]);
  });

  it('cancel a pending booking, or its event, without taking back an invitation that nobody was sent', async () => {
    const fixture = await BookingFixture.open(app, { page: { requires_confirmation: true } });
    const slots = await fixture.slots();
    const email = `${randomUUID()}@example.com`;
    const pending = async (start: string) => (await fixture.book(start, { email })).body.booking;
    const cancelled = await pending(slots[0]);
    expect((await fixture.screen.post(`${ORG_BOOKINGS}/${cancelled.id}/cancel`)).status).toBe(200);
    const deleted = await pending(slots[1]);
    expect((await fixture.screen.delete(`${ORG_SCHEDULE}/events/${deleted.event_id}`)).status).toBe(204);
    expect((await fixture.mailsOf(email)).map(({ subject, calendar }) => [subject, calendar])).toEqual([
      ['Requested: Meet Grace', null],
      ['Canceled: Meet Grace', null],
      ['Requested: Meet Grace', null],
      ['Canceled: Meet Grace', null],
    ]);
  });

  it('decide about the event of a booking by the booking, and cannot make it a series', async () => {
    const fixture = await BookingFixture.open(app, { page: { requires_confirmation: true } });
    const [start] = await fixture.slots();
    const { id, event_id } = (await fixture.book(start)).body.booking;
    const patch = (body: object) => fixture.screen.patch(`${ORG_SCHEDULE}/events/${event_id}`, body);
    const confirmed = await patch({ status: 'confirmed' });
    expect([confirmed.status, confirmed.body.error]).toMatchObject([
      400,
      { param: 'status', message: expect.stringContaining(`/bookings/${id}/confirm`) },
    ]);
    const repeated = await patch({ recurrence: { rrule: 'FREQ=DAILY;COUNT=3' } });
    expect([repeated.status, repeated.body.error?.param]).toEqual([400, 'recurrence']);
    expect((await patch({ title: 'Meet Grace again', status: 'tentative', recurrence: null })).status).toBe(200);
    expect((await fixture.screen.post(`${ORG_BOOKINGS}/${id}/confirm`)).body.status).toBe('confirmed');
    expect((await patch({ status: 'cancelled' })).status).toBe(200);
    expect(await fixture.bookings()).toMatchObject([{ id, status: 'cancelled' }]);
    expect((await patch({ status: 'confirmed' })).body.error.param).toBe('status');
  });

  it('lock the calendar, all resources of a move and their people before the booking, so that no deadlock can follow', async () => {
    const fixture = await BookingFixture.open(app, { resources: [{ name: 'Room' }] });
    const slots = await fixture.slots();
    const { id } = (await fixture.book(slots[0])).body.booking;
    const [{ id: resource_id }] = (await fixture.screen.get(`${ORG_SCHEDULE}/calendars/${fixture.calendar.id}/resources`)).body.data;
    const other = await app.sql.connect();
    try {
      await other.query('BEGIN');
      await other.query('SELECT 1 FROM schedule_bookings WHERE id = $1 FOR UPDATE', [id]);
      const moved = fixture.screen.post(`${ORG_BOOKINGS}/${id}/reschedule`, { start_at: slots[3], resource_id });
      const held = async () =>
        (
          await app.sql.query<{ locks: number }>(
            `SELECT count(*)::int AS locks FROM pg_locks l
             WHERE l.locktype = 'advisory' AND l.granted AND $1 = ANY (pg_blocking_pids(l.pid)) GROUP BY l.pid`,
            [(await other.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0].pid],
          )
        ).rows.at(0)?.locks;
      expect(await eventually(held, (locks) => locks !== undefined)).toBe(3);
      await other.query('COMMIT');
      expect((await moved).body).toMatchObject({ start_at: slots[3], resource_id });
    } finally {
      other.release(true);
    }
  });

  it('change only the resource of a booking, if it is free then', async () => {
    const resources = [{ name: 'Room' }, { name: 'Hall' }];
    const fixture = await BookingFixture.open(app, { page: { resource_mode: 'least_busy' }, resources });
    const [start_at] = await fixture.slots();
    const { booking } = (await fixture.book(start_at)).body;
    const ids = (await fixture.screen.get(`${ORG_SCHEDULE}/calendars/${fixture.calendar.id}/resources`)).body.data.map(
      ({ id }: { id: string }) => id,
    );
    const other = ids.find((id: string) => id !== booking.resource_id);
    const move = (resource_id: string) => fixture.screen.post(`${ORG_BOOKINGS}/${booking.id}/reschedule`, { start_at, resource_id });
    expect((await move(other)).body).toMatchObject({ start_at, resource_id: other });
    expect((await fixture.screen.get(`${ORG_SCHEDULE}/events/${booking.event_id}`)).body).toMatchObject({
      start_at,
      resource_ids: [other],
    });
    await fixture.book(start_at);
    expect((await move(booking.resource_id)).status).toBe(409);
  });

  it('move a booking in spite of notice and opening hours, but not onto another one', async () => {
    const resources = [{ name: 'Room' }];
    const fixture = await BookingFixture.open(app, { page: { resource_mode: 'least_busy' }, resources });
    const slots = await fixture.slots();
    const { id } = (await fixture.book(slots[0])).body.booking;
    await fixture.book(slots[2]);
    const move = (start_at: string) => fixture.screen.post(`${ORG_BOOKINGS}/${id}/reschedule`, { start_at });
    expect((await move(slots[2])).status).toBe(409);
    expect((await move(new Date(Date.parse(slots[0]) + HOUR_MS / 2).toISOString())).body.start_at).not.toBe(slots[0]);
  });

  it('lose pending bookings after 48 hours, and those that begin', async () => {
    const fixture = await BookingFixture.open(app, { page: { requires_confirmation: true } });
    const slots = await fixture.slots();
    const [old, fresh] = [await fixture.book(slots[60]), await fixture.book(slots[61])];
    await app.sql.query(`UPDATE schedule_bookings SET created_at = now() - interval '49 hours' WHERE id = $1`, [old.body.booking.id]);
    await app.runScheduledJob('schedule.lapse_pending_bookings');
    const found = await fixture.bookings();
    expect(found.find(({ id }) => id === old.body.booking.id)?.status).toBe('rejected');
    expect(found.find(({ id }) => id === fresh.body.booking.id)?.status).toBe('pending');
  });
});

it('the guest of a booking is not removed from its event, by members or keys, before the booking is cancelled', async () => {
  const fixture = await BookingFixture.open(app);
  const [start] = await fixture.slots();
  const { booking } = (await fixture.book(start)).body;
  const { client: api } = await fixture.space.key({ module: 'schedule' });
  const paths = [ORG_SCHEDULE, EXT_SCHEDULE].map((root) => `${root}/events/${booking.event_id}/invitees`);
  const [{ id }] = (await fixture.screen.get(paths[0])).body.data as { id: string }[];
  const refused = [await fixture.screen.delete(`${paths[0]}/${id}`), await api.delete(`${paths[1]}/${id}`)];
  expect(refused.map(({ status, body }) => [status, body.error.code])).toEqual([409, 409].map((status) => [status, 'resource_conflict']));
  expect(refused[0].body.error.message).toContain(`/bookings/${booking.id}/cancel`);
  expect(await fixture.bookings()).toMatchObject([{ status: 'confirmed' }]);
  const { body } = await api.post(paths[1], { invitees: [{ email: 'colleague@example.com' }] });
  expect((await api.delete(`${paths[1]}/${body.data[0].id}`)).status).toBe(204);
  expect((await fixture.screen.post(`${ORG_SCHEDULE}/bookings/${booking.id}/cancel`)).status).toBe(200);
  expect((await api.delete(`${paths[1]}/${id}`)).status).toBe(204);
});

it('the page of a calendar whose owner was deactivated is closed until somebody takes the calendar over', async () => {
  const space = await app.workspace();
  const mei = await space.member('member');
  const fixture = await BookingFixture.open(app, { calendar: { owner_id: mei.id } }, space);
  const { screen: ada, calendar, page } = fixture;
  const [path, pagePath] = [`${ORG_SCHEDULE}/calendars/${calendar.id}`, `${ORG_SCHEDULE}/booking-pages/${page.id}`];
  const [start, later] = await fixture.slots();
  expect((await ada.patch(path, { visibility: 'private' })).status).toBe(200);
  expect((await ada.get(path)).status).toBe(404);
  const theirs = await space.signIn(mei.email);
  expect([(await theirs.patch(pagePath, { enabled: false })).status, (await theirs.patch(pagePath, { enabled: true })).status]).toEqual([
    200, 200,
  ]);
  expect((await theirs.put(`${path}/availability/overrides/2030-12-24`, { windows: [] })).status).toBe(200);
  expect((await fixture.book(start)).status).toBe(201);
  expect((await ada.patch(`/api/v1/org/members/${mei.id}`, { status: 'inactive' })).status).toBe(200);
  expect((await fixture.book(later)).status).not.toBe(201);
  expect((await fixture.visitor().get(`/b/${page.slug}`, { accept: 'text/html' })).text).not.toContain('name=start');
  expect([(await ada.patch(pagePath, { enabled: false })).status, (await ada.patch(pagePath, { enabled: true })).status]).toEqual([
    200, 200,
  ]);
  expect((await ada.patch(path, { owner_id: space.owner.id })).status).toBe(200);
  expect((await fixture.book(later)).status).toBe(201);
});
