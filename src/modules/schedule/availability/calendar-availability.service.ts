import { Injectable } from '@nestjs/common';
import { CommonErrors, currentTime, DAY_MS, invalid, Store, type Ctx } from '../../../kit/index.js';
import { isVisible } from '../calendars/calendar-access.js';
import { requireZone } from '../calendars/zone-field.js';
import { comparedInstantOf, instantWriter, localOf, requireSchedulable, requireWindow, utcOffsetAt } from '../time/zone-time.js';
import { AvailabilitySettingsDto } from './availability-setup.dto.js';
import { MOST_BUSY, SLOTS_UNASKED, type AvailabilityQuery, type CalendarAvailabilityDto } from './availability.dto.js';
import { SlotFinder, type FoundSlots } from './slot-finder.service.js';
import { pageOf } from './slots.js';

const DEFAULT_DAYS = 14;
const LONGEST_DAYS = 62;

/** Computes when a calendar can be booked. */
@Injectable()
export class CalendarAvailability {
  constructor(
    private readonly store: Store,
    private readonly slots: SlotFinder,
  ) {}

  async get(ctx: Ctx, calendarId: string, query: AvailabilityQuery): Promise<CalendarAvailabilityDto> {
    const now = currentTime();
    const given = query.timezone === undefined ? null : requireZone(query.timezone);
    const reader = this.store.reader(ctx);
    // the zone of the calendar is not known yet; what is read reaches further than two zones differ
    const around = spanOf(query, given ?? 'UTC', now);
    const calendar = await this.slots.setup(reader, calendarId, { ...around, resourceIds: query.resource_id });
    if (!isVisible(ctx, calendar)) throw CommonErrors.notFound();
    const timezone = given ?? calendar.timezone;
    const { from, to } = spanOf(query, timezone, now);
    const durationMinutes = query.duration_minutes ?? calendar.default_duration_minutes;
    const limit = query.limit ?? (query.to === undefined ? SLOTS_UNASKED : undefined);
    const request = { from, to, now, durationMinutes, resourceIds: query.resource_id, limit };
    const found = await this.slots.find(reader, calendar, request);
    const page = pageOf(found, busyTimes(found), from.getTime(), limit ?? MOST_BUSY);
    requireKnown(query.resource_id, found, calendar.status === 'active');
    const only = query.resource_id?.length === 1 ? query.resource_id[0] : null;
    const hours =
      found.hours.find(({ resource_id }) => resource_id === only) ?? found.hours.find(({ resource_id }) => resource_id === null);
    if (!hours) throw CommonErrors.notFound();
    const instantText = instantWriter();
    return {
      object: 'calendar_availability',
      calendar_id: calendar.id,
      timezone,
      from: from.toISOString(),
      to: to.toISOString(),
      duration_minutes: durationMinutes,
      rules: hours.rules,
      overrides: hours.overrides,
      settings: AvailabilitySettingsDto.from(hours),
      busy: page.busy.map(({ id, start, end }) => ({ resource_id: id, start_at: instantText(start), end_at: instantText(end) })),
      resources: calendar.resources
        .filter(({ id }) => page.slots.some(({ resourceIds }) => resourceIds.includes(id)))
        .map(({ id, name }) => ({ id, name })),
      slots: page.slots.map(({ start, end, resourceIds }) => ({
        start_at: instantText(start),
        end_at: instantText(end),
        start_local: localOf(new Date(start), timezone),
        utc_offset: utcOffsetAt(new Date(start), timezone),
        resource_ids: resourceIds,
        resource_count: resourceIds.length,
      })),
      next_from: page.nextFrom === null ? null : new Date(page.nextFrom).toISOString(),
    };
  }
}

function spanOf(query: AvailabilityQuery, zone: string, now: Date): { from: Date; to: Date } {
  const from = query.from === undefined ? now : comparedInstantOf('from', query.from, zone);
  const to =
    query.to === undefined
      ? requireSchedulable('from', new Date(from.getTime() + DEFAULT_DAYS * DAY_MS))
      : comparedInstantOf('to', query.to, zone);
  requireWindow(from, to, query.to, LONGEST_DAYS);
  return { from, to };
}

function requireKnown(asked: readonly string[] | undefined, { bookables }: FoundSlots, isActive: boolean): void {
  const unknown = isActive && asked?.find((id) => !bookables.some((bookable) => bookable.id === id));
  if (unknown)
    throw invalid('resource_id', `must be active resources of the calendar, from list_calendar_resources; ${unknown} is not one`);
}

function busyTimes({ bookables, calendarBusy }: FoundSlots) {
  const all = [
    { id: null, spans: calendarBusy },
    ...bookables.map(({ id, uses, personBusy }) => ({ id, spans: [...uses, ...personBusy] })),
  ];
  return all.flatMap(({ id, spans }) => spans.map((span) => ({ id, ...span })));
}
