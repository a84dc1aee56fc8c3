import { currentTime } from '../../../kit/index.js';
import type { Mail } from '../../../kit/index.js';
import {
  calendarObjectWriter,
  type CalendarAttendee,
  type CalendarEvent,
  type CalendarMethod,
  type CalendarPerson,
} from '../icalendar/calendar-object.js';
import type { ScheduleEvent } from '../model/records/event.entity.js';
import type { Calendar } from '../model/setup/calendar.entity.js';
import type { Instance } from '../model/records/instance.entity.js';
import { eventObject, eventObjects, instanceObject, spanOf } from './event-objects.js';
import { deviationsInWords, repeatsOf, timesOf } from './event-times.js';
import { mailLayout, oneLine, type ReaderLink } from './mail-layout.js';

/** What a mail is about: an event, or one date of a series. */
export interface MailSubject {
  event: ScheduleEvent;
  /** Null for the whole event. */
  instance: Instance | null;
  /** For a series as a whole: its instances, of which the mail lists those that deviate from the rule. */
  instances: readonly Instance[];
  organization: string;
  /** `onlyReaderOf` its calendar. */
  onlyReader: string | null;
  /** With it, each mail has the event as an iCalendar object. */
  calendar?: { method: CalendarMethod; organizer: CalendarPerson & { sentBy?: string | null } };
}

export interface EventMail {
  to: string;
  /** Whether it is for the organizer of the event; otherwise it is for someone who is invited. */
  as?: 'host';
  subject: string;
  /** What has happened. */
  opening: string;
  /** Names and values that only this mail has. */
  details?: readonly (readonly [name: string, value: string])[];
  link?: ReaderLink | null;
  replyTo?: string | null;
  /** In the iCalendar object. */
  attendees?: readonly CalendarAttendee[];
}

/** A mail about an event as text and HTML. */
export function eventMail(subject: MailSubject, mail: EventMail): Mail {
  return mailsAbout(subject)(mail);
}

/** Writes many mails about the same event: what they have in common is made once, as a series can have hundreds of changed dates. */
export function mailsAbout(subject: MailSubject): (mail: EventMail) => Mail {
  const { event, instance, instances, organization, onlyReader, calendar } = subject;
  const { title, description } = { ...event, ...instance?.overrides };
  const facts = factsOf(subject);
  const texts = description?.trim() ? [{ text: description.trim() }] : [];
  const objects = instance ? [instanceObject(event, instance)] : eventObjects(event, instances);
  const partOf = calendar && calendarParts(event, objects, calendar);
  return ({ to, as, subject: line, opening, details = [], link = null, replyTo, attendees = [] }) => ({
    to,
    subject: oneLine(line),
    content: mailLayout({
      opening,
      heading: oneLine(title),
      facts: [...facts, ...details],
      texts,
      link,
      reason: reasonOf(event, organization, as),
    }),
    ...(replyTo ? { replyTo } : {}),
    ...(as !== 'host' && event.organizer && { senderName: `${event.organizer.name} (${organization})`, autoSubmitted: 'no' as const }),
    // the link lets the reader answer in the recipient's name
    confidential: true,
    onlyReader,
    permission: 'schedule.event.view',
    ...partOf?.(attendees),
  });
}

function reasonOf({ organizer }: ScheduleEvent, organization: string, as: EventMail['as']): string {
  if (as === 'host') return `You receive this mail because you organize this event at ${organization}.`;
  return `You receive this mail because ${organizer?.name ?? organization} invited you to this event.`;
}

type CalendarPart = Pick<Mail, 'calendar' | 'sequenceKey'>;

/** The iCalendar part of a mail about a single event. */
export function calendarOf(
  event: ScheduleEvent,
  calendar: NonNullable<MailSubject['calendar']>,
  attendees: readonly CalendarAttendee[],
  url: string | null,
): CalendarPart {
  return calendarParts(event, [{ ...eventObject(event), url }], calendar)(attendees);
}

/** A cancellation of a whole event names no dates: it is for all of them. */
function calendarParts(
  event: ScheduleEvent,
  objects: readonly CalendarEvent[],
  { method, organizer }: NonNullable<MailSubject['calendar']>,
): (attendees: readonly CalendarAttendee[]) => CalendarPart {
  const shown = method === 'CANCEL' ? [{ ...objects[0], status: 'cancelled' as const }] : objects;
  const write = calendarObjectWriter({ method, stampAt: currentTime(), events: shown.map((object) => ({ ...object, organizer })) });
  // a calendar program that gets an older state last can keep it
  return (attendees) => ({ calendar: { method, content: write(attendees) }, sequenceKey: event.id });
}

/** The member who alone may read mails about the events of this calendar; null if it is not private. */
export function onlyReaderOf({ visibility, owner_member_id }: Pick<Calendar, 'visibility' | 'owner_member_id'>): string | null {
  return visibility === 'private' ? owner_member_id : null;
}

/** The organizer of the event: the calendar's owner, on whose behalf the suite sends, or else the suite itself. */
export function organizerOf(
  { organizer }: Pick<ScheduleEvent, 'organizer'>,
  organization: string,
  mailFrom: string,
): CalendarPerson & { sentBy?: string } {
  return organizer ? { email: organizer.email, name: organizer.name, sentBy: mailFrom } : { email: mailFrom, name: organization };
}

function factsOf({ event, instance, instances }: MailSubject): [string, string][] {
  const { location } = { ...event, ...instance?.overrides };
  const { local, utc } = timesOf(instance ? spanOf(instance) : event, event.timezone);
  const repeats = instance ? null : repeatsOf(event);
  return [
    ['When', local],
    ...(utc === null ? [] : [['UTC', utc] as [string, string]]),
    ...(repeats === null ? [] : [['Repeats', repeats] as [string, string], ...deviationsInWords(event, instances)]),
    ...(location ? [['Where', oneLine(location)] as [string, string]] : []),
  ];
}
