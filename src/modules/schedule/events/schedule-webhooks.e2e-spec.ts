import { afterAll, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { Client } from '../../../../test/kit/client.js';
import { eventFaults } from '../../../../test/kit/event-document.js';
import { eventually } from '../../../../test/kit/eventually.js';
import { sharedApp } from '../../../../test/kit/hosted-app.js';
import { Receiver } from '../../../../test/kit/receiver.js';
import { EXT_SCHEDULE, makeCalendar, ORG_SCHEDULE } from '../../../../test/kit/schedule-fixture.js';

const app = await sharedApp();
const receiver = await Receiver.start();
afterAll(() => receiver.stop());

it('the events of calendars, events and bookings are delivered as the OpenAPI document declares them, once each', async () => {
  const space = await app.workspace();
  const owner = await space.signIn();
  const { got } = await receiver.subscribe(owner);
  const calendar = await makeCalendar(space, { owner_id: space.owner.id });
  const { client: api } = await space.key({ module: 'schedule' });
  await owner.patch(`${ORG_SCHEDULE}/calendars/${calendar.id}`, { color: '#123456' });
  const event = await api.post(`${EXT_SCHEDULE}/events`, {
    ...{ calendar_id: calendar.id, title: 'Review', start_at: '2027-03-15T09:00', end_at: '2027-03-15T10:00' },
    recurrence: { rrule: 'FREQ=WEEKLY;COUNT=10' },
  });
  const path = `${EXT_SCHEDULE}/events/${event.body.id}`;
  await api.post(`${path}/invitees`, { invitees: [{ email: 'ada@example.com', name: 'Ada' }] });
  await api.patch(path, { title: 'Contract review' });
  await api.delete(path);
  const slug = `meet-${randomUUID().slice(0, 13)}`;
  const values = { calendar_id: calendar.id, slug, title: 'Meet Grace', duration_minutes: [30] };
  const page = await owner.post(`${ORG_SCHEDULE}/booking-pages`, values);
  expect(page.status).toBe(201);
  const visitor = new Client(app.url);
  const [{ start_at }] = (await visitor.get(`/api/v1/public/booking/${slug}/slots`)).body.data as { start_at: string }[];
  const guest = { name: 'Ada Park', email: 'ada.park@example.com' };
  const booked = (await visitor.post(`/api/v1/public/booking/${slug}/bookings`, { start_at, ...guest })).body.booking;
  await owner.post(`${ORG_SCHEDULE}/calendars/${calendar.id}/deactivate`);
  const types = [
    ...['calendar.created', 'calendar.updated', 'event.created', 'event.invitees_added', 'event.updated', 'event.deleted'],
    ...['booking.created', 'calendar.status_changed'],
  ];
  const received = await eventually(
    () => Promise.resolve(got()),
    (all) => all.length >= types.length,
  );
  const bodies = received.sort((a, b) => a.event.sequence - b.event.sequence);
  expect(bodies.map(({ event: { type } }) => type)).toEqual(types);
  expect(await eventFaults(app.url, bodies)).toEqual([]);
  const dataOf = ({ body }: { body: string }) => (JSON.parse(body) as { data: { object: object; context: Record<string, unknown> } }).data;
  const { context } = dataOf(bodies[3]);
  expect(context.invitees).toMatchObject([{ email: 'ada@example.com', response: 'needs_action', invitation: { status: 'queued' } }]);
  expect(dataOf(bodies[6])).toMatchObject({
    object: { id: booked.id, status: 'confirmed', start_at, guest, booking_page_id: page.body.id },
    context: { event: { id: booked.event_id, calendar_id: calendar.id, title: 'Meet Grace', start_at, invitee_count: 1 } },
  });
});
