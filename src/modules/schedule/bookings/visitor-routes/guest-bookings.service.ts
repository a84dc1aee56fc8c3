import { Injectable } from '@nestjs/common';
import { Contexts, organizationNameOf, sql, Store, table, type TokenRow, currentTime } from '../../../../kit/index.js';
import { ScheduleErrors } from '../../model/core/schedule.errors.js';
import { Booking } from '../../model/records/booking.entity.js';
import { BookingPage } from '../../model/setup/booking-page.entity.js';
import { Resource } from '../../model/setup/resource.entity.js';
import { BookingChanges } from '../lifecycle/booking-changes.service.js';
import { isConflict } from '../lifecycle/booking.service.js';
import { durationText } from '../../time/moments.js';
import { FreeTimes, type Wanted } from '../free-times/free-times.service.js';
import { OpenPages, type OpenPage } from '../free-times/open-pages.service.js';

/** A booking, found by the link of its guest. */
export interface GuestBooking {
  open: OpenPage;
  booking: Booking;
  token: string;
  /** Name of the booked resource, if visitors choose one. */
  resource: string | null;
}

/** What guests do with their bookings. */
@Injectable()
export class GuestBookings {
  constructor(
    private readonly contexts: Contexts,
    private readonly store: Store,
    private readonly pages: OpenPages,
    private readonly times: FreeTimes,
    private readonly changes: BookingChanges,
  ) {}

  async find(token: string, requestId: string | null = null): Promise<GuestBooking> {
    const unknown = 'This link is unknown.';
    const { ctx, row } = await this.contexts.byToken<BookingRow>(token, byHash, { unknown, requestId });
    const booking = await this.store.get(ctx, Booking, row.id);
    const open = await this.pages.of(ctx, row.organization, await this.store.get(ctx, BookingPage, booking.page_id));
    const isNamed = open.page.resource_mode === 'visitor_chooses' && booking.resource_id !== null;
    const resource = isNamed ? await this.store.find(ctx, Resource, booking.resource_id as string) : null;
    return { open, booking, token, resource: resource?.name ?? null };
  }

  /** The criteria for moving a booking: the same length and resource, unless the least busy resource is chosen automatically. */
  wanted({ booking, open }: GuestBooking): Wanted {
    return {
      minutes: Math.round((booking.end_at.getTime() - booking.start_at.getTime()) / 60_000),
      resourceId: open.page.resource_mode === 'visitor_chooses' ? booking.resource_id : null,
      ignoreEventId: booking.event_id,
    };
  }

  cancel(found: GuestBooking): Promise<Booking> {
    const { open, booking } = found;
    const reason = cannotCancel(booking, open.page, currentTime());
    if (reason !== null) throw ScheduleErrors.invalidTransition({ message: reason });
    return this.changes.cancel(open.ctx, booking.id, null, 'guest');
  }

  /** Throws `slot_unavailable` if the time is not free, for the booking's own resource or one that the host added. */
  async reschedule(found: GuestBooking, start: Date): Promise<Booking> {
    const { open } = found;
    try {
      return await this.changes.reschedule(open.ctx, found.booking.id, start, 'guest', async (tx, booking) => {
        const now = currentTime();
        const current = { ...found, booking };
        const reason = cannotMove(current, now);
        if (reason !== null) throw ScheduleErrors.invalidTransition({ message: reason });
        const slot = await this.times.at(tx, open, this.wanted(current), start, now);
        if (!slot) throw ScheduleErrors.slotUnavailable();
        const { resource_id } = booking;
        // without a choice of resources, the booking has one only if the host gave it one
        const isKept = slot.resourceIds.length === 0 || (resource_id !== null && slot.resourceIds.includes(resource_id));
        return isKept ? resource_id : slot.resourceIds[0];
      });
    } catch (error) {
      // guests must not see the conflicting events
      throw isConflict(error) ? ScheduleErrors.slotUnavailable() : error;
    }
  }
}

interface BookingRow extends TokenRow {
  organization: string;
}

const byHash = (hash: string) => sql.unscoped('the booking that a token names')`
  SELECT b.id, b.organization_id, b.project_id, b.mode, b.guest_email AS email, ${organizationNameOf('b')} AS organization
  FROM ${table(Booking)} b WHERE b.token_hash = ${hash}`;

/** Why a guest can no longer cancel a booking; null if they can. */
export function cannotCancel(booking: Booking, page: BookingPage, now: Date): string | null {
  if (booking.status !== 'pending' && booking.status !== 'confirmed') return 'This appointment no longer takes place.';
  if (booking.start_at <= now) return 'This appointment has begun, so it can no longer be changed here.';
  const latest = booking.start_at.getTime() - page.change_notice_minutes * 60_000;
  return now.getTime() > latest
    ? `It can be changed until ${durationText(page.change_notice_minutes)} before it begins. Please contact the host.`
    : null;
}

/** Why a guest can no longer move a booking; null if they can. */
export function cannotMove(found: GuestBooking, now: Date): string | null {
  const { booking, open } = found;
  const reason = cannotCancel(booking, open.page, now);
  if (reason !== null) return reason;
  if (!open.isOpen) return 'No other times can be chosen at the moment. Please contact the host.';
  return booking.reschedule_count >= open.page.max_reschedules ? 'It has been moved as often as possible. Please contact the host.' : null;
}
