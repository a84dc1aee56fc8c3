import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import type { Window } from '../model/business-hours.entity.js';
import { afterBusinessSeconds, businessSeconds, type BusinessHours } from './business-hours.js';
import { breachClock, isPaused, meetClock, pauseClock, resumeClock, retargetClock, startClock, type SlaClock } from './sla-clock.js';

const MINUTE_MS = 60_000;
const WORKDAYS = [1, 2, 3, 4, 5];
const at = (iso: string) => new Date(iso);
const office = (zone: string, holidays: string[] = []): BusinessHours => ({
  zone,
  windows: WORKDAYS.map((weekday) => ({ weekday, start: '09:00', end: '17:00' })),
  holidays,
});

/** The model knows nothing of spans: it looks at the wall clock once a minute. */
const walls = new Map<string, number>();

function isOpen(hours: BusinessHours | null, minute: number): boolean {
  if (hours === null) return true;
  const quarter = Math.floor(minute / 15) * 15;
  const key = `${quarter} ${hours.zone}`;
  let wall = walls.get(key);
  if (wall === undefined) {
    const local = Temporal.Instant.fromEpochMilliseconds(quarter * MINUTE_MS)
      .toZonedDateTimeISO(hours.zone)
      .toPlainDateTime();
    walls.set(key, (wall = Date.parse(`${local.toString()}Z`)));
  }
  const local = new Date(wall + (minute - quarter) * MINUTE_MS);
  const time = local.toISOString().slice(11, 16);
  return (
    !hours.holidays.includes(local.toISOString().slice(0, 10)) &&
    hours.windows.some(({ weekday, start, end }) => weekday === (local.getUTCDay() || 7) && start <= time && time < end)
  );
}

