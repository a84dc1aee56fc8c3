import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { BookingFixture, SETTINGS } from '../testing/booking-fixture.js';
import { sharedProxiedApp } from '../../../../test/harness/fixtures/fixture-apps.js';
import { EXT_SCHEDULE, ORG_SCHEDULE } from '../testing/schedule-fixture.js';

const app = await sharedProxiedApp();
const MINUTE_MS = 60_000;
const [FIRST, LAST] = [8 * 60, 14 * 60];
const LENGTH = 30;

/** Minutes of the day that is tried. `resource`: its index; null for none. */
interface Use {
  start: number;
  end: number;
  resource: number | null;
  show_as: 'busy' | 'free';
}

interface Buffers {
  before: number;
  after: number;
}

interface Situation {
  mode: 'calendar' | 'visitor_chooses' | 'least_busy';
  policy: 'allow' | 'reject';
  calendar: Buffers;
  resources: Buffers[];
  events: Use[];
}

/** By the minute: whether a use of a resource, or of the calendar itself, would touch another one, each with its own buffers. */
function isFree({ mode, policy, calendar, resources }: Situation, uses: readonly Use[], start: number, resource: number | null): boolean {
  const of = (index: number | null): Buffers =>
    index === null ? calendar : { before: calendar.before + resources[index].before, after: calendar.after + resources[index].after };
  const minutes = (from: number, to: number) => Array.from({ length: to - from }, (_, minute) => from + minute);
  const needed = minutes(start - of(resource).before, start + LENGTH + of(resource).after);
  const taken = new Set(
    uses.flatMap((use) => {
      const isSame = resource !== null && use.resource === resource;
      const ofCalendar = use.show_as === 'busy' && (mode === 'calendar' || policy === 'reject' || use.resource === null);
      return [
        ...(isSame ? minutes(use.start - of(resource).before, use.end + of(resource).after) : []),
        ...(ofCalendar ? minutes(use.start - calendar.before, use.end + calendar.after) : []),
      ];
    }),
  );
  return needed.every((minute) => !taken.has(minute));
}

const quarters = (from: number, to: number) => fc.integer({ min: from / 15, max: to / 15 }).map((count) => count * 15);
const buffers = fc.record({ before: quarters(0, 30), after: quarters(0, 45) });
const situation = fc.record<Situation>({
  mode: fc.constantFrom('calendar', 'visitor_chooses', 'least_busy'),
  policy: fc.constantFrom('allow', 'reject'),
  calendar: buffers,
  resources: fc.tuple(buffers, buffers),
  events: fc.array(
    fc
      .record({
        start: quarters(FIRST, LAST),
        length: quarters(15, 60),
        resource: fc.constantFrom(null, 0, 1),
        show_as: fc.constantFrom('busy' as const, 'busy' as const, 'free' as const),
      })
      .map(({ length, ...use }) => ({ ...use, end: use.start + length })),
    { minLength: 1, maxLength: 4 },
  ),
});

