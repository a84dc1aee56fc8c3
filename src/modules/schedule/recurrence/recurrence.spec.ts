import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { plusDays } from '../../../kit/index.js';
import { weekdayOf } from '../time/zone-time.js';
import { expand, instantsOf } from './expand.js';
import { describeRule } from './rule-words.js';
import { formatRule, parseRule } from './recurrence-rule.js';

const berlin = { local: '2027-03-29T09:00', zone: 'Europe/Berlin' };

function starts(rrule: string, local: string, zone = 'Europe/Berlin', exdates: string[] = []): string[] {
  return expand(parseRule(rrule, { local, zone }), local, exdates);
}

describe('rules', () => {
  test.each([
    ['FREQ=YEARLY;COUNT=3', 'FREQ must be one of DAILY, WEEKLY, MONTHLY'],
    ['COUNT=3', 'FREQ is required'],
    ['FREQ=DAILY', 'COUNT or UNTIL is required'],
    ['FREQ=DAILY;COUNT=3;UNTIL=20270630', 'COUNT and UNTIL must not both be set'],
    ['FREQ=DAILY;COUNT=3;BYSETPOS=1', 'BYSETPOS is not supported'],
    ['FREQ=DAILY;COUNT=3;BYHOUR=9', 'BYHOUR is not supported'],
    ['FREQ=DAILY;COUNT=3;COUNT=4', 'COUNT must not be repeated'],
    ['FREQ=DAILY;COUNT', '"COUNT" must have the form NAME=VALUE'],
    ['FREQ=DAILY;COUNT=0', 'COUNT must be a whole number from 1 to 366'],
    ['FREQ=DAILY;COUNT=367', 'COUNT must be a whole number from 1 to 366'],
    ['FREQ=DAILY;INTERVAL=100;COUNT=2', 'INTERVAL must be a whole number from 1 to 99'],
    ['FREQ=WEEKLY;BYDAY=2MO;COUNT=3', 'BYDAY must be days such as MO,WE'],
    ['FREQ=WEEKLY;BYDAY=XX;COUNT=3', 'BYDAY must be days such as MO,WE'],
    ['FREQ=WEEKLY;BYDAY=MO,MO;COUNT=3', 'BYDAY must not repeat a value'],
    ['FREQ=MONTHLY;BYDAY=MO;COUNT=3', 'BYDAY of a monthly rule must be one day such as 2TU or -1FR'],
    ['FREQ=MONTHLY;BYDAY=1MO,2MO;COUNT=3', 'BYDAY of a monthly rule must be one day such as 2TU or -1FR'],
    ['FREQ=MONTHLY;BYDAY=-1MO;BYMONTHDAY=29;COUNT=3', 'BYDAY and BYMONTHDAY must not both be set'],
    ['FREQ=MONTHLY;BYMONTHDAY=-2;COUNT=3', 'BYMONTHDAY must be days from 1 to 31, or -1 for the last one'],
    ['FREQ=MONTHLY;BYMONTHDAY=32;COUNT=3', 'BYMONTHDAY must be days from 1 to 31, or -1 for the last one'],
    ['FREQ=WEEKLY;BYMONTHDAY=29;COUNT=3', 'BYMONTHDAY requires FREQ=MONTHLY'],
    ['FREQ=WEEKLY;WKST=SUN;COUNT=3', 'WKST must be one of MO, TU, WE, TH, FR, SA, SU'],
    ['FREQ=DAILY;UNTIL=20270230', 'UNTIL must be a date such as 20270630 or a UTC time such as 20270630T070000Z'],
    ['FREQ=DAILY;UNTIL=20270328', 'UNTIL must not be before the start'],
    ['FREQ=DAILY;UNTIL=20270329T065959Z', 'UNTIL must not be before the start'],
  ])('%s: %s', (rrule, said) => {
    const error = expect.objectContaining({
      occurrence: expect.objectContaining({ param: 'recurrence.rrule', message: `recurrence.rrule: ${said}` }),
    });
    expect(() => parseRule(rrule, berlin)).toThrow(error as unknown as Error);
  });

  test('an all-day series ends on a date', () => {
    const start = { local: '2027-03-29', zone: 'Europe/Berlin' };
    expect(() => parseRule('FREQ=DAILY;UNTIL=20270401T000000Z', start)).toThrow('UNTIL of an all-day event must be a date');
    const rule = parseRule('FREQ=DAILY;UNTIL=20270331', start);
    expect(expand(rule, start.local)).toEqual(['2027-03-29', '2027-03-30', '2027-03-31']);
    expect(formatRule(rule, start)).toBe('FREQ=DAILY;UNTIL=20270331');
  });

  test('UNTIL includes an instance that starts then, in every form', () => {
    for (const until of ['20270331', '20270331T070000Z', '20270331T090000']) {
      const rule = parseRule(`rrule:freq=daily;until=${until}`, berlin);
      expect(formatRule(rule, berlin)).toBe('FREQ=DAILY;UNTIL=20270331T070000Z');
      expect(expand(rule, berlin.local)).toHaveLength(3);
    }
    for (const until of ['20270331T065959Z', '20270331T085959', '20270330'])
      expect(expand(parseRule(`FREQ=DAILY;UNTIL=${until}`, berlin), berlin.local)).toHaveLength(2);
  });

  test('are written as they were read', () => {
    for (const rrule of [
      'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE;WKST=SU;COUNT=5',
      'FREQ=MONTHLY;BYDAY=-1MO;COUNT=3',
      'FREQ=MONTHLY;BYMONTHDAY=29,-1;COUNT=3',
    ])
      expect(formatRule(parseRule(rrule, berlin), berlin)).toBe(rrule);
  });
});

