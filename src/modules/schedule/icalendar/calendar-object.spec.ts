import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import ICAL from 'ical.js';
import ical, { type VEvent } from 'node-ical';
import { expand, instantsOf } from '../recurrence/expand.js';
import { parseRule } from '../recurrence/recurrence-rule.js';
import { nextChange } from '../../../kit/index.js';
import { localOf, resolveLocal } from '../time/zone-time.js';
import { writeCalendarObject, type CalendarEvent } from './calendar-object.js';

const stampAt = new Date('2027-01-02T03:04:05Z');
const HOUR = 3_600_000;

function event(changes: Partial<CalendarEvent> = {}): CalendarEvent {
  return {
    uid: '0197b5a2-0000-7000-8000-000000000001@suite.example.com',
    sequence: 0,
    time: { startAt: new Date('2027-03-26T08:00:00Z'), endAt: new Date('2027-03-26T09:30:00Z') },
    zone: 'Europe/Berlin',
    title: 'Planning',
    status: 'confirmed',
    showAs: 'busy',
    ...changes,
  };
}

function series(local: string, rrule: string, zone: string, exdates: string[] = [], hours = 1): CalendarEvent {
  const startAt = resolveLocal(local, zone);
  return event({
    zone,
    time: { startAt, endAt: new Date(startAt.getTime() + hours * HOUR) },
    series: { rule: parseRule(rrule, { local, zone }), startLocal: local, exdates },
  });
}

const write = (...events: CalendarEvent[]) => writeCalendarObject({ method: 'REQUEST', stampAt, events });
const lines = (text: string) => text.replace(/\r\n /g, '').split('\r\n');
const line = (text: string, name: string) => lines(text).find((found) => found.startsWith(name));

/** The occurrences in the eyes of a reader that believes the VTIMEZONE. */
function inIcalJs(text: string): string[] {
  const component = new ICAL.Component(ICAL.parse(text) as never);
  const zone = component.getFirstSubcomponent('vtimezone');
  if (zone) ICAL.TimezoneService.register(zone);
  const [master, ...exceptions] = component.getAllSubcomponents('vevent').map((found) => new ICAL.Event(found));
  for (const exception of exceptions) master.relateException(exception);
  try {
    if (!master.isRecurring()) return [`${master.startDate.toJSDate().toISOString()} ${master.endDate.toJSDate().toISOString()}`];
    const iterator = master.iterator();
    const found: string[] = [];
    for (let next = iterator.next(); next; next = iterator.next()) {
      const { startDate, endDate } = master.getOccurrenceDetails(next);
      found.push(`${startDate.toJSDate().toISOString()} ${endDate.toJSDate().toISOString()}`);
    }
    return found;
  } finally {
    ICAL.TimezoneService.reset();
  }
}

/** The occurrences in the eyes of a reader that knows the zone by its name. */
function inNodeIcal(text: string): string[] {
  const [parsed] = Object.values(ical.sync.parseICS(text)).filter((found): found is VEvent => found?.type === 'VEVENT');
  if (!parsed.rrule) return [`${parsed.start.toISOString()} ${(parsed.end as Date).toISOString()}`];
  const to = new Date(parsed.start.getTime() + 6 * 366 * 24 * HOUR);
  return ical
    .expandRecurringEvent(parsed, { from: new Date(parsed.start.getTime() - 24 * HOUR), to })
    .map(({ start, end }) => `${new Date(start).toISOString()} ${new Date(end).toISOString()}`);
}

function meant({ series: rule, zone, time }: CalendarEvent): string[] {
  if (!rule || !('rule' in rule) || !('startAt' in time)) throw new Error('not a series');
  const length = time.endAt.getTime() - time.startAt.getTime();
  return instantsOf(expand(rule.rule, rule.startLocal, rule.exdates), { zone }).map(
    ({ at }) => `${at.toISOString()} ${new Date(at.getTime() + length).toISOString()}`,
  );
}