async function check(tried: Situation): Promise<void> {
  const { mode, policy, calendar, resources, events } = tried;
  const settings = { ...SETTINGS, buffer_before: calendar.before, buffer_after: calendar.after };
  const fixture = await BookingFixture.open(app, {
    calendar: { timezone: 'UTC', conflict_policy: policy },
    availability: { settings },
    page: { resource_mode: mode, duration_minutes: [LENGTH] },
    resources: resources.map(({ before, after }, index) => ({
      name: `Room ${index}`,
      buffer_before_minutes: before,
      buffer_after_minutes: after,
    })),
  });
  const path = `${ORG_SCHEDULE}/calendars/${fixture.calendar.id}`;
  const ids: string[] = (await fixture.screen.get(`${path}/resources?sort=name`)).body.data.map(({ id }: { id: string }) => id);
  const day = Date.parse(new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10));
  const textOf = (minute: number) => new Date(day + minute * MINUTE_MS).toISOString();
  const uses: Use[] = [];
  for (const { start, end, resource, show_as } of events) {
    const event = { calendar_id: fixture.calendar.id, title: 'Use', start_at: textOf(start), end_at: textOf(end), show_as };
    const { status } = await fixture.screen.post(`${ORG_SCHEDULE}/events`, {
      ...event,
      resource_ids: resource === null ? [] : [ids[resource]],
    });
    if (status === 201) uses.push({ start, end, resource, show_as });
    else expect(status).toBe(409);
  }
  const choices = mode === 'calendar' ? [null] : mode === 'visitor_chooses' ? [1] : [0, 1];
  const chosen: Record<string, string> = mode === 'visitor_chooses' ? { resource_id: ids[1] } : {};
  const starts = Array.from({ length: (LAST - FIRST) / 30 }, (_, index) => FIRST + index * 30);
  const range = new URLSearchParams({ from: textOf(FIRST), to: textOf(LAST), ...chosen });
  const { client: key } = await fixture.space.key({ module: 'schedule', mode: 'live', rate_limit_per_minute: 6000 });
  const startsOf = (list: { start_at: string }[]) => list.map(({ start_at }) => start_at);
  // a time that is refused stays so, because uses are only added
  const refused = new Set<number>();
  for (;;) {
    const right = starts.filter((start) => choices.some((one) => isFree(tried, uses, start, one)));
    const slots = startsOf((await key.get(`/api/v1/public/booking/${fixture.page.slug}/slots?${range}`)).body.data);
    expect(slots).toEqual(right.map(textOf));
    // availability is that of the resources if there are any
    const availability = `${EXT_SCHEDULE}/calendars/${fixture.calendar.id}/availability?duration_minutes=${LENGTH}&${range}`;
    if (mode !== 'calendar') expect(startsOf((await key.get(availability)).body.slots)).toEqual(slots);
    const wrong = starts.filter((one) => !right.includes(one) && !refused.has(one));
    await Promise.all(
      wrong.map(async (start) => {
        const { status, body } = await fixture.book(textOf(start), chosen);
        expect([start, status, body.error?.code]).toEqual([start, 409, 'slot_unavailable']);
        refused.add(start);
      }),
    );
    if (right.length === 0) return;
    const start = right[Math.floor(right.length / 2)];
    const booked = await fixture.book(textOf(start), chosen);
    expect([start, booked.status]).toEqual([start, 201]);
    const [{ resource_id }] = (await fixture.bookings()).filter(({ id }) => id === booked.body.booking.id);
    const resource = resource_id === null ? null : ids.indexOf(resource_id as string);
    expect(isFree(tried, uses, start, resource)).toBe(true);
    uses.push({ start, end: start + LENGTH, resource, show_as: 'busy' });
    // more than 20 within ten minutes, and the page asks for a code
    await app.sql.query(`UPDATE schedule_bookings SET created_at = created_at - interval '2 hours' WHERE page_id = $1`, [fixture.page.id]);
  }
}

it.each<[Situation['mode'], Situation['policy']]>([
  ['calendar', 'allow'],
  ['calendar', 'reject'],
  ['visitor_chooses', 'allow'],
  ['visitor_chooses', 'reject'],
  ['least_busy', 'allow'],
  ['least_busy', 'reject'],
])(
  'in mode %s with policy %s, offered times are those that can be booked, with buffers of both events',
  async (mode, policy) => {
    const rest = situation.map((one) => ({ ...one, mode, policy }));
    await fc.assert(fc.asyncProperty(rest, check), { numRuns: 3, endOnFailure: true });
  },
  120_000,
);

it('after buffer_after 30, the slot at the end of an event is neither offered nor bookable', async () => {
  const settings = { ...SETTINGS, buffer_after: 30 };
  const fixture = await BookingFixture.open(app, { availability: { settings }, page: { duration_minutes: [30] } });
  const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
  const event = { calendar_id: fixture.calendar.id, title: 'Talk', start_at: `${day}T10:00:00Z`, end_at: `${day}T10:30:00Z` };
  expect((await fixture.screen.post(`${ORG_SCHEDULE}/events`, event)).status).toBe(201);
  const slots = await fixture.slots();
  const isOffered = (time: string) => slots.includes(`${day}T${time}:00.000Z`);
  expect(['09:00', '09:30', '10:00', '10:30', '11:00'].map(isOffered)).toEqual([true, false, false, false, true]);
  const refused = await fixture.book(`${day}T10:30:00Z`);
  expect([refused.status, refused.body.error.code]).toEqual([409, 'slot_unavailable']);
  const { client: key } = await fixture.space.key({ module: 'schedule', mode: 'live' });
  const window = `from=${day}T00:00:00Z&to=${day}T23:00:00Z&duration_minutes=30`;
  const { body } = await key.get(`${EXT_SCHEDULE}/calendars/${fixture.calendar.id}/availability?${window}`);
  const offered = body.slots.map(({ start_at }: { start_at: string }) => start_at.slice(11, 16));
  expect(['10:30', '11:00'].map((time) => offered.includes(time))).toEqual([false, true]);
  expect(body.busy).toEqual([{ resource_id: null, start_at: `${day}T10:00:00.000Z`, end_at: `${day}T11:00:00.000Z` }]);
});
