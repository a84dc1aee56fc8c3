import { Injectable } from '@nestjs/common';
import { own, plusDays, Store, sql, table, DAY_MS, type SqlReader } from '../../../../kit/index.js';
import type { FoundSlots } from '../../availability/slot-finder.service.js';
import { SlotFinder } from '../../availability/slot-finder.service.js';
import type { Slot } from '../../availability/slots.js';
import { BookingPage } from '../../model/setup/booking-page.entity.js';
import { byDate, type SlotPeriod } from '../html/slot-list.js';
import { dateOf, LAST_DAY, startOfDay } from '../../time/zone-time.js';
import { withAddedResources } from './added-resources.js';
import type { OpenPage } from './open-pages.service.js';

const DAYS_PER_PAGE = 14;
/**
 * The most slots of a page, which ends with the day before more would be shown, so that it stays below 25 KB. A slot takes more space if
 * the host's time is shown, too.
 */
const SLOTS_PER_PAGE = { sameZone: 240, otherZone: 200 };
/** The days that a page without free times searches for the next one; the visitor can continue the search. */
const DAYS_AHEAD = 62;
/** The latest first day of a page, so that all days that are searched after it can be scheduled. */
const LATEST_DAY = plusDays(LAST_DAY, -DAYS_PER_PAGE - DAYS_AHEAD);
/** A visitor who chose a time just before the minimum notice began may still book it. */
const GRACE_MINUTES = 10;
const MOST_NEAR = 5;

export interface Wanted {
  minutes: number;
  /** The resource that the visitor chose; null if they do not choose. */
  resourceId: string | null;
  /**
   * The event of the booking that is being moved: it does not conflict with itself, and the resources that a host added to it move with it.
   */
  ignoreEventId?: string | null;
}

/** The free times of a booking page. */
@Injectable()
export class FreeTimes {
  constructor(
    private readonly store: Store,
    private readonly finder: SlotFinder,
  ) {}

  within(open: OpenPage, wanted: Wanted, from: Date, to: Date, now: Date): Promise<FoundSlots> {
    return this.find(this.store.reader(open.ctx), open, wanted, { from, to, now });
  }

  /**
   * The slot that starts at this time, if it can be booked. If `reader` is a transaction that holds the locks, it stays free. There is none
   * if the page was given another mode meanwhile, in which others host its bookings.
   */
  async at(reader: SqlReader, open: OpenPage, wanted: Wanted, start: Date, now: Date): Promise<Slot | null> {
    const to = new Date(start.getTime() + 1);
    const { id, resource_mode } = open.page;
    const sameMode = sql`SELECT 1 FROM ${table(BookingPage)} p WHERE ${own('p')} AND p.id = ${id} AND p.resource_mode = ${resource_mode}`;
    if ((await reader.sql(sameMode)).length === 0) return null;
    const { slots } = await this.find(reader, open, wanted, { from: start, to, now, noticeGraceMinutes: GRACE_MINUTES });
    return slots[0] ?? null;
  }

  /** The five free times that are nearest to a time, in order. */
  async near(open: OpenPage, wanted: Wanted, start: Date, now: Date): Promise<Date[]> {
    const from = new Date(Math.max(now.getTime(), start.getTime() - 7 * DAY_MS));
    const { slots } = await this.within(open, wanted, from, new Date(from.getTime() + 2 * DAYS_PER_PAGE * DAY_MS), now);
    const distance = (at: number) => Math.abs(at - start.getTime());
    const nearest = slots.map((slot) => slot.start).sort((a, b) => distance(a) - distance(b));
    return nearest
      .slice(0, MOST_NEAR)
      .sort((a, b) => a - b)
      .map((at) => new Date(at));
  }

  /** Two weeks of free times from a date in the visitor's zone on and, if there are none, the next date with one. */
  async period(open: OpenPage, wanted: Wanted, zone: string, on: string | null, now: Date): Promise<SlotPeriod> {
    const today = dateOf(now, zone);
    const from = on === null || on < today || on > LATEST_DAY ? today : on;
    const end = plusDays(from, DAYS_PER_PAGE);
    const { slots, hours } = await this.within(open, wanted, startOfDay(from, zone), startOfDay(end, zone), now);
    const horizon = plusDays(today, Math.max(0, ...hours.map(({ horizon_days }) => horizon_days)) + 1);
    const found = byDate(
      slots.map((slot) => new Date(slot.start)),
      zone,
    );
    const days = withinPage(found, zone === open.calendar.timezone ? SLOTS_PER_PAGE.sameZone : SLOTS_PER_PAGE.otherZone);
    const next = days.length < found.length ? found[days.length].on : end;
    const hasLater = next <= horizon;
    return {
      from,
      until: plusDays(next, -1),
      days,
      earlier: from > today ? later(plusDays(from, -DAYS_PER_PAGE), today) : null,
      later: hasLater ? next : null,
      ...(slots.length === 0 && hasLater ? await this.next(open, wanted, zone, end, horizon, now) : { next: null, unsearched: null }),
    };
  }

  private async next(
    open: OpenPage,
    wanted: Wanted,
    zone: string,
    on: string,
    horizon: string,
    now: Date,
  ): Promise<Pick<SlotPeriod, 'next' | 'unsearched'>> {
    const end = plusDays(on, DAYS_AHEAD);
    const { slots } = await this.within(open, wanted, startOfDay(on, zone), startOfDay(end, zone), now);
    if (slots.length > 0) return { next: dateOf(new Date(slots[0].start), zone), unsearched: null };
    return { next: null, unsearched: end <= horizon ? end : null };
  }

  private async find(
    reader: SqlReader,
    { page, calendar }: OpenPage,
    { minutes, resourceId, ignoreEventId }: Wanted,
    range: { from: Date; to: Date; now: Date; noticeGraceMinutes?: number },
  ): Promise<FoundSlots> {
    const resourceIds = page.resource_mode === 'calendar' ? null : resourceId === null ? undefined : [resourceId];
    const setup = await this.finder.setup(reader, calendar.id, { ...range, resourceIds });
    const found = await this.finder.find(reader, setup, { ...range, durationMinutes: minutes, resourceIds, ignoreEventId });
    return ignoreEventId ? withAddedResources(reader, ignoreEventId, found, { ...range, minutes }) : found;
  }
}

function withinPage<D extends { starts: readonly Date[] }>(days: readonly D[], slots: number): D[] {
  let count = 0;
  const end = days.findIndex(({ starts }, index) => (count += starts.length) > slots && index > 0);
  return end === -1 ? [...days] : days.slice(0, end);
}

function later(one: string, other: string): string {
  return one > other ? one : other;
}
