import { html, Html, type Mail } from '../../../kit/index.js';
import { writeCalendarObject, type CalendarEvent, type CalendarMethod } from '../icalendar/calendar-object.js';
import type { ScheduleEvent } from '../model/records/event.entity.js';
import type { Instance } from '../model/records/instance.entity.js';
import { eventObject, instanceObject, spanOf } from './event-objects.js';
import { repeatsOf, timesOf } from './event-times.js';

/** What a mail is about: an event, or one date of a series. */
export interface MailSubject {
  event: ScheduleEvent;
  instance: Instance | null;
  organization: string;
}

export interface EventMail {
  to: string;
  subject: string;
  /** What has happened, in one sentence. */
  opening: string;
  /** The page on which the reader answers; they act in their own name there. */
  answerUrl?: string | null;
  replyTo?: string | null;
  calendar?: { method: CalendarMethod; people: Pick<CalendarEvent, 'organizer' | 'attendees'> };
}

/** A mail about an event as text and HTML, with the event as an iCalendar object if `calendar` is given. */
export function eventMail(subject: MailSubject, mail: EventMail): Mail {
  return mailsAbout(subject)(mail);
}

/** Writes many mails about the same event: what they have in common is made once. */
export function mailsAbout(subject: MailSubject): (mail: EventMail) => Mail {
  const { event, instance, organization } = subject;
  const facts = factsOf(subject);
  const description = { ...event, ...instance?.overrides }.description?.trim() || null;
  const object = instance ? instanceObject(event, instance) : eventObject(event);
  return (mail) => {
    const { to, opening, answerUrl = null, replyTo, calendar } = mail;
    const ending = answerUrl === null ? null : 'The link is for you only: anyone who has it can answer in your name.';
    const text = [
      opening,
      facts.map(([name, value]) => `${name}: ${value}`).join('\n'),
      description,
      answerUrl === null ? null : `Accept, decline, or say maybe here:\n${answerUrl}`,
      ending,
      organization,
    ];
    return {
      to,
      subject: oneLine(mail.subject),
      text: `${text.filter((part) => part !== null).join('\n\n')}\n`,
      html: page(subject, mail, facts, description, ending).markup,
      ...(replyTo ? { replyTo } : {}),
      // it may be of a private calendar, and its link lets the reader answer in the recipient's name
      confidential: true,
      permission: 'schedule.event.view',
      ...(calendar ? { calendar: { method: calendar.method, content: objectOf(object, calendar) } } : {}),
    };
  };
}

function objectOf(object: CalendarEvent, { method, people }: NonNullable<EventMail['calendar']>): string {
  const status = method === 'CANCEL' ? 'cancelled' : object.status;
  return writeCalendarObject({ method, stampAt: new Date(), events: [{ ...object, ...people, status }] });
}

function factsOf({ event, instance }: MailSubject): [string, string][] {
  const { title, location } = { ...event, ...instance?.overrides };
  const { local, utc } = timesOf(instance ? spanOf(instance) : event, event.timezone);
  const repeats = instance ? null : repeatsOf(event);
  return [
    ['Event', oneLine(title)],
    ['When', local],
    ...(utc === null ? [] : [['UTC', utc] as [string, string]]),
    ...(repeats === null ? [] : [['Repeats', repeats] as [string, string]]),
    ...(location ? [['Where', oneLine(location)] as [string, string]] : []),
  ];
}

const FONT = 'font:16px/1.55 -apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif';
const BODY = `margin:0;padding:24px 12px;background:#f5f6f8;color:#1d2430;${FONT}`;
const CARD = 'max-width:560px;margin:0 auto;background:#fff;border:1px solid #dfe3ea;border-radius:14px;padding:28px';
const NAME = 'padding:4px 16px 4px 0;color:#5b6472;vertical-align:top';
const BUTTON =
  'display:inline-block;background:#24457c;color:#fff;text-decoration:none;font-weight:600;padding:12px 22px;border-radius:10px';

function page(
  { event, instance, organization }: MailSubject,
  mail: EventMail,
  facts: [string, string][],
  description: string | null,
  ending: string | null,
): Html {
  const { title } = { ...event, ...instance?.overrides };
  const rows = facts
    .slice(1)
    .map(([name, value]) => html`<tr><td style="${NAME}">${name}</td><td style="padding:4px 0">${value}</td></tr>`);
  const lines = description?.split('\n').map((line, index) => html`${index > 0 && new Html('<br>')}${line}`) ?? null;
  return html`<!doctype html><html lang="en"><body style="${BODY}"><div style="${CARD}">
<p style="margin:0 0 12px;color:#5b6472">${mail.opening}</p>
<h1 style="margin:0 0 14px;font-size:24px;line-height:1.25">${title}</h1>
<table role="presentation" style="border-collapse:collapse;margin:0 0 16px">${rows}</table>
${lines && html`<p style="margin:0 0 18px">${lines}</p>`}
${mail.answerUrl ? html`<p style="margin:0 0 14px"><a href="${mail.answerUrl}" style="${BUTTON}">Answer the invitation</a></p>` : null}
${ending !== null && html`<p style="margin:0 0 14px;color:#5b6472;font-size:14px">${ending}</p>`}
<p style="margin:18px 0 0;padding-top:14px;border-top:1px solid #dfe3ea;color:#5b6472;font-size:14px">${organization}</p>
</div></body></html>
`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
