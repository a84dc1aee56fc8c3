import { Injectable } from '@nestjs/common';
import { CachedNames, Store, UNKNOWN_NAME, type Ctx } from '../../../kit/index.js';
import { Calendar } from '../model/setup/calendar.entity.js';
import { Resource } from '../model/setup/resource.entity.js';

/** Adds the names of calendars and resources to events and bookings that are read. */
@Injectable()
export class ScheduleNames {
  private readonly calendars: CachedNames;
  private readonly resources: CachedNames;

  constructor(store: Store) {
    this.calendars = new CachedNames((ctx, id) => store.list(ctx, Calendar, { id }));
    this.resources = new CachedNames((ctx, id) => store.list(ctx, Resource, { id }));
  }

  async ofEvents<Event extends { calendar_id: string; resource_ids?: string[] }>(ctx: Ctx, events: readonly Event[]) {
    const { calendar, resource } = await this.namesOf(
      ctx,
      events,
      events.flatMap(({ resource_ids }) => resource_ids ?? []),
    );
    return events.map((event) => ({
      ...event,
      calendar_name: calendar(event.calendar_id) ?? undefined,
      resource_names: (event.resource_ids ?? []).map((id) => resource(id) ?? UNKNOWN_NAME),
    }));
  }

  async ofBookings<Booking extends { calendar_id: string; resource_id: string | null }>(ctx: Ctx, bookings: readonly Booking[]) {
    const { calendar, resource } = await this.namesOf(
      ctx,
      bookings,
      bookings.map(({ resource_id }) => resource_id),
    );
    return bookings.map((booking) => ({
      ...booking,
      calendar_name: calendar(booking.calendar_id) ?? undefined,
      resource_name: resource(booking.resource_id),
    }));
  }

  private async namesOf(ctx: Ctx, rows: readonly { calendar_id: string }[], resourceIds: readonly (string | null)[]) {
    const [calendar, resource] = await Promise.all([
      this.calendars.of(
        ctx,
        rows.map(({ calendar_id }) => calendar_id),
      ),
      this.resources.of(ctx, resourceIds),
    ]);
    return { calendar, resource };
  }
}
