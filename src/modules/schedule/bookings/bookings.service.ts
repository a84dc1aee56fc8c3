import { Injectable } from '@nestjs/common';
import { sql, Store, type Ctx, type Page } from '../../../kit/index.js';
import { CalendarAccess, inVisibleCalendar } from '../calendars/calendar-access.js';
import { Booking } from '../model/records/booking.entity.js';
import type { BookingsQuery } from './dto/bookings.dto.js';

/** Reads bookings. */
@Injectable()
export class Bookings {
  constructor(
    private readonly store: Store,
    private readonly calendars: CalendarAccess,
  ) {}

  async get(ctx: Ctx, id: string): Promise<Booking> {
    const booking = await this.store.get(ctx, Booking, id);
    await this.calendars.get(ctx, booking.calendar_id);
    return booking;
  }

  page(ctx: Ctx, query: BookingsQuery): Promise<Page<Booking>> {
    const { guest_email } = query;
    const ofGuest = guest_email === undefined ? [] : [sql`lower(t.guest_email) = lower(${guest_email})`];
    return this.store.page(ctx, Booking, query, inVisibleCalendar(ctx), ...ofGuest);
  }
}
