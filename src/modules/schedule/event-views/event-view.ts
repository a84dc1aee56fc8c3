import { responseOf } from '../../../kit/index.js';
import type { ScheduleEvent } from '../model/records/event.entity.js';
import type { Instance, InstanceOverrides } from '../model/records/instance.entity.js';
import { localOf, utcOffsetAt } from '../time/zone-time.js';
import { CalendarEventDto } from './calendar-event.dto.js';

/**
 * An event as the API shows it; with an instance of a series, that instance with its own values. The instance of a single event is the
 * event. Every change of an instance raises the version of its series, so the version is that of the event.
 */
export function eventView(event: ScheduleEvent, instance?: Instance | null): CalendarEventDto {
  const one = instance && event.rrule !== null ? instance : null;
  const overrides: InstanceOverrides = one?.overrides ?? {};
  const { all_day, timezone } = event;
  const { start_at, end_at, status, resource_ids } = one ?? event;
  return {
    ...responseOf(CalendarEventDto, event),
    id: one?.id ?? event.id,
    series_id: one ? event.id : null,
    original_start_at: one && !all_day ? one.original_start_at.toISOString() : null,
    original_on: one ? one.original_start_local.slice(0, 10) : null,
    title: overrides.title ?? event.title,
    description: overrides.description === undefined ? event.description : overrides.description,
    location: overrides.location === undefined ? event.location : overrides.location,
    start_at: all_day ? null : start_at.toISOString(),
    end_at: all_day ? null : end_at.toISOString(),
    utc_offset: utcOffsetAt(start_at, timezone),
    start_local: localOf(start_at, timezone),
    end_local: all_day ? null : localOf(end_at, timezone),
    start_on: all_day ? (one ? one.start_local.slice(0, 10) : event.start_on) : null,
    end_on: all_day ? (one ?? event).end_on : null,
    recurrence: event.rrule === null || one ? null : { rrule: event.rrule, exdates: event.exdates },
    status,
    resource_ids,
    metadata: overrides.metadata ?? event.metadata,
    organizer: event.organizer && { id: event.organizer.member_id, name: event.organizer.name, email: event.organizer.email },
  };
}