describe('an event', () => {
  test('of its own is in UTC', () => {
    const text = write(event());
    expect(text).not.toContain('VTIMEZONE');
    expect([line(text, 'DTSTART'), line(text, 'DTEND'), line(text, 'DTSTAMP')]).toEqual([
      'DTSTART:20270326T080000Z',
      'DTEND:20270326T093000Z',
      'DTSTAMP:20270102T030405Z',
    ]);
    const expected = ['2027-03-26T08:00:00.000Z 2027-03-26T09:30:00.000Z'];
    expect([inIcalJs(text), inNodeIcal(text)]).toEqual([expected, expected]);
  });

  test('of whole days has dates', () => {
    const text = write(event({ time: { startOn: '2027-03-26', endOn: '2027-03-28' } }));
    expect([line(text, 'DTSTART'), line(text, 'DTEND')]).toEqual(['DTSTART;VALUE=DATE:20270326', 'DTEND;VALUE=DATE:20270328']);
    const repeated = event({
      time: { startOn: '2027-03-26', endOn: '2027-03-27' },
      series: {
        rule: parseRule('FREQ=DAILY;UNTIL=20270330', { local: '2027-03-26', zone: 'Europe/Berlin' }),
        startLocal: '2027-03-26',
        exdates: ['2027-03-28'],
      },
    });
    const found = lines(write(repeated));
    expect(found).toEqual(expect.arrayContaining(['RRULE:FREQ=DAILY;UNTIL=20270330', 'EXDATE;VALUE=DATE:20270328']));
    expect(found.join()).not.toContain('VTIMEZONE');
    expect(inIcalJs(write(repeated))).toHaveLength(4);
  });

  test('has people, texts and state', () => {
    const text = writeCalendarObject({
      method: 'CANCEL',
      stampAt,
      events: [
        event({
          sequence: 3,
          title: 'Plan; "A, B"\\C',
          description: 'First\r\nSecond\u0007 \u{1f4c5}'.repeat(20),
          location: 'Room\u2028Two',
          status: 'cancelled',
          showAs: 'free',
          organizer: { email: 'grace@example.com', name: 'Grace "Amazing" Hopper; Dr.', sentBy: 'suite@example.com' },
          attendees: [
            { email: 'ada@example.com', name: 'Ada', role: 'required', response: 'needs_action' },
            { email: 'bob@example.com', role: 'optional', response: 'accepted' },
          ],
        }),
      ],
    });
    for (const part of text.split('\r\n')) expect(Buffer.byteLength(part)).toBeLessThanOrEqual(75);
    expect(Buffer.from(text, 'utf8').toString('utf8')).not.toContain('\ufffd');
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    expect(lines(text)).toEqual(
      expect.arrayContaining([
        'METHOD:CANCEL',
        'SEQUENCE:3',
        'STATUS:CANCELLED',
        'TRANSP:TRANSPARENT',
        'SUMMARY:Plan\\; "A\\, B"\\\\C',
        'LOCATION:Room\\nTwo',
        `ORGANIZER;CN="Grace ^'Amazing^' Hopper; Dr.";SENT-BY="mailto:suite@example.com":mailto:grace@example.com`,
        'ATTENDEE;CUTYPE=INDIVIDUAL;CN=Ada;ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=TRUE:mailto:ada@example.com',
        'ATTENDEE;CUTYPE=INDIVIDUAL;CN=bob@example.com;ROLE=OPT-PARTICIPANT;PARTSTAT=ACCEPTED:mailto:bob@example.com',
      ]),
    );
    const parsed = new ICAL.Component(ICAL.parse(text) as never).getFirstSubcomponent('vevent') as InstanceType<typeof ICAL.Component>;
    expect(parsed.getFirstPropertyValue('summary')).toBe('Plan; "A, B"\\C');
    expect(parsed.getFirstPropertyValue('description')).toBe('First\nSecond \u{1f4c5}'.repeat(20));
    expect(parsed.getFirstProperty('organizer')?.getParameter('cn')).toBe('Grace "Amazing" Hopper; Dr.');
    expect(parsed.getFirstProperty('organizer')?.getParameter('sent-by')).toBe('mailto:suite@example.com');
  });
});

