import { expect, test } from '@jest/globals';
import { dayIn, isInRange, plusDays } from './calendar-days.js';

test('the day of an instant is that of the time zone', () => {
  const time = new Date('2026-11-21T23:30:00Z');
  expect([dayIn('UTC', time), dayIn('Asia/Tokyo', time), dayIn('America/New_York', new Date('2026-11-21T03:00:00Z'))]).toEqual([
    '2026-11-21',
    '2026-11-22',
    '2026-11-20',
  ]);
});

test('days are added over the ends of months and years', () =>
  expect([plusDays('2026-12-31', 1), plusDays('2028-03-01', -1), plusDays('2028-02-28', 2)]).toEqual([
    '2027-01-01',
    '2028-02-29',
    '2028-03-01',
  ]));

test('days stay within the years 1000 to 9999', () => {
  expect([plusDays('9999-12-31', 1), plusDays('1000-01-01', -3650), plusDays('9999-12-30', 1)]).toEqual([
    '9999-12-31',
    '1000-01-01',
    '9999-12-31',
  ]);
  expect([isInRange('9999-12-31', 0), isInRange('9999-12-31', 1), isInRange('1000-01-01', -1)]).toEqual([true, false, false]);
});
