import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { canonicalZone, nextChange } from '../../../kit/index.js';
import {
  comparedInstantOf,
  instantWriter,
  isLocalTime,
  localOf,
  requireWindow,
  resolveLocal,
  startOfDay,
  utcOffsetAt,
  weekdayOf,
} from './zone-time.js';

const instant = (local: string, zone: string) => resolveLocal(local, zone).toISOString().replace(':00.000Z', 'Z');
const withOffset = (local: string, zone: string) => {
  const at = resolveLocal(local, zone);
  return localOf(at, zone).slice(11, 16) + utcOffsetAt(at, zone);
};

test('a window has at most so many days, of which a day as `to` is counted by its start, also when the clocks change', () => {
  const check = (from: string, to: string) => () =>
    requireWindow(comparedInstantOf('from', from, 'Europe/Berlin'), comparedInstantOf('to', to, 'Europe/Berlin'), to, 62);
  // summer time ends on 2026-10-25
  for (const to of ['2026-10-01', '2026-12-02', '2026-12-01T22:00:00Z']) expect(check('2026-10-01', to)).not.toThrow();
  for (const to of ['2026-12-03', '2026-12-01T22:00:01Z']) expect(check('2026-10-01', to)).toThrow();
  expect(check('2026-10-02', '2026-10-01')).toThrow();
});

describe('local times', () => {
  test('Europe/Berlin: a skipped time counts on from before the gap, of a repeated one it is the first', () => {
    expect(withOffset('2027-03-28T02:30', 'Europe/Berlin')).toBe('03:30+02:00');
    expect(instant('2027-03-28T02:30', 'Europe/Berlin')).toBe('2027-03-28T01:30Z');
    expect(instant('2026-10-25T02:30', 'Europe/Berlin')).toBe('2026-10-25T00:30Z');
    const opens = ['2027-03-27', '2027-03-28', '2026-10-24', '2026-10-25'].map((on) => instant(`${on}T09:00`, 'Europe/Berlin').slice(11));
    expect(opens).toEqual(['08:00Z', '07:00Z', '07:00Z', '08:00Z']);
  });

  test('America/Sao_Paulo: a day without a midnight, and a year without summer time', () => {
    const start = startOfDay('2018-11-04', 'America/Sao_Paulo');
    expect(start.toISOString()).toBe('2018-11-04T03:00:00.000Z');
    expect(withOffset('2018-11-04T00:00', 'America/Sao_Paulo')).toBe('01:00-02:00');
    // the rules of 2018 would have made it 11:00Z
    expect(instant('2019-11-04T09:00', 'America/Sao_Paulo')).toBe('2019-11-04T12:00Z');
  });

  test('Asia/Kathmandu: an offset of a quarter of an hour', () => {
    expect(instant('2027-01-11T09:00', 'Asia/Kathmandu')).toBe('2027-01-11T03:15Z');
    expect(withOffset('2027-01-11T09:00', 'Asia/Kathmandu')).toBe('09:00+05:45');
  });

  test('Pacific/Apia: a day that never was, and either side of the date line', () => {
    const daily = ['2011-12-29', '2011-12-30', '2011-12-31'].map((on) => instant(`${on}T09:00`, 'Pacific/Apia'));
    expect(daily).toEqual(['2011-12-29T19:00Z', '2011-12-30T19:00Z', '2011-12-30T19:00Z']);
    expect(startOfDay('2011-12-30', 'Pacific/Apia')).toEqual(startOfDay('2011-12-31', 'Pacific/Apia'));
    expect(instant('2021-01-15T09:00', 'Pacific/Apia')).toBe('2021-01-14T19:00Z');
    expect(instant('2021-12-15T09:00', 'Pacific/Apia')).toBe('2021-12-14T20:00Z');
  });

  test('are as Temporal resolves them, in every zone', () => {
    const zones = Intl.supportedValuesOf('timeZone');
    const walls = fc.integer({ min: Date.UTC(1975, 0), max: Date.UTC(2045, 0) });
    const near = (zone: string, wall: number, shift: number) => {
      const change = nextChange(wall, wall + 1000 * 86_400_000, zone);
      return change === null ? wall : change + shift;
    };
    fc.assert(
      fc.property(fc.constantFrom(...zones), walls, fc.integer({ min: -90_000, max: 90_000 }), (zone, wall, seconds) => {
        // half of all times are within a day of a change of the clocks
        const time = seconds % 2 === 0 ? wall : near(zone, wall, seconds * 1000);
        const local = new Date(time).toISOString().slice(0, 19);
        const expected = Temporal.PlainDateTime.from(local).toZonedDateTime(zone);
        const at = resolveLocal(local, zone);
        expect(at.getTime()).toBe(expected.epochMilliseconds);
        expect(localOf(at, zone)).toBe(expected.toPlainDateTime().toString({ smallestUnit: 'second' }));
        if (expected.offsetNanoseconds % 60e9 === 0) expect(utcOffsetAt(at, zone)).toBe(expected.offset);
      }),
      { numRuns: 400 },
    );
  });
});

test('zones are IANA names in their usual case', () => {
  for (const zone of ['UTC', 'Europe/Berlin', 'Europe/Kyiv', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5'])
    expect(canonicalZone(zone)).toBe(zone);
  for (const zone of ['', '+02:00', 'europe/berlin', 'Mars/Olympus', 'Europe/Berlin ', 'x'.repeat(100)])
    expect(canonicalZone(zone)).not.toBe(zone);
  expect(canonicalZone('europe/berlin')).toBe('Europe/Berlin');
  expect(canonicalZone('Mars/Olympus')).toBeNull();
});

test('local times are dates that exist with hours and minutes', () => {
  for (const local of ['2027-03-28T02:30', '2028-02-29T23:59:59']) expect(isLocalTime(local)).toBe(true);
  for (const local of ['2027-02-29T10:00', '2027-03-28', '2027-03-28T24:00', '2027-03-28T10:00Z', '0000-01-01T10:00'])
    expect(isLocalTime(local)).toBe(false);
});

test('a week begins on Monday', () => {
  expect([weekdayOf('2027-03-28'), weekdayOf('2027-03-29')]).toEqual([7, 1]);
});

test('many instants are written as one is', () => {
  const write = instantWriter();
  const instant = fc.oneof(
    fc.integer({ min: -100_000_000, max: 100_000_000 }).map((minutes) => minutes * 60_000),
    fc.integer(),
  );
  fc.assert(fc.property(instant, (at) => expect(write(at)).toBe(new Date(at).toISOString())));
});