describe('series', () => {
  test('leave out months that lack the day', () => {
    expect(starts('FREQ=MONTHLY;COUNT=3', '2027-01-31T10:00')).toEqual(['2027-01-31T10:00', '2027-03-31T10:00', '2027-05-31T10:00']);
    expect(starts('FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=3', '2027-01-31')).toEqual(['2027-01-31', '2027-02-28', '2027-03-31']);
    expect(starts('FREQ=MONTHLY;BYDAY=2TU;COUNT=2', '2027-01-12T10:00')).toEqual(['2027-01-12T10:00', '2027-02-09T10:00']);
    expect(starts('FREQ=MONTHLY;BYDAY=-1FR;COUNT=2', '2027-01-29T10:00')).toEqual(['2027-01-29T10:00', '2027-02-26T10:00']);
  });

  test('count the weeks from WKST', () => {
    const rule = 'FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU';
    expect(starts(`${rule};WKST=MO`, '1997-08-05')).toEqual(['1997-08-05', '1997-08-10', '1997-08-19', '1997-08-24']);
    expect(starts(`${rule};WKST=SU`, '1997-08-05')).toEqual(['1997-08-05', '1997-08-17', '1997-08-19', '1997-08-31']);
  });

  test('leave out exception dates', () => {
    expect(starts('FREQ=DAILY;COUNT=3', '2027-03-29T09:00', undefined, ['2027-03-30T09:00'])).toEqual([
      '2027-03-29T09:00',
      '2027-03-31T09:00',
    ]);
  });

  test.each([
    ['FREQ=WEEKLY;BYDAY=WE,MO;COUNT=12', '2027-03-29T09:00', 'every week on Monday and Wednesday, 12 times'],
    ['FREQ=WEEKLY;INTERVAL=2;UNTIL=20270430', '2027-03-29', 'every 2 weeks on Monday until 30 April 2027'],
    ['FREQ=DAILY;INTERVAL=2;COUNT=1', '2027-03-29', 'every 2 days, once'],
    ['FREQ=DAILY;BYDAY=MO,TU,WE;COUNT=9', '2027-03-29', 'every day, only on Monday, Tuesday and Wednesday, 9 times'],
    ['FREQ=MONTHLY;BYDAY=-1FR;COUNT=3', '2027-01-29T10:00', 'every month on the last Friday, 3 times'],
    ['FREQ=MONTHLY;BYDAY=-2FR;COUNT=3', '2027-01-22T10:00', 'every month on the second to last Friday, 3 times'],
    ['FREQ=MONTHLY;BYDAY=2TU;COUNT=3', '2027-03-09T10:00', 'every month on the second Tuesday, 3 times'],
    ['FREQ=MONTHLY;BYMONTHDAY=-1,1,22;COUNT=3', '2027-03-01', 'every month on the 1st, 22nd and last day, 3 times'],
    ['FREQ=MONTHLY;COUNT=3', '2027-03-13', 'every month on the 13th, 3 times'],
  ])('%s from %s is "%s"', (rrule, local, words) => {
    expect(describeRule(parseRule(rrule, { local, zone: 'Europe/Berlin' }), local)).toBe(words);
  });

  test('start on the first date of the rule', () => {
    expect(() => starts('FREQ=WEEKLY;BYDAY=TU;COUNT=3', '2027-03-29T09:00')).toThrow(
      'recurrence.rrule: the event must start on the first date of the rule, which is 2027-03-30',
    );
    expect(() => starts('FREQ=WEEKLY;BYDAY=TU;UNTIL=20270329', '2027-03-29T09:00')).toThrow('must start on the first date of the rule');
  });

  test('have 366 instances within five years', () => {
    expect(starts('FREQ=DAILY;COUNT=366', '2027-03-29T09:00')).toHaveLength(366);
    expect(() => starts('FREQ=DAILY;UNTIL=99991231', '2027-03-29T09:00')).toThrow('a series has at most 366 instances');
    expect(starts('FREQ=MONTHLY;COUNT=61', '2027-03-28T09:00').at(-1)).toBe('2032-03-28T09:00');
    expect(() => starts('FREQ=MONTHLY;COUNT=62', '2027-03-28T09:00')).toThrow('a series ends within 5 years');
  });

  test('keep their local time across changes of the clocks', () => {
    const days = instantsOf(starts('FREQ=DAILY;COUNT=3', '2027-03-27T02:30'), { zone: 'Europe/Berlin' });
    expect(days.map(({ at }) => at.toISOString().slice(0, 16))).toEqual(['2027-03-27T01:30', '2027-03-28T01:30', '2027-03-29T00:30']);
    const apia = instantsOf(starts('FREQ=DAILY;COUNT=3', '2011-12-29T09:00', 'Pacific/Apia'), { zone: 'Pacific/Apia' });
    expect(apia.map(({ local, at }) => `${local} ${at.toISOString()}`)).toEqual([
      '2011-12-29T09:00 2011-12-29T19:00:00.000Z',
      '2011-12-30T09:00 2011-12-30T19:00:00.000Z',
    ]);
  });

  test('are the days that a plain walk over the calendar finds', () => {
    const names = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];
    const days = fc.uniqueArray(fc.constantFrom(...names), { minLength: 1, maxLength: 4 });
    const offset = fc.integer({ min: 0, max: 3000 });
    const monday = (on: string) => plusDays(on, 1 - weekdayOf(on));
    fc.assert(
      fc.property(offset, days, fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 40 }), (shift, chosen, interval, count) => {
        const first = plusDays('2026-01-01', shift);
        const byDay = [...new Set([names[weekdayOf(first) - 1], ...chosen])];
        const expected: string[] = [];
        for (let on = first; expected.length < count; on = plusDays(on, 1)) {
          const weeks = (Date.parse(monday(on)) - Date.parse(monday(first))) / (7 * 86_400_000);
          if (weeks % interval === 0 && byDay.includes(names[weekdayOf(on) - 1])) expected.push(on);
        }
        if (expected[expected.length - 1] > plusDays(first, 1800)) return;
        expect(starts(`FREQ=WEEKLY;INTERVAL=${interval};BYDAY=${byDay.join(',')};COUNT=${count}`, first)).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });
});
