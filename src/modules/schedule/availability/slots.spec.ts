import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { nextChange } from '../../../kit/index.js';
import { resolveLocal } from '../time/zone-time.js';
import { freeSlots, openingsOf, pageOf, type Bookable, type OpeningHours, type SlotsInput, type TimeWindow } from './slots.js';
import { fullSpans, type Span } from '../time/spans.js';

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const everyDay = (start: string, end: string): OpeningHours => ({
  rules: [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, start, end })),
  overrides: [],
});
const bookable = (changes: Partial<Bookable> = {}): Bookable => ({
  id: null,
  hours: everyDay('09:00', '12:00'),
  settings: { slotMinutes: 30, minNoticeMinutes: 0, horizonDays: 365, dailyLimit: null },
  bufferBefore: 0,
  bufferAfter: 0,
  capacity: 1,
  uses: [],
  personBusy: [],
  ...changes,
});
const at = (text: string) => Date.parse(`${text}Z`);
const span = (start: string, end: string): Span => ({ start: at(start), end: at(end) });

function input(changes: Partial<SlotsInput> = {}): SlotsInput {
  return {
    zone: 'UTC',
    now: at('2027-01-11T00:00'),
    from: at('2027-01-11T00:00'),
    to: at('2027-01-12T00:00'),
    durationMinutes: 30,
    bookables: [bookable()],
    calendarBusy: [],
    bookingStarts: [],
    ...changes,
  };
}

const starts = (changes: Partial<SlotsInput>) =>
  freeSlots(input(changes)).slots.map(({ start }) => new Date(start).toISOString().slice(5, 16));
const onDay = (on: string, zone: string) => ({ zone, now: at(`${on}T00:00`) - DAY, from: resolveLocal(`${on}T00:00`, zone).getTime() });

describe('windows', () => {
  test('Europe/Berlin: have the offset of their own day', () => {
    for (const [on, open] of [
      ['2027-03-27', '08:00'],
      ['2027-03-28', '07:00'],
      ['2026-10-24', '07:00'],
      ['2026-10-25', '08:00'],
    ]) {
      const { from, zone } = onDay(on, 'Europe/Berlin');
      expect(openingsOf(everyDay('09:00', '17:00'), zone, from, from + 1)).toContainEqual(
        expect.objectContaining({ start: at(`${on}T${open}`) }),
      );
    }
  });

  test('Europe/Berlin: 01:00 to 04:00 is two hours on 28 March and four on 25 October', () => {
    const hours = (on: string) => {
      const { from, zone } = onDay(on, 'Europe/Berlin');
      const found = openingsOf(everyDay('01:00', '04:00'), zone, from, from + 1).find(({ start }) => start === from + 60 * MINUTE)!;
      return (found.end - found.start) / (60 * MINUTE);
    };
    expect([hours('2027-03-28'), hours('2026-10-25')]).toEqual([2, 4]);
  });

  test('Pacific/Apia: a day without length has none', () => {
    const windows = openingsOf(everyDay('09:00', '17:00'), 'Pacific/Apia', at('2011-12-29T19:00'), at('2011-12-31T02:00'));
    expect(windows.map(({ start }) => new Date(start).toISOString().slice(0, 16))).toEqual([
      '2011-12-28T19:00',
      '2011-12-29T19:00',
      '2011-12-30T19:00',
      '2011-12-31T19:00',
    ]);
  });

  test('an override replaces its day, also with nothing', () => {
    const hours = {
      ...everyDay('09:00', '10:00'),
      overrides: [
        { on: '2027-01-11', windows: [] },
        { on: '2027-01-12', windows: [{ start: '13:00', end: '14:00' }] },
      ],
    };
    expect(starts({ bookables: [bookable({ hours })], to: at('2027-01-14T00:00') })).toEqual([
      '01-12T13:00',
      '01-12T13:30',
      '01-13T09:00',
      '01-13T09:30',
    ]);
  });
});

