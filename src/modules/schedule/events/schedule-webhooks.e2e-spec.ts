import { afterAll, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { Client } from '../../../../test/harness/client.js';
import { eventFaults } from '../../../../test/harness/event-document.js';
import { eventually } from '../../../../test/harness/eventually.js';
import { sharedApp } from '../../../../test/harness/hosted-app.js';
import { Receiver } from '../../../../test/harness/receiver.js';
import { EXT_SCHEDULE, makeCalendar, ORG_SCHEDULE } from '../testing/schedule-fixture.js';

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
    calendar_id: calendar.id,
    title: 'Review',
    start_at: '2027-03-15T09:00',
    end_at: '2027-03-15T10:00',
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
    'booking.created',
    'calendar.status_changed',
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

it('nothing of a private calendar is sent to endpoints or listed among the events', async () => {
  const space = await app.workspace();
  const owner = await space.signIn();
  const theirs = await space.signIn((await space.member('admin')).email);
  const { got } = await receiver.subscribe(owner);
  const own = (await theirs.post(`${ORG_SCHEDULE}/my-calendar`, {})).body as { id: string };
  const path = `${ORG_SCHEDULE}/calendars/${own.id}`;
  const slug = `private-${randomUUID().slice(0, 13)}`;
  const page = { calendar_id: own.id, slug, title: 'Meet me', duration_minutes: [30] };
  const event = { calendar_id: own.id, title: 'Doctor visit', start_at: '2027-03-15T09:00', end_at: '2027-03-15T10:00' };
  const { id } = (await theirs.post(`${ORG_SCHEDULE}/events`, { ...event, recurrence: { rrule: 'FREQ=WEEKLY;COUNT=4' } })).body;
  const { data } = (await theirs.get(`${path}/events?from=2027-03-01T00:00:00Z&to=2027-05-01T00:00:00Z`)).body;
  const dates = data as { id: string }[];
  const visitor = new Client(app.url);
  const book = async () => {
    const [{ start_at }] = (await visitor.get(`/api/v1/public/booking/${slug}/slots`)).body.data as { start_at: string }[];
    return visitor.post(`/api/v1/public/booking/${slug}/bookings`, { start_at, name: 'Ada Park', email: 'ada.park@example.com' });
  };
  const invited = await theirs.post(`${ORG_SCHEDULE}/events/${id}/invitees`, { invitees: [{ email: 'ada@example.com' }] });
  const changes = [
    invited,
    await theirs.delete(`${ORG_SCHEDULE}/events/${id}/invitees/${invited.body.data[0].id}`),
    await theirs.patch(`${ORG_SCHEDULE}/events/${dates[1].id}`, { title: 'Dentist' }),
    await theirs.patch(`${ORG_SCHEDULE}/events/${dates[2].id}`, { title: 'Dentist', apply_to: 'following' }),
    await theirs.delete(`${ORG_SCHEDULE}/events/${dates[0].id}`),
    await theirs.delete(`${ORG_SCHEDULE}/events/${id}`),
    await theirs.post(`${ORG_SCHEDULE}/booking-pages`, page),
    await book(),
    await theirs.post(`${path}/deactivate`),
    await theirs.post(`${path}/activate`),
    await theirs.patch(path, { name: 'Doctors' }),
  ];
  expect(changes.map(({ status }) => status)).toEqual([201, 204, 200, 200, 204, 204, 201, 201, 200, 200, 200]);
  await theirs.patch(path, { name: 'Team', visibility: 'project' });
  await theirs.post(`${ORG_SCHEDULE}/events`, { ...event, title: 'Planning' });
  const received = await eventually(
    () => Promise.resolve(got()),
    (all) => all.length >= 2,
  );
  expect(received.map(({ event: { type } }) => type).sort()).toEqual(['calendar.updated', 'event.created']);
  const listed = await owner.get('/api/v1/org/developer/events?limit=100');
  const told = (listed.body.data as { type: string; data: object }[]).filter(({ type }) => /^(calendar|event|booking)\./.test(type));
  expect(told.map(({ type }) => type)).toEqual(['event.created', 'calendar.updated']);
  expect(told[1].data).toMatchObject({ previous_attributes: { visibility: 'private' } });
  expect(listed.text + received.map(({ body }) => body).join('')).not.toMatch(/Doctor|Dentist/);
});
