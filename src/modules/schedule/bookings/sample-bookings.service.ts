import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Contexts, currentTime, DAY_MS, type Ctx } from '../../../kit/index.js';
import { BookingPages } from '../booking-pages/booking-pages.service.js';
import { ScheduleErrors } from '../model/core/schedule.errors.js';
import type { Booking } from '../model/records/booking.entity.js';
import type { BookingQuestion } from '../model/setup/booking-page.entity.js';
import { BookingService } from './lifecycle/booking.service.js';
import { FreeTimes } from './free-times/free-times.service.js';
import { OpenPages } from './free-times/open-pages.service.js';

const DAYS_AHEAD = 62;

/** Books in test mode, which no visitor can: for trying out webhooks and reading bookings with test keys. */
@Injectable()
export class SampleBookings {
  constructor(
    private readonly bookingPages: BookingPages,
    private readonly contexts: Contexts,
    private readonly pages: OpenPages,
    private readonly times: FreeTimes,
    private readonly bookings: BookingService,
  ) {}

  /** Takes the first free time. */
  async make(member: Ctx, pageId: string): Promise<Booking> {
    const page = await this.bookingPages.get(member, pageId);
    const tenant = { organizationId: member.organizationId, projectId: page.project_id, mode: 'test' as const };
    const ctx = this.contexts.guest(tenant, GUEST.email, member.requestId);
    const open = await this.pages.of(ctx, '', page);
    const wanted = { minutes: page.duration_minutes[0], resourceId: open.choices.at(0)?.id ?? null };
    const now = currentTime();
    const until = new Date(now.getTime() + DAYS_AHEAD * DAY_MS);
    const { slots } = open.isOpen ? await this.times.within(open, wanted, now, until, now) : { slots: [] };
    const outcome =
      slots.length > 0 &&
      (await this.bookings.book(open, {
        ...wanted,
        start: new Date(slots[0].start),
        zone: open.calendar.timezone,
        guest: { ...GUEST, answers: Object.fromEntries(page.questions.map((question) => [question.key, answerTo(question)])) },
        formToken: randomUUID(),
        address: null,
        code: '',
      }));
    if (!outcome || outcome.kind !== 'booked')
      throw ScheduleErrors.slotUnavailable({ message: `The page has no free time in test mode within the next ${DAYS_AHEAD} days.` });
    return outcome.booking;
  }
}

const GUEST = { name: 'Sample Guest', email: 'sample.guest@example.com', phone: null, notes: null };

function answerTo({ kind, options = [] }: BookingQuestion): string | boolean {
  return kind === 'checkbox' ? true : kind === 'choice' ? options[0] : 'Sample answer';
}