describe('slots', () => {
  test('Asia/Kathmandu: the grid starts at the window', () => {
    const day = onDay('2027-01-11', 'Asia/Kathmandu');
    expect(starts({ ...day, to: day.from + 10 * 60 * MINUTE }).slice(0, 2)).toEqual(['01-11T03:15', '01-11T03:45']);
  });

  test('adjacent windows join, and a slot may pass midnight', () => {
    const rules = [
      { weekday: 1, start: '22:00', end: '23:00' },
      { weekday: 1, start: '23:00', end: '24:00' },
      { weekday: 2, start: '00:00', end: '01:00' },
    ];
    const settings = { ...bookable().settings, slotMinutes: 45 };
    const found = starts({
      bookables: [bookable({ hours: { rules, overrides: [] }, settings })],
      durationMinutes: 60,
      to: at('2027-01-13T00:00'),
    });
    expect(found).toEqual(['01-11T22:00', '01-11T22:45', '01-11T23:30', '01-12T00:00']);
  });

  test('notice, horizon and the beginning of the query remove slots but never move the grid', () => {
    const settings = { ...bookable().settings, minNoticeMinutes: 50, horizonDays: 1 };
    const day = {
      bookables: [bookable({ settings })],
      now: at('2027-01-11T09:15'),
      from: at('2027-01-11T08:07'),
      to: at('2027-01-20T00:00'),
    };
    expect(starts(day)[0]).toBe('01-11T10:30');
    expect(starts(day).at(-1)).toBe('01-12T11:30');
    expect(starts({ from: at('2027-01-11T10:07') })[0]).toBe('01-11T10:30');
  });

  test('keep buffers free, which may reach outside the window', () => {
    const uses = [span('2027-01-11T10:00', '2027-01-11T10:20')];
    const found = starts({ bookables: [bookable({ uses, bufferBefore: 15, bufferAfter: 5 })] });
    expect(found).toEqual(['01-11T09:00', '01-11T11:00', '01-11T11:30']);
  });

  test('a busy event of the calendar blocks every resource', () => {
    const bookables = [bookable({ id: 'a' }), bookable({ id: 'b', uses: [span('2027-01-11T09:00', '2027-01-11T11:00')] })];
    const { slots } = freeSlots(input({ bookables, calendarBusy: [span('2027-01-11T11:00', '2027-01-11T11:30')] }));
    expect(slots.map(({ resourceIds }) => resourceIds.join('+'))).toEqual(['a', 'a', 'a', 'a', 'a+b']);
  });

  test('a resource for several is full at its peak only', () => {
    const uses = [
      span('2027-01-11T09:00', '2027-01-11T10:00'),
      span('2027-01-11T10:00', '2027-01-11T11:00'),
      span('2027-01-11T10:30', '2027-01-11T11:30'),
    ];
    // every hour-long slot overlaps two uses or more, but at 09:00 never two at once
    expect(starts({ bookables: [bookable({ capacity: 2, uses })], durationMinutes: 60 })).toEqual([
      '01-11T09:00',
      '01-11T09:30',
      '01-11T11:00',
    ]);
    expect(fullSpans(uses, 2)).toEqual([span('2027-01-11T10:30', '2027-01-11T11:00')]);
  });

  test('the daily limit counts the local day', () => {
    const settings = { ...bookable().settings, dailyLimit: 2 };
    const bookingStarts = [at('2027-01-10T23:30'), at('2027-01-11T08:00')];
    const day = { zone: 'Europe/Berlin', bookingStarts, to: at('2027-01-13T00:00'), bookables: [bookable({ settings })] };
    expect(starts(day)[0]).toBe('01-12T08:00');
    expect(starts({ ...day, zone: 'UTC' })[0]).toBe('01-11T09:00');
  });

  test('beyond the limit the next start is told', () => {
    const { slots, nextFrom } = freeSlots(input({ limit: 4 }));
    expect(slots).toHaveLength(4);
    expect(nextFrom).toBe(at('2027-01-11T11:00'));
    const rest = freeSlots(input({ limit: 4, from: nextFrom as number }));
    expect(rest.slots.map(({ start }) => start)).toEqual([at('2027-01-11T11:00'), at('2027-01-11T11:30')]);
    expect(rest.nextFrom).toBeNull();
  });

  test.each([1, 25])('of a short day with 30 events and limit %d, no page leaves out a taken time before its end', (limit) => {
    const hours = everyDay('09:00', '10:00');
    const calendarBusy = Array.from({ length: 30 }, (_, index) => {
      // two at a time, one of which has begun before the range
      const start = at('2027-01-10T23:50') + Math.floor(index / 2) * 45 * MINUTE;
      return { start, end: start + 30 * MINUTE };
    });
    const busy = calendarBusy.map((one) => ({ id: null, ...one }));
    const settings = { ...bookable().settings, slotMinutes: 5 };
    const day = { calendarBusy, bookables: [bookable({ hours, settings })], durationMinutes: 15 };
    const free = freeSlots(input(day)).slots;
    expect(free).toHaveLength(1);
    const [seenSlots, seenBusy] = [new Set<number>(), new Set<number>()];
    for (let from: number | null = at('2027-01-11T00:00'); from !== null;) {
      const page = pageOf(freeSlots(input({ ...day, from, limit })), busy, from, limit);
      const end = page.nextFrom ?? Infinity;
      expect(end).toBeGreaterThan(from);
      expect(page.busy).toEqual(busy.filter(({ start }) => start < end));
      for (const { start } of page.slots) seenSlots.add(start);
      for (const { start } of page.busy) seenBusy.add(start);
      from = page.nextFrom;
    }
    expect([...seenSlots]).toEqual(free.map(({ start }) => start));
    expect(seenBusy.size).toBe(15);
  });
});

