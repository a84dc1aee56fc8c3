import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import type { Json } from '../../../../test/harness/api-document.js';
import { BookingFixture, ORG_BOOKINGS } from '../testing/booking-fixture.js';
import { sharedProxiedApp } from '../../../../test/harness/fixtures/fixture-apps.js';
import { EXT_SCHEDULE, ORG_SCHEDULE } from '../testing/schedule-fixture.js';

const app = await sharedProxiedApp();
const EVENTS = `${ORG_SCHEDULE}/events`;

const NO_TIMES = [
  '0001-01-01T00:00:00Z',
  '0001-01-01T00:00',
  '0999-12-31T23:59:59',
  '1000-01-01T00:00:00Z',
  '-002027-03-29T09:00:00Z',
  '+012345-01-01T00:00:00Z',
  '+012345-01-01T00:00',
  '9999-12-31T23:30:00Z',
  '9999-12-31T23:30',
  '9999-12-31T23:30:00-10:00',
  '2016-12-31T23:59:60Z',
  '2016-12-31T23:59:60',
  '2027-02-30T09:00',
];

it('times that no calendar has are rejected by the name of their field', async () => {
  const fixture = await BookingFixture.open(app);
  const event = { calendar_id: fixture.calendar.id, title: 'Edge' };
  const times = { start_at: '2027-03-29T09:00:00Z', end_at: '2027-03-29T10:00:00Z' };
  const make = (values: Json) => fixture.screen.post(EVENTS, { ...event, ...values });
  const { id } = (await make(times)).body;
  const whole = { all_day: true, start_on: '2027-03-29', end_on: '2027-03-30' };
  const booking = (await fixture.book((await fixture.slots())[0])).body;
  const slots = `/api/v1/public/booking/${fixture.page.slug}/slots`;
  const { client: key } = await fixture.space.key({ module: 'schedule', mode: 'live', rate_limit_per_minute: 6000 });
  const availability = `${EXT_SCHEDULE}/calendars/${fixture.calendar.id}/availability`;
  const seen: unknown[] = [];
  const expected: unknown[] = [];
  const check = ({ status, body }: { status: number; body: { error?: { param: string } } }, param: string, value: string) => {
    seen.push([value, status, body.error?.param]);
    expected.push([value, 400, param]);
  };
  for (const time of NO_TIMES) {
    check(await make({ ...times, start_at: time }), 'start_at', time);
    check(await make({ ...times, end_at: time }), 'end_at', time);
    check(await fixture.screen.patch(`${EVENTS}/${id}`, { start_at: time }), 'start_at', time);
    check(await fixture.book(time), 'start_at', time);
    check(await fixture.visitor().post(`/api/v1/public/bookings/${booking.token}/reschedule`, { start_at: time }), 'start_at', time);
    check(await fixture.screen.post(`${ORG_BOOKINGS}/${booking.booking.id}/reschedule`, { start_at: time }), 'start_at', time);
    for (const url of [slots, availability]) {
      check(await key.get(`${url}?${new URLSearchParams({ from: time })}`), 'from', time);
      check(await key.get(`${url}?${new URLSearchParams({ to: time })}`), 'to', time);
    }
  }
  for (const day of ['0001-01-01', '1000-01-01', '9999-12-31', '+012345-01-01', '-000001-01-01', '2027-02-29']) {
    check(await make({ ...whole, start_on: day }), 'start_on', day);
    check(await make({ ...whole, end_on: day }), 'end_on', day);
  }
  expect(seen).toEqual(expected);
  expect((await make({ ...times, start_at: NO_TIMES[0] })).body.error.message).toContain('in the years 1000 to 9999');
});

it('a series that passes the year 9999 is rejected as a whole, however it ends', async () => {
  const fixture = await BookingFixture.open(app);
  const make = (start_at: string, end_at: string, rrule: string, timezone = 'Pacific/Kiritimati') =>
    fixture.screen.post(EVENTS, { calendar_id: fixture.calendar.id, title: 'Edge', start_at, end_at, timezone, recurrence: { rrule } });
  const last = ['9999-12-20T09:00', '9999-12-20T10:00'] as const;
  for (const rrule of [
    'FREQ=DAILY;COUNT=30',
    'FREQ=DAILY;UNTIL=99991231T235959Z',
    'FREQ=MONTHLY;COUNT=60',
    'FREQ=WEEKLY;COUNT=2;INTERVAL=99',
  ]) {
    const refused = await make(...last, rrule);
    expect([rrule, refused.status, refused.body.error?.param]).toEqual([rrule, 400, 'recurrence.rrule']);
  }
  const made = await make(...last, 'FREQ=DAILY;COUNT=8');
  expect([made.status, made.body.start_at]).toEqual([201, '9999-12-19T19:00:00.000Z']);
  const window = 'from=9999-12-01T00:00:00Z&to=9999-12-31T23:59:59Z';
  const { body } = await fixture.screen.get(`${ORG_SCHEDULE}/calendars/${fixture.calendar.id}/events?${window}`);
  expect(body.data.map(({ start_local }: { start_local: string }) => start_local)).toEqual(
    Array.from({ length: 8 }, (_, index) => `9999-12-${20 + index}T09:00:00`),
  );
});

it('pages that are asked for such times show other ones', async () => {
  const fixture = await BookingFixture.open(app);
  const { token } = (await fixture.book((await fixture.slots())[0])).body;
  const statuses = [];
  for (const query of [
    ...['0001-01-01', '1000-01-01', '9999-12-31'].map((on) => `on=${on}&tz=Pacific/Kiritimati`),
    ...['0001-01-01T00:00Z', '9999-12-31T23:59Z', '+012345-01-01T00:00Z', 'zzzzzz'].map((start) => `start=${encodeURIComponent(start)}`),
  ])
    for (const path of [`/b/${fixture.page.slug}`, `/b/${fixture.page.slug}/book`, `/b/manage/${token}/reschedule`]) {
      const { status } = await fixture.visitor().get(`${path}?${query}`, { accept: 'text/html' });
      statuses.push([path, query, status < 500]);
    }
  const form = { start: '9999-12-31T23:59Z', name: 'Ada', email: `${randomUUID()}@example.com`, minutes: '60', tz: 'Pacific/Kiritimati' };
  expect([statuses.filter(([, , isFine]) => !isFine), (await fixture.send(form)).status]).toEqual([[], 400]);
});
