import { formatRule, LONGEST_YEARS, type RecurrenceRule } from '../recurrence/recurrence-rule.js';
import { localOf, resolveLocal, wallTime } from '../time/zone-time.js';
import { contentLine, mailto, textLine } from './content-line.js';
import { dateText, localText, utcText } from './time-values.js';
import { timezoneComponent } from './timezone-component.js';

const PRODUCT = '-//Work suite//Schedule//EN';

export type CalendarMethod = 'REQUEST' | 'CANCEL' | 'PUBLISH';

export interface CalendarPerson {
  email: string;
  name?: string | null;
}

export interface CalendarAttendee extends CalendarPerson {
  role: 'required' | 'optional';
  response: 'needs_action' | 'accepted' | 'declined' | 'tentative';
}

/** Instants for a timed event; dates `YYYY-MM-DD` with an exclusive end for one of whole days. */
export type EventTime = { startAt: Date; endAt: Date } | { startOn: string; endOn: string };

export interface CalendarEvent {
  uid: string;
  sequence: number;
  time: EventTime;
  /** The event's; a series and its instances are written in it, a single event in UTC. */
  zone: string;
  /**
   * `rule` for the series itself, with its local start and the local starts it leaves out. `originalStart` for a date of a series
   * that differs from the rule or is canceled: where the rule has it. Local starts are `YYYY-MM-DDTHH:MM[:SS]`, or `YYYY-MM-DD`
   * for whole days.
   */
  series?: { rule: RecurrenceRule; startLocal: string; exdates: readonly string[] } | { originalStart: string };
  title: string;
  description?: string | null;
  location?: string | null;
  status: 'confirmed' | 'tentative' | 'cancelled';
  showAs: 'busy' | 'free';
  organizer?: CalendarPerson & { sentBy?: string | null };
  attendees?: readonly CalendarAttendee[];
  url?: string | null;
  /** When it last changed, for feeds, whose text must not change while the events stay the same; by default the object's own time. */
  stampAt?: Date;
}

export interface CalendarObject {
  method: CalendarMethod;
  /** When the object was made: DTSTAMP. */
  stampAt: Date;
  events: readonly CalendarEvent[];
  /** For a feed: its name, and how often to read it again. */
  feed?: { name: string; refreshMinutes: number };
}

/** Writes an iCalendar object (RFC 5545, 5546 and 7986) with CRLF line ends. */
export function writeCalendarObject(object: CalendarObject): string {
  return calendarObjectWriter(object)();
}

/** Writes iCalendar objects that differ in nothing but the attendees, which are in all events; without, each event has its own. */
export function calendarObjectWriter(object: CalendarObject): (attendees?: readonly CalendarAttendee[]) => string {
  const { method, stampAt, events, feed } = object;
  const lines = ['BEGIN:VCALENDAR', 'VERSION:2.0', contentLine('PRODID', PRODUCT), 'CALSCALE:GREGORIAN', `METHOD:${method}`];
  if (feed) {
    const refresh = `PT${feed.refreshMinutes}M`;
    lines.push(textLine('NAME', feed.name), textLine('X-WR-CALNAME', feed.name));
    lines.push(contentLine('REFRESH-INTERVAL', refresh, { VALUE: 'DURATION' }), contentLine('X-PUBLISHED-TTL', refresh));
  }
  for (const [zone, { from, to }] of zonesOf(events)) lines.push(...timezoneComponent(zone, from, to));
  const head = textOf(lines);
  const written = events.map((event) => ({ text: textOf(eventLines(event, stampAt)), attendees: event.attendees ?? [] }));
  return (attendees) => {
    const all = attendees && attendeesText(attendees);
    const components = written.map((event) => `${event.text}${all ?? attendeesText(event.attendees)}END:VEVENT\r\n`);
    return `${head}${components.join('')}END:VCALENDAR\r\n`;
  };
}