/** Tries every minute and every instant with Temporal: slow and plain. */
function model({ zone, now, from, to, durationMinutes, bookables, calendarBusy, bookingStarts }: SlotsInput): string[] {
  const local = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone);
  const day = (ms: number) => local(ms).toPlainDate();
  const resolve = (on: Temporal.PlainDate, time: string) =>
    (time === '24:00' ? on.add({ days: 1 }).toZonedDateTime(zone) : on.toZonedDateTime({ timeZone: zone, plainTime: time }))
      .epochMilliseconds;
  const windowsOn = ({ rules, overrides }: OpeningHours, on: Temporal.PlainDate): Span[] => {
    const windows: readonly TimeWindow[] =
      overrides.find((override) => override.on === on.toString())?.windows ?? rules.filter(({ weekday }) => weekday === on.dayOfWeek);
    const [first, last] = [resolve(on, '00:00'), resolve(on, '24:00')];
    return windows.map(({ start, end }) => ({ start: Math.max(first, resolve(on, start)), end: Math.min(last, resolve(on, end)) }));
  };
  const isIn = (spans: readonly Span[], ms: number) => spans.some(({ start, end }) => start <= ms && ms < end);
  const found: string[] = [];
  const days = Array.from({ length: Math.ceil((to - from) / DAY) + 4 }, (_, index) => day(from).add({ days: index - 1 }));
  for (const { id, hours, settings, bufferBefore, bufferAfter, capacity, uses, personBusy } of bookables) {
    const blocked = [...calendarBusy, ...personBusy];
    const open = days.map((on) => windowsOn(hours, on));
    const all = open.flat();
    for (const [index, on] of days.entries()) {
      const [first, last] = [resolve(on, '00:00'), resolve(on, '24:00')];
      let grid: number | null = null;
      for (let ms = first; ms < last; ms += MINUTE) {
        if (!isIn(open[index], ms)) {
          grid = null;
          continue;
        }
        grid ??= ms;
        const minutes = (count: number, begin: number) => Array.from({ length: count }, (_, minute) => begin + minute * MINUTE);
        const kept = minutes(durationMinutes + bufferBefore + bufferAfter, ms - bufferBefore * MINUTE);
        const isFree =
          (ms - grid) % (settings.slotMinutes * MINUTE) === 0 &&
          ms >= from &&
          ms < to &&
          ms >= now + settings.minNoticeMinutes * MINUTE &&
          day(now).until(on).days <= settings.horizonDays &&
          minutes(durationMinutes, ms).every((minute) => isIn(all, minute)) &&
          kept.every((minute) => !isIn(blocked, minute) && uses.filter((use) => isIn([use], minute)).length < capacity) &&
          (settings.dailyLimit === null || bookingStarts.filter((start) => day(start).equals(on)).length < settings.dailyLimit);
        if (isFree) found.push(`${ms} ${id}`);
      }
    }
  }
  return found.sort();
}

