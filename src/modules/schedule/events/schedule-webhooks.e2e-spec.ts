import { afterAll, expect, it } from '@jest/globals';
import { eventFaults } from '../../../../test/kit/event-document.js';
import { eventually } from '../../../../test/kit/eventually.js';
import { sharedApp } from '../../../../test/kit/hosted-app.js';
import { Receiver } from '../../../../test/kit/receiver.js';
import { EXT_SCHEDULE, makeCalendar, ORG_SCHEDULE } from '../../../../test/kit/schedule-fixture.js';

const app = await sharedApp();
const receiver = await Receiver.start();
afterAll(() => receiver.stop());

it('the events of calendars and events are delivered as the OpenAPI document declares them, once each', async () => {
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
  await owner.post(`${ORG_SCHEDULE}/calendars/${calendar.id}/deactivate`);
  const types = [
    ...['calendar.created', 'calendar.updated', 'event.created', 'event.invitees_added', 'event.updated', 'event.deleted'],
    'calendar.status_changed',
  ];
  const received = await eventually(
    () => Promise.resolve(got()),
    (all) => all.length >= types.length,
  );
  const bodies = received.sort((a, b) => a.event.sequence - b.event.sequence);
  expect(bodies.map(({ event: { type } }) => type)).toEqual(types);
  expect(await eventFaults(app.url, bodies)).toEqual([]);
  const { context } = (JSON.parse(bodies[3].body) as { data: { context: { invitees: object[] } } }).data;
  expect(context.invitees).toMatchObject([{ email: 'ada@example.com', response: 'needs_action', invitation: { status: 'queued' } }]);
});
