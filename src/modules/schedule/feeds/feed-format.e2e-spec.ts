import { expect, test } from '@jest/globals';
import { sharedApp } from '../../../../test/harness/hosted-app.js';
import { resolveLocal } from '../time/zone-time.js';

const app = await sharedApp();
const fixture = app.inside<typeof import('../testing/schedule-events.js')>('src/modules/schedule/testing/schedule-events.ts');
const space = await app.workspace();
const ctx = space.ctx();
const zone = 'Europe/Berlin';

/** Without the lines that differ in each run. */
const TEXT = String.raw`BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//Work suite//Schedule//EN
CALSCALE:GREGORIAN
METHOD:PUBLISH
NAME:Rooms\, all
X-WR-CALNAME:Rooms\, all
REFRESH-INTERVAL;VALUE=DURATION:PT60M
X-PUBLISHED-TTL:PT60M
BEGIN:VTIMEZONE
TZID:Europe/Berlin
BEGIN:DAYLIGHT
DTSTART:20230326T020000
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU
END:DAYLIGHT
BEGIN:STANDARD
DTSTART:20231029T030000
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU
END:STANDARD
END:VTIMEZONE
BEGIN:VEVENT
SEQUENCE:0
DTSTART:20240402T120000Z
DTEND:20240402T133000Z
SUMMARY:Review\; draft
DESCRIPTION:One\nTwo
LOCATION:Room 1
STATUS:TENTATIVE
TRANSP:OPAQUE
END:VEVENT
BEGIN:VEVENT
SEQUENCE:0
DTSTART;VALUE=DATE:20240404
DTEND;VALUE=DATE:20240406
SUMMARY:Fair
STATUS:CONFIRMED
TRANSP:TRANSPARENT
END:VEVENT
BEGIN:VEVENT
SEQUENCE:3
DTSTART;TZID=Europe/Berlin:20240325T090000
DTEND;TZID=Europe/Berlin:20240325T100000
RRULE:FREQ=WEEKLY;COUNT=6
EXDATE;TZID=Europe/Berlin:20240415T090000
EXDATE;TZID=Europe/Berlin:20240422T090000
SUMMARY:Weekly
STATUS:CONFIRMED
TRANSP:OPAQUE
END:VEVENT
BEGIN:VEVENT
SEQUENCE:3
DTSTART;TZID=Europe/Berlin:20240401T160000
DTEND;TZID=Europe/Berlin:20240401T170000
RECURRENCE-ID;TZID=Europe/Berlin:20240401T090000
SUMMARY:Weekly
STATUS:CONFIRMED
TRANSP:OPAQUE
END:VEVENT
BEGIN:VEVENT
SEQUENCE:3
DTSTART;TZID=Europe/Berlin:20240408T090000
DTEND;TZID=Europe/Berlin:20240408T100000
RECURRENCE-ID;TZID=Europe/Berlin:20240408T090000
SUMMARY:Elsewhere
LOCATION:Room 2
STATUS:CONFIRMED
TRANSP:OPAQUE
END:VEVENT
BEGIN:VEVENT
SEQUENCE:3
DTSTART;TZID=Europe/Berlin:20240429T100000
DTEND;TZID=Europe/Berlin:20240429T110000
RECURRENCE-ID;TZID=Europe/Berlin:20240429T090000
SUMMARY:Weekly
STATUS:CONFIRMED
TRANSP:OPAQUE
END:VEVENT
END:VCALENDAR
`;

test('the text of a feed stands with the number of its format', async () => {
  const at = (on: string, time: string, minutes = 60) => {
    const start_local = `${on}T${time}:00`;
    const start_at = resolveLocal(start_local, zone);
    return { start_local, start_at, end_at: new Date(start_at.getTime() + minutes * 60_000) };
  };
  const calendar = await fixture.createCalendar(ctx, space.eng.id, { name: 'Rooms, all' });
  await fixture.createEvent(
    ctx,
    calendar,
    { ...at('2024-04-02', '14:00', 90), title: 'Review; draft', description: 'One\nTwo', location: 'Room 1', status: 'tentative' },
    [],
  );
  const days = { all_day: true, start_on: '2024-04-04', end_on: '2024-04-06', show_as: 'free' as const };
  await fixture.createEvent(ctx, calendar, { ...at('2024-04-04', '00:00', 2 * 24 * 60), ...days, title: 'Fair' }, []);
  const weekly = await fixture.createEvent(
    ctx,
    calendar,
    { ...at('2024-03-25', '09:00'), title: 'Weekly', rrule: 'FREQ=WEEKLY;COUNT=6', exdates: ['2024-04-22'] },
    [],
  );
  await fixture.moveInstance(ctx, weekly.id, '2024-04-01T09:00:00', { ...at('2024-04-01', '16:00'), overrides: { time: true } });
  await fixture.moveInstance(ctx, weekly.id, '2024-04-08T09:00:00', { overrides: { title: 'Elsewhere', location: 'Room 2' } });
  await fixture.moveInstance(ctx, weekly.id, '2024-04-15T09:00:00', { status: 'cancelled', overrides: { status: 'cancelled' } });
  // could not follow a change of its zone's rules
  await app.sql.query(
    `UPDATE schedule_instances SET start_at = start_at + interval '1 hour', end_at = end_at + interval '1 hour'
     WHERE event_id = $1 AND original_start_local = '2024-04-29T09:00:00'`,
    [weekly.id],
  );
  const { body } = await (await space.signIn()).post(`/api/v1/org/schedule/calendars/${calendar.id}/feeds`, { name: 'Screen' });
  const token = new URL(body.url as string).pathname.split('/').at(-1)!.replace('.ics', '');
  const { format, text } = await fixture.feedAt(token, new Date('2024-04-10T12:00:00Z'));
  const lines = text.replaceAll('\r\n', '\n').replace(/^(DTSTAMP|UID):.*\n/gm, '');
  // whoever changes the text raises FORMAT of the reader: otherwise programs that have the old one are told that nothing has changed
  expect({ format, text: lines }).toEqual({ format: 2, text: TEXT });
});
