import { describe, expect, test } from '@jest/globals';
import { dayOf, reminderDay } from './calendar-days.js';
import { nextDay, recurrenceProblem } from './recurrence.js';

describe('the days of a series', () => {
  test.each([
    ['FREQ=YEARLY;COUNT=3', '2026-01-01', ['2026-01-01', '2027-01-01', '2028-01-01']],
    ['FREQ=MONTHLY;COUNT=3', '2026-01-31', ['2026-01-31', '2026-03-31', '2026-05-31']],
    ['FREQ=WEEKLY;INTERVAL=2;UNTIL=20260120', '2026-01-06', ['2026-01-06', '2026-01-20']],
    ['FREQ=MONTHLY;UNTIL=20260301T000000Z', '2026-01-01', ['2026-01-01', '2026-02-01', '2026-03-01']],
    ['FREQ=YEARLY;UNTIL=20280301', '2024-02-29', ['2024-02-29', '2028-02-29']],
    ['FREQ=DAILY;COUNT=2', '2026-10-24', ['2026-10-24', '2026-10-25']],
  ])('%s from %s', (rule, start, expected) => {
    const days = [start];
    for (let next = nextDay(rule, start, start); next !== null && days.length < 20; next = nextDay(rule, start, next)) days.push(next);
    expect(days).toEqual(expected);
    expect(recurrenceProblem(rule)).toBeNull();
  });

  test('go on without an end where the rule has none', () =>
    expect(nextDay('FREQ=MONTHLY', '2026-01-15', '2036-01-15')).toBe('2036-02-15'));
});

describe('a recurrence', () => {
  test.each(['20269999', '20260230', '20260101T250000Z', '20260101T006000Z', '00000101', '2026-01-01', ''])(
    'until %p has no end that there is',
    (until) => {
      expect(recurrenceProblem(`FREQ=DAILY;UNTIL=${until}`)).toContain('UNTIL');
    },
  );

  test.each(['20260228', '20260228T235959Z'])('until %p has one', (until) =>
    expect(recurrenceProblem(`FREQ=DAILY;UNTIL=${until}`)).toBeNull(),
  );

  test('ends where no day can be written any more', () =>
    expect(nextDay('FREQ=YEARLY;INTERVAL=9999', '2026-01-15', '2026-01-15')).toBeNull());
});

describe('days', () => {
  test.each([
    ['2026-11-21', '2026-11-21'],
    ['2026-11-21T10:00:00Z', '2026-11-21'],
    ['2026-02-30', null],
    ['soon', null],
    [20261121, null],
    [null, null],
  ])('of the value %p is %p', (value, day) => expect(dayOf(value)).toBe(day));

  test('reminders are those that are still due, the earliest first', () => {
    expect(reminderDay('2026-12-31', [7, 30, 0], '2026-11-21')).toBe('2026-12-01');
    expect(reminderDay('2026-12-31', [7, 30, 0], '2026-12-02')).toBe('2026-12-24');
    expect(reminderDay('2026-12-31', [7, 30, 0], '2026-12-31')).toBe('2026-12-31');
    expect(reminderDay('2026-12-31', [7], '2026-12-25')).toBeNull();
  });
});
