import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { BookingFixture, ORG_BOOKINGS } from '../testing/booking-fixture.js';
import type { Client } from '../../../../test/harness/client.js';
import { sharedProxiedApp } from '../../../../test/harness/fixtures/fixture-apps.js';
import { ORG_SCHEDULE } from '../testing/schedule-fixture.js';

const app = await sharedProxiedApp();
const HOUR_MS = 3_600_000;

describe('the link of a guest', () => {
  async function booked(page = {}) {
    const fixture = await BookingFixture.open(app, { page });
    const slots = await fixture.slots();
    const email = `${randomUUID()}@example.com`;
    const { body } = await fixture.book(slots[4], { email });
    return {
      fixture,
      slots,
      email,
      token: body.token as string,
      booking: body.booking as { id: string; event_id: string; version: number },
    };
  }
  const uidAndSequence = async (event: string) =>
    (
      await app.sql.query<{ ical_uid: string; sequence: number; status: string; start_at: Date }>(
        'SELECT ical_uid, sequence, status, start_at FROM schedule_events WHERE id = $1',
        [event],
      )
    ).rows[0];

  it('is in no response that is stored or compressed', async () => {
    const { fixture, token, slots } = await booked();
    const manage = `/api/v1/public/bookings/${token}`;
    const responses = [
      await fixture.visitor().get(manage),
      await fixture.visitor().post(`${manage}/reschedule`, { start_at: slots[7] }),
      await fixture.visitor().post(`${manage}/cancel`),
      await fixture.book(slots[9]),
    ];
    expect(responses.map(({ status, headers }) => [status, headers['cache-control']])).toEqual(
      [200, 200, 200, 201].map((status) => [status, 'no-store, no-transform']),
    );
  });

  it('changes nothing when it is opened, as mail scanners do', async () => {
    const { fixture, token, booking, slots } = await booked();
    const scanner: Client = fixture.visitor();
    const manage = `/b/manage/${token}`;
    const start = `${slots[7].slice(0, 16)}Z`;
    for (const path of [
      manage,
      `${manage}/reschedule`,
      `${manage}/reschedule?start=${start}`,
      `${manage}/cancel`,
      `/b/${fixture.page.slug}`,
    ])
      expect([200, 404, 405]).toContain((await scanner.get(path)).status);
    expect(await fixture.bookings()).toMatchObject([{ id: booking.id, status: 'confirmed', version: booking.version, start_at: slots[4] }]);
  });

  it('moves the booking: booking, event and UID stay, the sequence rises, and the old time is free', async () => {
    const { fixture, token, booking, slots, email } = await booked();
    const colleague = `${randomUUID()}@example.com`;
    const invitees = `${ORG_SCHEDULE}/events/${booking.event_id}/invitees`;
    expect((await fixture.screen.post(invitees, { invitees: [{ email: colleague }] })).status).toBe(201);
    const before = await uidAndSequence(booking.event_id);
    const { status, headers } = await fixture.send({ start: `${slots[7].slice(0, 16)}Z` }, undefined, `/b/manage/${token}/reschedule`);
    const shown = await fixture.visitor().get(`/b/manage/${token}`, { accept: 'text/html' });
    expect(shown.text).toContain('Your appointment was moved to this time.');
    expect([status, headers.location]).toEqual([303, `/b/manage/${token}`]);
    const after = await uidAndSequence(booking.event_id);
    expect([after.ical_uid, after.sequence > before.sequence, after.start_at.toISOString()]).toEqual([before.ical_uid, true, slots[7]]);
    expect(await fixture.bookings()).toMatchObject([
      { id: booking.id, event_id: booking.event_id, start_at: slots[7], reschedule_count: 1 },
    ]);
    const free = await fixture.slots();
    expect([free.includes(slots[4]), free.includes(slots[7])]).toEqual([true, false]);
    const [booked_, moved] = await fixture.mailsOf(email);
    expect([booked_.subject, moved.subject]).toEqual(['Booked: Meet Grace', 'Moved: Meet Grace']);
    // others on the event follow
    expect((await fixture.send({}, undefined, `/b/manage/${token}/cancel`)).status).toBe(303);
    const told = await fixture.mailsOf(colleague);
    expect(told.map(({ subject, calendar }) => [subject, /METHOD:\w+/.exec(calendar ?? '')?.[0]])).toEqual([
      ['Invitation: Meet Grace', 'METHOD:REQUEST'],
      ['Changed: Meet Grace', 'METHOD:REQUEST'],
      ['Canceled: Meet Grace', 'METHOD:CANCEL'],
    ]);
    expect(await fixture.mailsOf(email)).toHaveLength(3);
  });

  it('may overlap its own old time, but not another booking', async () => {
    const { fixture, token, slots } = await booked({ duration_minutes: [120] });
    const taken = new Date(Date.parse(slots[4]) + 4 * HOUR_MS).toISOString();
    expect((await fixture.book(taken)).status).toBe(201);
    const move = (start: string) => fixture.send({ start: `${start.slice(0, 16)}Z` }, undefined, `/b/manage/${token}/reschedule`);
    const refused = await move(new Date(Date.parse(slots[4]) + 3 * HOUR_MS).toISOString());
    expect([refused.status, refused.text.includes('has just taken this time')]).toEqual([409, true]);
    expect((await move(new Date(Date.parse(slots[4]) + HOUR_MS).toISOString())).status).toBe(303);
  });

  it('keeps the resources that the host added, and offers only times at which all of them are free', async () => {
    const { fixture, token, booking, slots } = await booked();
    const add = async (name: string) =>
      (await fixture.screen.post(`${ORG_SCHEDULE}/calendars/${fixture.calendar.id}/resources`, { name, kind: 'room' })).body.id as string;
    const [beamer, van, room] = [await add('Beamer'), await add('Van'), await add('Room')];
    const event = `${ORG_SCHEDULE}/events/${booking.event_id}`;
    expect((await fixture.screen.patch(event, { resource_ids: [beamer, van] })).status).toBe(200);
    const end = new Date(Date.parse(slots[9]) + HOUR_MS).toISOString();
    const other = {
      calendar_id: fixture.calendar.id,
      title: 'Trip',
      start_at: slots[9],
      end_at: end,
      show_as: 'free',
      resource_ids: [van],
    };
    expect((await fixture.screen.post(`${ORG_SCHEDULE}/events`, other)).status).toBe(201);
    const move = (start_at: string) => fixture.visitor().post(`/api/v1/public/bookings/${token}/reschedule`, { start_at });
    const list = (await fixture.visitor().get(`/b/manage/${token}/reschedule?tz=UTC`, { accept: 'text/html' })).text;
    const times = [...list.matchAll(/name=start value=(\w+)/g)].map(([, value]) => Number.parseInt(value, 36) * 60_000);
    expect([slots[4], slots[8], slots[9], slots[10]].map((at) => times.includes(Date.parse(at)))).toEqual([true, true, false, true]);
    const refused = await move(slots[9]);
    expect([refused.status, refused.body.error.code, refused.body.error.conflicts]).toEqual([409, 'slot_unavailable', undefined]);
    expect((await move(slots[7])).status).toBe(200);
    expect((await fixture.screen.get(event)).body).toMatchObject({ start_at: slots[7], resource_ids: [beamer, van] });
    await fixture.screen.post(`${ORG_BOOKINGS}/${booking.id}/reschedule`, { start_at: slots[8], resource_id: room });
    expect((await fixture.screen.get(event)).body).toMatchObject({ start_at: slots[8], resource_ids: [room, van] });
  });

  it('cancels once and frees the time; limits and notice of the page hold', async () => {
    const { fixture, token, slots, email, booking } = await booked({ max_reschedules: 0 });
    const moved = await fixture.send({ start: `${slots[7].slice(0, 16)}Z` }, undefined, `/b/manage/${token}/reschedule`);
    expect([moved.status, moved.text.includes('as often as possible')]).toEqual([400, true]);
    const cancel = () => fixture.send({}, undefined, `/b/manage/${token}/cancel`);
    expect([(await cancel()).status, (await cancel()).status]).toEqual([303, 400]);
    expect(await fixture.bookings()).toMatchObject([{ status: 'cancelled' }]);
    expect((await uidAndSequence(booking.event_id)).status).toBe('cancelled');
    expect(await fixture.slots()).toContain(slots[4]);
    const [, canceled] = await fixture.mailsOf(email);
    expect(canceled.subject).toBe('Canceled: Meet Grace');
    const late = await booked({ change_notice_minutes: 525_600 });
    const refused = await late.fixture.send({}, undefined, `/b/manage/${late.token}/cancel`);
    expect([refused.status, refused.text.includes('Please contact the host')]).toEqual([400, true]);
  });
});
