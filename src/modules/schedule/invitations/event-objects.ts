import type { CalendarAttendee, CalendarEvent, EventTime } from '../icalendar/calendar-object.js';
import type { ScheduleEvent } from '../model/records/event.entity.js';
import type { Instance } from '../model/records/instance.entity.js';
import type { Invitee } from '../model/records/invitee.entity.js';
import { parseRule, type RecurrenceRule } from '../recurrence/recurrence-rule.js';
import { resolveLocal } from '../time/zone-time.js';

/** The most characters in the descriptions of a series' changed dates, so that a mail stays below about a megabyte. */
const MOST_CHARACTERS = 200_000;

/**
 * The whole event as calendar programs show it, without people: a single event, or a series by its rule, followed by those of its
 * `instances` that differ from the rule. Calendar programs replace everything they had with these objects, so none may be missing.
 */
export function eventObjects(event: ScheduleEvent, instances: readonly Instance[]): CalendarEvent[] {
  const { changed, canceledOn } = deviationsOf(event, instances);
  const share = Math.floor(MOST_CHARACTERS / Math.max(1, changed.length));
  const dates = changed.map((instance) => {
    const object = instanceObject(event, instance);
    return { ...object, description: object.description && shortened(object.description, share) };
  });
  return [eventObject(event, canceledOn), ...dates];
}

/** Where a series deviates from its rule. */
export interface Deviations {
  /** Instances at another time or with texts or a status of their own, by their original start. */
  changed: Instance[];
  /** Local dates on which nothing takes place, in order. Some programs show a canceled date, so those are left out of the rule. */
  canceledOn: string[];
}

export function deviationsOf(event: ScheduleEvent, instances: readonly Instance[]): Deviations {
  if (event.rrule === null) return { changed: [], canceledOn: [] };
  const canceled = instances.filter(({ status }) => status === 'cancelled').map((instance) => instance.original_start_local.slice(0, 10));
  const changed = instances
    .filter((instance) => instance.status !== 'cancelled' && isChanged(event, instance))
    .sort((a, b) => (a.original_start_local < b.original_start_local ? -1 : 1));
  return { changed, canceledOn: [...event.exdates, ...canceled].sort() };
}

/** An instance that could not follow a change of its zone's rules is not where the rule has it either. */
function isChanged(event: ScheduleEvent, { overrides, status, start_at, original_start_local }: Instance): boolean {
  const hasOwn = overrides.time ?? ['title', 'location', 'description'].some((name) => name in overrides);
  return hasOwn || status !== event.status || start_at.getTime() !== resolveLocal(original_start_local, event.timezone).getTime();
}

/** A single event, or a series by its rule without the dates in `canceledOn`. Without people. */
export function eventObject(event: ScheduleEvent, canceledOn: readonly string[] = event.exdates): CalendarEvent {
  const rule = ruleOf(event);
  return {
    ...textsOf(event),
    time: timeOf(event),
    series: rule && {
      rule,
      startLocal: startOf(event),
      exdates: canceledOn.map((on) => (event.all_day ? on : on + event.start_local.slice(10))),
    },
  };
}

/** A date of a series with its own time and texts. Without people. */
export function instanceObject(event: ScheduleEvent, instance: Instance): CalendarEvent {
  const { title, location, description } = { ...event, ...instance.overrides };
  return {
    ...textsOf(event),
    title,
    location,
    description,
    status: instance.status,
    time: timeOf({ ...event, ...spanOf(instance) }),
    series: { originalStart: event.all_day ? instance.original_start_local.slice(0, 10) : instance.original_start_local },
  };
}

/** When the instance takes place, in the form of an event's times. */
export function spanOf({ start_at, end_at, start_local, end_on }: Instance): TimedEvent {
  return { start_at, end_at, all_day: end_on !== null, start_on: end_on === null ? null : start_local.slice(0, 10), end_on };
}

export type TimedEvent = Pick<ScheduleEvent, 'start_at' | 'end_at' | 'all_day' | 'start_on' | 'end_on'>;

export function ruleOf(event: ScheduleEvent): RecurrenceRule | undefined {
  return event.rrule === null ? undefined : parseRule(event.rrule, { local: startOf(event), zone: event.timezone });
}

export function attendeeOf({ email, name, role, response }: Invitee): CalendarAttendee {
  return { email, name, role, response };
}

function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}...`;
}

function startOf({ all_day, start_on, start_local }: ScheduleEvent): string {
  return all_day ? (start_on as string) : start_local;
}

function textsOf({ ical_uid, sequence, timezone, title, description, location, status, show_as }: ScheduleEvent) {
  return { uid: ical_uid, sequence, zone: timezone, title, description, location, status, showAs: show_as };
}

function timeOf({ all_day, start_on, end_on, start_at, end_at }: TimedEvent): EventTime {
  return all_day ? { startOn: start_on as string, endOn: end_on as string } : { startAt: start_at, endAt: end_at };
}
