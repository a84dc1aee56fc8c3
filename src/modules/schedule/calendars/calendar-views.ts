import { Injectable } from '@nestjs/common';
import { Members, responseOf, Settings, Store, type Ctx, type Tx } from '../../../kit/index.js';
import { BookingPage } from '../model/setup/booking-page.entity.js';
import type { Calendar } from '../model/setup/calendar.entity.js';
import { CalendarDto, type CalendarBookingPageDto } from './calendars.dto.js';

/** Calendars as the API and events show them. */
@Injectable()
export class CalendarViews {
  constructor(
    private readonly store: Store,
    private readonly members: Members,
    private readonly settings: Settings,
  ) {}

  async of(ctx: Ctx, calendar: Calendar, tx?: Tx): Promise<CalendarDto> {
    return (await this.mapper(ctx, [calendar], tx))(calendar);
  }

  async mapper(ctx: Ctx, calendars: readonly Calendar[], tx?: Tx): Promise<(calendar: Calendar) => CalendarDto> {
    const ids = calendars.map(({ id }) => id);
    const owners = [...new Set(calendars.flatMap(({ owner_member_id }) => owner_member_id ?? []))];
    const [members, pages] = await Promise.all([
      this.members.byIds(ctx, owners),
      tx ? tx.list(BookingPage, { calendar_id: ids }) : this.store.list(ctx, BookingPage, { calendar_id: ids }),
    ]);
    return (calendar) => {
      const owner = members.find(({ id }) => id === calendar.owner_member_id);
      const own = pages.filter(({ calendar_id }) => calendar_id === calendar.id);
      return {
        ...responseOf(CalendarDto, calendar),
        owner: owner ? { id: owner.id, name: owner.name, email: owner.email } : null,
        booking_page: this.page(own.find(({ enabled }) => enabled) ?? own.at(0)),
      };
    };
  }

  private page(page: BookingPage | undefined): CalendarBookingPageDto | null {
    return page ? { slug: page.slug, enabled: page.enabled, url: `${this.settings.baseUrl}/b/${page.slug}` } : null;
  }
}