test('slots are those of a brute-force model, in all zones', () => {
  const zones = Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'Africa/Monrovia');
  const int = (min: number, max: number) => fc.integer({ min, max });
  const time = (quarter: number) => `${String(Math.floor(quarter / 4)).padStart(2, '0')}:${String((quarter % 4) * 15).padStart(2, '0')}`;
  const anyWindow = fc
    .tuple(int(0, 95), int(1, 96))
    .map(([start, length]) => ({ start: time(start), end: time(Math.min(96, start + length)) }));
  const atMidnight = fc.constantFrom({ start: '00:00', end: '02:00' }, { start: '22:15', end: '24:00' });
  const window = fc.oneof(anyWindow, atMidnight);
  const situation = fc.record({
    zone: fc.constantFrom(...zones),
    base: int(at('2010-01-01T00:00') / MINUTE, at('2030-01-01T00:00') / MINUTE).map((minute) => minute * MINUTE),
    isNearChange: fc.boolean(),
    rules: fc.array(fc.tuple(int(1, 7), window), { maxLength: 12 }),
    overrides: fc.uniqueArray(fc.tuple(int(-1, 3), fc.array(window, { maxLength: 2 })), { maxLength: 2, selector: ([day]) => day }),
    hours: int(1, 50),
    duration: int(1, 12).map((count) => count * 10),
    slotMinutes: fc.constantFrom(15, 20, 25, 30, 45, 60),
    notice: int(0, 300),
    horizonDays: int(0, 3),
    dailyLimit: fc.option(int(1, 2)),
    buffers: fc.tuple(int(0, 20), int(0, 20)),
    capacity: int(1, 3),
    uses: fc.array(fc.tuple(int(-300, 3000), int(1, 300)), { maxLength: 8 }),
    busy: fc.array(fc.tuple(int(-300, 3000), int(1, 120)), { maxLength: 2 }),
    bookings: fc.array(int(-300, 3000), { maxLength: 4 }),
  });
  fc.assert(
    fc.property(situation, (s) => {
      const change = s.isNearChange ? nextChange(s.base, s.base + 400 * DAY, s.zone) : null;
      const from = change === null ? s.base : change - (s.base % DAY);
      const spans = (list: [number, number][]) =>
        list.map(([start, length]) => ({ start: from + start * MINUTE, end: from + (start + length) * MINUTE }));
      const today = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(s.zone).toPlainDate();
      const hours = {
        rules: s.rules.map(([weekday, times]) => ({ weekday, ...times })),
        overrides: s.overrides.map(([days, windows]) => ({ on: today.add({ days }).toString(), windows })),
      };
      const settings = { slotMinutes: s.slotMinutes, minNoticeMinutes: s.notice, horizonDays: s.horizonDays, dailyLimit: s.dailyLimit };
      const common = { hours, settings, bufferBefore: s.buffers[0], bufferAfter: s.buffers[1] };
      const situationInput: SlotsInput = {
        zone: s.zone,
        now: from - 60 * MINUTE,
        from,
        to: from + s.hours * 60 * MINUTE,
        durationMinutes: s.duration,
        bookables: [
          { ...common, id: 'shared', capacity: s.capacity, uses: spans(s.uses), personBusy: spans(s.uses.slice(6)) },
          { ...common, id: 'alone', capacity: 1, uses: spans(s.uses.slice(0, 2)), personBusy: [] },
        ],
        calendarBusy: spans(s.busy),
        bookingStarts: s.bookings.map((minute) => from + minute * MINUTE),
      };
      const found = freeSlots(situationInput).slots.flatMap(({ start, resourceIds }) => resourceIds.map((id) => `${start} ${id}`));
      expect(found.sort()).toEqual(model(situationInput));
    }),
    { numRuns: 50 },
  );
});