describe('a series', () => {
  test('has its zone, whose rules begin with it', () => {
    const weekly = series('2027-03-08T09:00', 'FREQ=WEEKLY;COUNT=40', 'Europe/Berlin', ['2027-03-15T09:00']);
    const text = write(weekly);
    expect(text.split('BEGIN:VTIMEZONE')[1].split('END:VTIMEZONE')[0].trim().split('\r\n')).toEqual([
      'TZID:Europe/Berlin',
      'BEGIN:DAYLIGHT',
      'DTSTART:20260329T020000',
      'TZOFFSETFROM:+0100',
      'TZOFFSETTO:+0200',
      'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU',
      'END:DAYLIGHT',
      'BEGIN:STANDARD',
      'DTSTART:20261025T030000',
      'TZOFFSETFROM:+0200',
      'TZOFFSETTO:+0100',
      'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU',
      'END:STANDARD',
    ]);
    expect(lines(text)).toEqual(
      expect.arrayContaining(['DTSTART;TZID=Europe/Berlin:20270308T090000', 'EXDATE;TZID=Europe/Berlin:20270315T090000']),
    );
    expect(meant(weekly)[38]).toBe('2027-12-06T08:00:00.000Z 2027-12-06T09:00:00.000Z');
    expect([inIcalJs(text), inNodeIcal(text)]).toEqual([meant(weekly), meant(weekly)]);
  });

  test('keeps a time that the clocks skip', () => {
    const daily = series('2027-03-27T02:30', 'FREQ=DAILY;COUNT=3', 'Europe/Berlin');
    expect(meant(daily)[1]).toBe('2027-03-28T01:30:00.000Z 2027-03-28T02:30:00.000Z');
    // ical.js takes the offset after the gap, which RFC 5545 does not
    expect(inIcalJs(write(daily)).filter((_, index) => index !== 1)).toEqual(meant(daily).filter((_, index) => index !== 1));
    const first = series('2027-03-28T02:30', 'FREQ=DAILY;COUNT=2', 'Europe/Berlin');
    expect(line(write(first), 'DTSTART;')).toBe('DTSTART;TZID=Europe/Berlin:20270328T023000');
  });

  test('has the length it really has when its first date passes a change of the clocks', () => {
    const nightly = series('2026-10-25T00:30', 'FREQ=DAILY;COUNT=2', 'Europe/Berlin', [], 3);
    // 02:30 comes twice, and the end is the second one
    expect(line(write(nightly), 'DURATION')).toBe('DURATION:PT10800S');
    expect(write(nightly)).not.toContain('DTEND');
    expect(inNodeIcal(write(nightly))).toEqual(meant(nightly));
  });

  test('has a date of its own as an object of its own, identified in the form of the series', () => {
    const moved = event({
      sequence: 2,
      time: { startAt: new Date('2027-03-30T08:00:00Z'), endAt: new Date('2027-03-30T09:00:00Z') },
      series: { originalStart: '2027-03-29T09:00' },
    });
    const text = write(moved);
    expect(lines(text)).toEqual(
      expect.arrayContaining(['RECURRENCE-ID;TZID=Europe/Berlin:20270329T090000', 'DTSTART;TZID=Europe/Berlin:20270330T100000']),
    );
    expect(text.match(/BEGIN:VEVENT/g)).toHaveLength(1);
    const expected = ['2027-03-30T08:00:00.000Z 2027-03-30T09:00:00.000Z'];
    expect([inIcalJs(text), inNodeIcal(text)]).toEqual([expected, expected]);
    const whole = event({ time: { startOn: '2027-03-30', endOn: '2027-03-31' }, series: { originalStart: '2027-03-29' } });
    expect(line(write(whole), 'RECURRENCE-ID')).toBe('RECURRENCE-ID;VALUE=DATE:20270329');
  });

  test('and its changed dates are one file in a feed', () => {
    const weekly = series('2027-03-08T09:00', 'FREQ=WEEKLY;COUNT=3', 'Europe/Berlin');
    const moved = event({
      time: { startAt: new Date('2027-03-16T10:00:00Z'), endAt: new Date('2027-03-16T11:00:00Z') },
      series: { originalStart: '2027-03-15T09:00' },
    });
    const text = writeCalendarObject({
      method: 'PUBLISH',
      stampAt,
      events: [weekly, moved],
      feed: { name: 'Grace, busy', refreshMinutes: 60 },
    });
    expect(lines(text)).toEqual(expect.arrayContaining(['NAME:Grace\\, busy', 'REFRESH-INTERVAL;VALUE=DURATION:PT60M', 'METHOD:PUBLISH']));
    const expected = [meant(weekly)[0], '2027-03-16T10:00:00.000Z 2027-03-16T11:00:00.000Z', meant(weekly)[2]];
    expect([inIcalJs(text), inNodeIcal(text)]).toEqual([expected, expected]);
  });

  test('means the same instants to a reader in every zone', () => {
    const zones = Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC');
    const time = fc.integer({ min: Date.UTC(2000, 0), max: Date.UTC(2035, 0) }).map((ms) => ms - (ms % 900_000));
    const rules = fc.constantFrom(
      'FREQ=DAILY;COUNT=30',
      'FREQ=WEEKLY;COUNT=60',
      'FREQ=MONTHLY;COUNT=20',
      'FREQ=WEEKLY;INTERVAL=5;COUNT=30',
    );
    fc.assert(
      fc.property(fc.constantFrom(...zones), time, rules, (zone, ms, rrule) => {
        const repeated = series(localOf(new Date(ms), zone).slice(0, 16), rrule, zone);
        // ical.js reads times that are skipped or repeated in its own way, and lengths as those of the clocks
        const isPlain = (at: string) => nextChange(Date.parse(at) - 26 * HOUR, Date.parse(at) + 26 * HOUR, zone) === null;
        const startsOf = (found: string[]) => found.map((spans) => spans.slice(0, 24));
        const [read, expected] = [startsOf(inIcalJs(write(repeated))), startsOf(meant(repeated))];
        expect(read).toHaveLength(expected.length);
        expect(read.filter((_, index) => isPlain(expected[index]))).toEqual(expected.filter((at) => isPlain(at)));
      }),
      { numRuns: 40 },
    );
  });

  test.each([
    'America/Sao_Paulo',
    'Africa/Casablanca',
    'Asia/Gaza',
    'Australia/Lord_Howe',
    'Pacific/Apia',
    'America/Santiago',
    'Europe/Dublin',
    // changed its rules in 2004 alone, twice
    'America/Argentina/Rio_Gallegos',
  ])('means the same instants in %s', (zone) => {
    for (const year of [2000, 2010, 2018, 2027]) {
      const repeated = series(`${year}-06-07T09:00`, 'FREQ=WEEKLY;COUNT=150', zone);
      expect(inIcalJs(write(repeated))).toEqual(meant(repeated));
    }
  });
});
