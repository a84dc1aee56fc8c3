import type { CalendarAttendee, CalendarEvent, EventTime } from '../icalendar/calendar-object.js';
import type { ScheduleEvent } from '../model/records/event.entity.js';
import type { Instance } from '../model/records/instance.entity.js';
import type { Invitee } from '../model/records/invitee.entity.js';
import { parseRule, type RecurrenceRule } from '../recurrence/recurrence-rule.js';

/** The event as calendar programs show it: a single event, or a series by its rule. Without people. */
export function eventObject(event: ScheduleEvent): CalendarEvent {
  const rule = ruleOf(event);
  return {
    ...textsOf(event),
    time: timeOf(event),
    series: rule && {
      rule,
      startLocal: startOf(event),
      exdates: event.exdates.map((on) => (event.all_day ? on : on + event.start_local.slice(10))),
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

function startOf({ all_day, start_on, start_local }: ScheduleEvent): string {
  return all_day ? (start_on as string) : start_local;
}

function textsOf({ ical_uid, sequence, timezone, title, description, location, status, show_as }: ScheduleEvent) {
  return { uid: ical_uid, sequence, zone: timezone, title, description, location, status, showAs: show_as };
}

function timeOf({ all_day, start_on, end_on, start_at, end_at }: TimedEvent): EventTime {
  return all_day ? { startOn: start_on as string, endOn: end_on as string } : { startAt: start_at, endAt: end_at };
}