// around changes of the clocks, one of them by half an hour, one that skips a day, and zones without any
const BEGINNINGS = [
  ['Europe/Berlin', '2026-10-19'],
  ['Europe/Berlin', '2027-03-22'],
  ['America/New_York', '2026-10-26'],
  ['Australia/Lord_Howe', '2027-03-29'],
  ['Pacific/Apia', '2011-12-26'],
  ['America/Sao_Paulo', '2018-10-29'],
  ['Asia/Kathmandu', '2027-01-04'],
] as const;
const time = (minutes: number) => `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
const window: fc.Arbitrary<Window> = fc
  .tuple(fc.integer({ min: 1, max: 7 }), fc.integer({ min: 0, max: 1439 }), fc.integer({ min: 1, max: 900 }))
  .map(([weekday, start, length]) => ({ weekday, start: time(start), end: time(Math.min(1440, start + length)) }));
const beginning = fc.tuple(fc.constantFrom(...BEGINNINGS), fc.integer({ min: 0, max: 10_000 })).map(([[zone, day], minute]) => ({
  zone,
  day,
  minute: Date.parse(`${day}T00:00:00Z`) / MINUTE_MS + minute,
}));
const hoursFrom = ({ zone, day }: { zone: string; day: string }): fc.Arbitrary<BusinessHours> =>
  fc.record({
    zone: fc.constant(zone),
    windows: fc.array(window, { maxLength: 12 }),
    holidays: fc
      .uniqueArray(fc.integer({ min: 0, max: 13 }), { maxLength: 3 })
      .map((days) => days.map((plus) => new Date(Date.parse(day) + plus * 1440 * MINUTE_MS).toISOString().slice(0, 10))),
  });
const dateOf = (minute: number) => new Date(minute * MINUTE_MS);

describe('business hours', () => {
  test('Friday 16:45 plus one hour is Monday 09:45, also when the clocks change on the weekend or Monday is a holiday', () => {
    const due = (zone: string, from: string, holidays: string[] = []) =>
      afterBusinessSeconds(office(zone, holidays), at(from), 3600)?.toISOString();
    expect(due('Europe/Berlin', '2026-11-20T15:45:00Z')).toBe('2026-11-23T08:45:00.000Z');
    expect(due('Europe/Berlin', '2026-10-23T14:45:00Z')).toBe('2026-10-26T08:45:00.000Z');
    expect(due('Europe/Berlin', '2026-11-20T15:45:00Z', ['2026-11-23'])).toBe('2026-11-24T08:45:00.000Z');
    expect(afterBusinessSeconds(null, at('2026-11-20T15:45:00Z'), 3600)?.toISOString()).toBe('2026-11-20T16:45:00.000Z');
  });

  test('hours that never open are never due', () => {
    expect(afterBusinessSeconds({ zone: 'UTC', windows: [], holidays: [] }, at('2026-11-20T15:45:00Z'), 1)).toBeNull();
    expect(afterBusinessSeconds({ zone: 'UTC', windows: [], holidays: [] }, at('2026-11-20T15:45:00Z'), 0)).not.toBeNull();
  });

  test('are those of a model that looks at the wall clock once a minute', () => {
    fc.assert(
      fc.property(
        beginning.chain((from) => fc.tuple(fc.constant(from), hoursFrom(from), fc.integer({ min: 0, max: 9000 }), fc.nat())),
        ([from, hours, length, part]) => {
          let used = 0;
          const opens: number[] = [];
          for (let minute = from.minute; minute < from.minute + length; minute++) if (isOpen(hours, minute) && ++used) opens.push(minute);
          expect(businessSeconds(hours, dateOf(from.minute), dateOf(from.minute + length))).toBe(used * 60);
          if (used === 0) return;
          const wanted = 1 + (part % used);
          expect(afterBusinessSeconds(hours, dateOf(from.minute), wanted * 60)).toEqual(dateOf(opens[wanted - 1] + 1));
        },
      ),
      { numRuns: 120 },
    );
  });
});

type Step = { after: number } & ({ do: 'pause' | 'resume' | 'meet' | 'look' } | { do: 'retarget'; target: number; alternative: boolean });

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ after: fc.integer({ min: 0, max: 900 }), do: fc.constantFrom('pause', 'resume', 'resume', 'meet', 'look') }),
  fc.record({
    after: fc.integer({ min: 0, max: 900 }),
    do: fc.constant('retarget' as const),
    target: fc.integer({ min: 1, max: 1500 }),
    alternative: fc.boolean(),
  }),
) as fc.Arbitrary<Step>;

describe('SLA clock', () => {
  test('a higher priority while it is paused keeps what was used, and the pause', () => {
    const hours = office('Europe/Berlin');
    const started = startClock(8 * 3600, hours, at('2026-11-23T08:00:00Z'));
    const paused = pauseClock(started, hours, at('2026-11-23T10:00:00Z'));
    const urgent = retargetClock(paused, 3 * 3600, { before: hours, after: hours }, at('2026-11-23T11:00:00Z'));
    expect(urgent).toMatchObject({ used_seconds: 7200, due_at: null });
    expect(isPaused(urgent)).toBe(true);
    expect(resumeClock(urgent, hours, at('2026-11-24T08:00:00Z')).due_at).toEqual(at('2026-11-24T09:00:00Z'));
  });

  test('uses, is due and is breached as in a model that counts minutes', () => {
    fc.assert(
      fc.property(
        beginning.chain((from) =>
          fc.tuple(
            fc.constant(from),
            fc.tuple(hoursFrom(from), fc.option(hoursFrom(from))),
            fc.integer({ min: 1, max: 1500 }),
            fc.array(step, { maxLength: 10 }),
          ),
        ),
        ([from, hours, target, steps]) => {
          let now = from.minute;
          const model = {
            used: 0,
            target,
            runs: true,
            met: false,
            breachedAt: null as number | null,
            hours: hours[0] as BusinessHours | null,
          };
          let clock: SlaClock = startClock(target * 60, model.hours, dateOf(now));
          for (const one of steps) {
            for (const until = now + one.after; now < until; now++) {
              if (model.runs && isOpen(model.hours, now)) model.used++;
              if (model.runs && model.used >= model.target) model.breachedAt ??= now + 1;
            }
            switch (one.do) {
              case 'pause':
                clock = pauseClock(clock, model.hours, dateOf(now));
                model.runs = false;
                break;
              case 'resume':
                clock = resumeClock(clock, model.hours, dateOf(now));
                model.runs = true;
                model.met = false;
                break;
              case 'meet':
                clock = meetClock(clock, model.hours, dateOf(now));
                model.runs = false;
                model.met = true;
                break;
              case 'look':
                clock = breachClock(clock, dateOf(now));
                break;
              case 'retarget': {
                const after = hours[one.alternative ? 1 : 0];
                clock = retargetClock(clock, one.target * 60, { before: model.hours, after }, dateOf(now));
                model.target = one.target;
                model.hours = after;
              }
            }
            if (model.runs && model.used >= model.target) model.breachedAt ??= now;
            const seen = breachClock(clock, dateOf(now));
            expect({ met: seen.met_at !== null, paused: isPaused(seen), breachedAt: seen.breached_at }).toEqual({
              met: model.met,
              paused: !model.runs && !model.met,
              breachedAt: model.breachedAt === null ? null : dateOf(model.breachedAt),
            });
            const running = seen.running_since_at ? businessSeconds(model.hours, seen.running_since_at, dateOf(now)) : 0;
            expect(seen.used_seconds + running).toBe(model.used * 60);
          }
        },
      ),
      { numRuns: 120 },
    );
  });
});
