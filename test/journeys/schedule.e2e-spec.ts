import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { Client as McpClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Json } from '../harness/api-document.js';
import type { ApiResponse } from '../harness/client.js';
import { eventually } from '../harness/eventually.js';
import { BookingFixture } from '../../src/modules/schedule/testing/booking-fixture.js';
import { ownApp } from '../harness/hosted-app.js';
import { EXT_SCHEDULE, makeCalendar, makeResource } from '../../src/modules/schedule/testing/schedule-fixture.js';

// visitors have addresses of their own
const app = await ownApp({ env: { TRUSTED_PROXIES: '127.0.0.1' } });
const EVENTS = `${EXT_SCHEDULE}/events`;

/** Of many requests at once, a busy machine refuses some with 503 before they change anything. */
const untilServed = (send: () => Promise<ApiResponse>) => eventually(send, ({ status }) => status !== 503);

it('two hundred people press one slot at once: one is booked, the others see other times, their answers kept', async () => {
  const fixture = await BookingFixture.open(app);
  const start = (await fixture.slots())[5];
  const form = { start, minutes: '60', tz: 'Europe/Berlin' };
  const all = await Promise.all(
    Array.from({ length: 200 }, (_, n) => {
      const fields = { ...form, form_token: randomUUID(), name: `Visitor ${n}`, email: `visitor-${n}@example.com` };
      return untilServed(() => fixture.send(fields));
    }),
  );
  const counts = (status: number) => all.filter((one) => one.status === status).length;
  expect([counts(303), counts(409)]).toEqual([1, 199]);
  all.forEach(({ status, text }, n) => {
    if (status === 303) return;
    expect(text).toContain(`value="Visitor ${n}"`);
    expect(text.match(/<input type="radio" name="start"/g)).toHaveLength(5);
  });
  expect(await fixture.bookings()).toHaveLength(1);
});

it('a class of eight takes eight, each with an event of their own', async () => {
  const resources = [{ name: 'Yoga', kind: 'other', capacity: 8 }];
  const fixture = await BookingFixture.open(app, { page: { resource_mode: 'visitor_chooses' }, resources });
  const start = (await fixture.slots())[3];
  const all = await Promise.all(Array.from({ length: 20 }, () => untilServed(() => fixture.book(start))));
  expect(all.filter(({ status }) => status === 201)).toHaveLength(8);
  expect(all.filter(({ status }) => status === 409)).toHaveLength(12);
  expect(new Set((await fixture.bookings()).map(({ event_id }) => event_id)).size).toBe(8);
  expect(await fixture.slots()).not.toContain(start);
});

it('moving this and the following dates to another room leaves third parties no gap', async () => {
  const space = await app.workspace();
  const calendar = await makeCalendar(space);
  const [ada, grace] = [await makeResource(space, calendar.id), await makeResource(space, calendar.id, { name: 'Room Grace' })];
  const { client: api } = await space.key({ module: 'schedule' });
  const create = (body: Json) => api.post(EVENTS, { calendar_id: calendar.id, title: 'Review', ...body });
  const first = { start_at: '2027-03-15T09:00', end_at: '2027-03-15T09:30', resource_ids: [ada.id] };
  expect((await create({ ...first, recurrence: { rrule: 'FREQ=WEEKLY;COUNT=5' } })).status).toBe(201);
  const window = 'from=2027-03-01T00:00:00Z&to=2027-06-01T00:00:00Z';
  const { data } = (await api.get(`${EXT_SCHEDULE}/calendars/${calendar.id}/events?${window}`)).body as { data: { id: string }[] };
  const third = { start_at: '2027-04-05T09:00', end_at: '2027-04-05T09:30' };
  // while the series gets a second room, the first one is never free
  const [changed, ...others] = await Promise.all([
    api.patch(`${EVENTS}/${data[2].id}`, { apply_to: 'following', resource_ids: [ada.id, grace.id] }),
    ...Array.from({ length: 20 }, () => create({ ...third, resource_ids: [ada.id] })),
  ]);
  expect([changed.status, new Set(others.map(({ status }) => status))]).toEqual([200, new Set([409])]);
  const moved = await api.patch(`${EVENTS}/${changed.body.id}`, { resource_ids: [grace.id] });
  expect(moved.status).toBe(200);
  expect((await create({ ...third, resource_ids: [grace.id] })).status).toBe(409);
  expect((await create({ ...third, resource_ids: [ada.id] })).status).toBe(201);
});

it('an agent books a free room in four calls, told by one refusal what is taken', async () => {
  const space = await app.workspace();
  const calendar = await makeCalendar(space);
  const room = await makeResource(space, calendar.id);
  const { client: api } = await space.key({ module: 'schedule' });
  const agent = new McpClient({ name: 'journey', version: '1.0.0' });
  await agent.connect(
    new StreamableHTTPClientTransport(new URL(`${app.url}/api/v1/ext/mcp`), {
      requestInit: { headers: { authorization: String(api.headers['authorization']) } },
    }),
  );
  const call = async (name: string, args: Record<string, unknown>) => {
    const { isError = false, structuredContent } = await agent.callTool({ name, arguments: args });
    return { isError, body: structuredContent as unknown };
  };
  try {
    const { data: calendars } = (await call('list_calendars', { q: 'Consulting' })).body as { data: { id: string }[] };
    const wanted = { calendar_id: calendars[0].id, title: 'Review', resource_ids: [room.id] };
    const { slots } = (await call('get_calendar_availability', { id: calendars[0].id, resource_id: [room.id] })).body as {
      slots: { start_at: string; end_at: string }[];
    };
    // somebody else is faster
    const taken = { start_at: slots[0].start_at, end_at: slots[0].end_at };
    expect((await api.post(EVENTS, { ...wanted, ...taken })).status).toBe(201);
    const refused = await call('create_event', { ...wanted, ...taken, idempotency_key: randomUUID() });
    const { error } = refused.body as { error: { code: string; conflicts: { start_at: string; end_at: string }[] } };
    expect([refused.isError, error]).toEqual([true, expect.objectContaining({ code: 'resource_conflict' })]);
    expect(error.conflicts).toMatchObject([taken]);
    const later = slots.find((slot) => slot.start_at >= error.conflicts[0].end_at) as (typeof slots)[number];
    const next = { start_at: later.start_at, end_at: later.end_at };
    const made = await call('create_event', { ...wanted, ...next, idempotency_key: randomUUID() });
    expect([made.isError, made.body]).toMatchObject([false, { ...next, resource_ids: [room.id] }]);
  } finally {
    await agent.close();
  }
});