function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\r\n`).join('');
}

/** Without attendees and end. */
function eventLines(event: CalendarEvent, stampAt: Date): string[] {
  const { organizer } = event;
  return [
    'BEGIN:VEVENT',
    textLine('UID', event.uid),
    contentLine('DTSTAMP', utcText(event.stampAt ?? stampAt)),
    contentLine('SEQUENCE', event.sequence),
    ...timeLines(event),
    textLine('SUMMARY', event.title),
    ...(event.description ? [textLine('DESCRIPTION', event.description)] : []),
    ...(event.location ? [textLine('LOCATION', event.location)] : []),
    ...(event.url ? [contentLine('URL', event.url)] : []),
    `STATUS:${event.status.toUpperCase()}`,
    `TRANSP:${event.showAs === 'busy' ? 'OPAQUE' : 'TRANSPARENT'}`,
    ...(organizer
      ? [contentLine('ORGANIZER', mailto(organizer.email), { CN: organizer.name, 'SENT-BY': organizer.sentBy && mailto(organizer.sentBy) })]
      : []),
  ];
}

function attendeesText(attendees: readonly CalendarAttendee[]): string {
  return textOf(attendees.map((attendee) => attendeeLine(attendee)));
}

function attendeeLine({ email, name, role, response }: CalendarAttendee): string {
  return contentLine('ATTENDEE', mailto(email), {
    CUTYPE: 'INDIVIDUAL',
    CN: name ?? email,
    ROLE: role === 'required' ? 'REQ-PARTICIPANT' : 'OPT-PARTICIPANT',
    PARTSTAT: response.toUpperCase().replace('_', '-'),
    RSVP: response === 'needs_action' ? 'TRUE' : null,
  });
}

/** DTSTART, RRULE, EXDATE and RECURRENCE-ID have the same form: a date, a time of a zone, or UTC. */
function timeLines({ time, zone, series }: CalendarEvent): string[] {
  if ('startOn' in time) {
    const date = (name: string, on: string) => contentLine(name, dateText(on), { VALUE: 'DATE' });
    return [date('DTSTART', time.startOn), date('DTEND', time.endOn), ...seriesLines(series, zone, date)];
  }
  const { startAt, endAt } = time;
  const local = series && 'rule' in series ? series.startLocal : localOf(startAt, zone);
  const isLocal = series !== undefined && isAt(local, startAt, zone);
  const zoned = (name: string, at: string) => contentLine(name, localText(wallTime(at)), { TZID: zone });
  if (!isLocal)
    return [contentLine('DTSTART', utcText(startAt)), contentLine('DTEND', utcText(endAt)), ...seriesLines(series, zone, zoned)];
  const endLocal = localOf(endAt, zone);
  const end = isAt(endLocal, endAt, zone)
    ? zoned('DTEND', endLocal)
    : contentLine('DURATION', `PT${(endAt.getTime() - startAt.getTime()) / 1000}S`);
  return [zoned('DTSTART', local), end, ...seriesLines(series, zone, zoned)];
}

/** A local time that occurs twice denotes the first occurrence only. */
function isAt(local: string, at: Date, zone: string): boolean {
  return resolveLocal(local, zone).getTime() === at.getTime();
}

function seriesLines(series: CalendarEvent['series'], zone: string, write: (name: string, local: string) => string): string[] {
  if (!series) return [];
  if ('originalStart' in series) return [write('RECURRENCE-ID', series.originalStart)];
  const rrule = contentLine('RRULE', formatRule(series.rule, { local: series.startLocal, zone }));
  return [rrule, ...series.exdates.map((exdate) => write('EXDATE', exdate))];
}

/** The zones in which times are written, each with the span of those times. */
function zonesOf(events: readonly CalendarEvent[]): Map<string, { from: number; to: number }> {
  const zones = new Map<string, { from: number; to: number }>();
  for (const { time, zone, series } of events) {
    if ('startOn' in time || !series) continue;
    const original = 'originalStart' in series ? resolveLocal(series.originalStart, zone).getTime() : time.startAt.getTime();
    const last = 'rule' in series ? lastOf(series.rule, time.startAt) : original;
    const span = { from: Math.min(original, time.startAt.getTime()), to: Math.max(last, time.endAt.getTime()) };
    const known = zones.get(zone) ?? span;
    zones.set(zone, { from: Math.min(known.from, span.from), to: Math.max(known.to, span.to) });
  }
  return zones;
}

function lastOf({ untilOn }: RecurrenceRule, startAt: Date): number {
  if (untilOn !== null) return Date.parse(`${untilOn}T24:00:00Z`);
  return new Date(startAt).setUTCFullYear(startAt.getUTCFullYear() + LONGEST_YEARS);
}
