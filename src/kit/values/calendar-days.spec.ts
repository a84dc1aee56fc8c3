import { expect, test } from '@jest/globals';
import { dayIn, plusDays } from './calendar-days.js';

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
