import { randomUUID } from 'node:crypto';
import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import {
  CommonErrors,
  Endpoint,
  Public,
  Settings,
  Visitor,
  currentTime,
  DAY_MS,
  type FormProblem,
  type ListBody,
} from '../../../../kit/index.js';
import { ScheduleErrors } from '../../model/core/schedule.errors.js';
import { requireSchedulable, utcOffsetAt } from '../../time/zone-time.js';
import { BookingService } from '../lifecycle/booking.service.js';
import type { Choice } from '../html/booking-frame.js';
import { BookingDto } from '../dto/bookings.dto.js';
import { readGuest } from '../lifecycle/guest-input.js';
import { FreeTimes } from '../free-times/free-times.service.js';
import { OpenPages, type OpenPage } from '../free-times/open-pages.service.js';
import { GuestBookings, type GuestBooking } from './guest-bookings.service.js';
import {
  CreatePublicBookingDto,
  GuestBookingDto,
  MovePublicBookingDto,
  PublicBookingPageDto,
  PublicSlotDto,
  PublicSlotsQuery,
} from './public-booking.dto.js';
import { choiceOf, publicPageOf } from './public-views.js';

/** Responses contain the booking's token beside text that a visitor typed. */
const CHANGE = { callsPerMinute: 10, secrets: true };
const SLUG = ApiParam({
  name: 'slug',
  description: "Last part of the booking page's URL.",
  schema: { type: 'string', maxLength: 63, example: 'meet-grace' },
});
const TOKEN = ApiParam({
  name: 'token',
  description: 'Token of the guest: the last part of the mailed link.',
  schema: { type: 'string', maxLength: 100, example: 'x'.repeat(43) },
});
const DAY_SECONDS = '86400';
const MOST_DAYS = 62;

const LIMITED = {
  address: 'Too many appointments were booked, or codes requested, from this address today; try again tomorrow.',
  guest: 'The guest has as many upcoming appointments as one e-mail address can have; cancel one of them first.',
} as const;

const CODE_NEEDED = {
  sent: ScheduleErrors.codeRequired.spec.message,
  wrong: 'The code is wrong or no longer valid; send the newest one, or the request without a code to have a new one mailed.',
  too_many: 'Several codes were mailed to the guest in the last minutes, and no further one now; send the request with the newest one.',
} as const;

/** Booking for pages that others build: the same services as the HTML pages. */
@Controller('/api/v1/public')
export class PublicBookingController {
  constructor(
    private readonly pages: OpenPages,
    private readonly times: FreeTimes,
    private readonly bookings: BookingService,
    private readonly guests: GuestBookings,
    private readonly settings: Settings,
  ) {}

  @Get('bookings/:token')
  @Public('The guest of a booking may read it by the token of the mailed link', { secrets: true })
  @TOKEN
  @Endpoint({
    operation: 'get_public_booking',
    summary: "Get a guest's booking",
    returns: GuestBookingDto,
  })
  async show(@Param('token') token: string): Promise<GuestBookingDto> {
    return this.dto(await this.guests.find(token));
  }

  @Post('bookings/:token/cancel')
  @Public('The guest of a booking may cancel it by the token of the mailed link', CHANGE)
  @TOKEN
  @Endpoint({
    operation: 'cancel_public_booking',
    summary: "Cancel a guest's booking",
    returns: GuestBookingDto,
    errors: [ScheduleErrors.invalidTransition],
  })
  async cancel(@Param('token') token: string, @Visitor() { requestId }: Visitor): Promise<GuestBookingDto> {
    const found = await this.guests.find(token, requestId);
    return this.dto({ ...found, booking: await this.guests.cancel(found) });
  }

  @Post('bookings/:token/reschedule')
  @Public('The guest of a booking may move it by the token of the mailed link', CHANGE)
  @TOKEN
  @Endpoint({
    operation: 'reschedule_public_booking',
    summary: "Move a guest's booking to another free time",
    returns: GuestBookingDto,
    errors: [
      ScheduleErrors.invalidTransition,
      ScheduleErrors.slotUnavailable,
      ScheduleErrors.resourceConflict,
      ScheduleErrors.scheduleConflict,
    ],
  })
  async reschedule(
    @Param('token') token: string,
    @Body() { start_at }: MovePublicBookingDto,
    @Visitor() { requestId }: Visitor,
  ): Promise<GuestBookingDto> {
    const found = await this.guests.find(token, requestId);
    return this.dto({ ...found, booking: await this.guests.reschedule(found, requireSchedulable('start_at', new Date(start_at))) });
  }

  @Get('booking/:slug')
  @Public('Anyone may read what a booking page offers')
  @SLUG
  @Endpoint({
    operation: 'get_public_booking_page',
    summary: 'Get what a booking page offers',
    returns: PublicBookingPageDto,
  })
  async page(@Param('slug') slug: string): Promise<PublicBookingPageDto> {
    const open = await this.pages.find(slug);
    return PublicBookingPageDto.from(publicPageOf(open), open.isOpen);
  }

  @Get('booking/:slug/slots')
  @Public('Anyone may read the free times of a booking page')
  @SLUG
  @Endpoint({
    operation: 'list_public_booking_slots',
    summary: 'List the free times of a booking page',
    description: 'All of them in one response, at most 5,000.',
    returns: PublicSlotDto,
    list: true,
  })
  async slots(@Param('slug') slug: string, @Query() query: PublicSlotsQuery): Promise<ListBody<PublicSlotDto>> {
    const open = await this.pages.find(slug);
    const now = currentTime();
    const from = query.from === undefined ? now : new Date(query.from);
    const to = query.to === undefined ? new Date(from.getTime() + 14 * DAY_MS) : new Date(query.to);
    requireSchedulable('from', from);
    requireSchedulable(query.to === undefined ? 'from' : 'to', to);
    if (to <= from || Math.floor((to.getTime() - from.getTime()) / DAY_MS) > MOST_DAYS)
      throw CommonErrors.validationFailed({ param: 'to', message: `to must be after from, by at most ${MOST_DAYS} days` });
    const zone = open.calendar.timezone;
    const { slots } = open.isOpen ? await this.times.within(open, offeredChoice(open, query), from, to, now) : { slots: [] };
    const data = slots.map(({ start, end }) => ({
      start_at: new Date(start).toISOString(),
      end_at: new Date(end).toISOString(),
      utc_offset: utcOffsetAt(new Date(start), zone),
    }));
    return { object: 'list', data, has_more: false, next_cursor: null };
  }

  @Post('booking/:slug/bookings')
  @Public('Anyone may book a time; bookings are limited per IP address and per guest', CHANGE)
  @SLUG
  @Endpoint({
    operation: 'create_public_booking',
    summary: 'Book a free time',
    description: 'On 409 slot_unavailable, slots lists the nearest free times. On 403 code_required, send the mailed code as code.',
    returns: GuestBookingDto,
    status: 201,
    errors: [ScheduleErrors.slotUnavailable, ScheduleErrors.codeRequired, ScheduleErrors.calendarInactive],
  })
  async book(
    @Param('slug') slug: string,
    @Body() body: CreatePublicBookingDto,
    @Visitor() { limitKey: address, requestId }: Visitor,
  ): Promise<GuestBookingDto> {
    if (body.website) throw CommonErrors.validationFailed({ param: 'website', message: 'website must be left empty' });
    const open = await this.pages.find(slug, body.email, requestId);
    if (!open.isOpen) throw ScheduleErrors.calendarInactive({ message: 'No appointments can be booked on this page at the moment.' });
    const choice = offeredChoice(open, body);
    const { name, email, phone = '', notes = '', code = '' } = body;
    const answers = Object.fromEntries(
      Object.entries(body.answers ?? {}).map(([key, value]) => [key, value === true ? 'yes' : String(value)]),
    );
    const { guest, problems } = readGuest({ name, email, phone, notes, answers, code }, open.page.questions);
    if (problems.length > 0) throw invalid(problems);
    const start = requireSchedulable('start_at', new Date(body.start_at));
    const outcome = await this.bookings.book(open, { ...choice, start, guest, formToken: body.form_token ?? randomUUID(), address, code });
    if (outcome.kind === 'booked') return this.dto({ open, booking: outcome.booking, token: outcome.token, resource: null });
    if (outcome.kind === 'unavailable') {
      const near = await this.times.near(open, choice, start, currentTime());
      throw ScheduleErrors.slotUnavailable({ param: 'start_at', extra: { slots: near.map((at) => at.toISOString()) } });
    }
    if (outcome.kind === 'refused') throw invalid(outcome.problems);
    if (outcome.kind === 'limited')
      throw CommonErrors.rateLimited({ message: LIMITED[outcome.limit], headers: { 'Retry-After': DAY_SECONDS } });
    throw ScheduleErrors.codeRequired({ param: 'code', message: CODE_NEEDED[outcome.verdict] });
  }

  private dto({ booking, token }: GuestBooking): GuestBookingDto {
    return { booking: BookingDto.from(booking), token, url: `${this.settings.baseUrl}/b/manage/${token}` };
  }
}

/** Unlike in an address that a visitor opens, choices that are not offered are rejected. */
function offeredChoice(open: OpenPage, sent: { duration_minutes?: number; resource_id?: string; timezone?: string }): Choice {
  const choice = choiceOf(open, { tz: sent.timezone, minutes: String(sent.duration_minutes ?? ''), resource_id: sent.resource_id });
  const { duration_minutes: minutes } = open.page;
  if (sent.duration_minutes !== undefined && !minutes.includes(sent.duration_minutes))
    throw CommonErrors.validationFailed({
      param: 'duration_minutes',
      message: 'duration_minutes must be one of the lengths of the page',
      allowed: minutes.map(String),
    });
  if (sent.resource_id !== undefined && choice.resourceId !== sent.resource_id)
    throw CommonErrors.validationFailed({ param: 'resource_id', message: 'resource_id must be one of the resources of the page' });
  if (sent.timezone !== undefined && choice.zone.toLowerCase() !== sent.timezone.toLowerCase())
    throw CommonErrors.validationFailed({ param: 'timezone', message: 'timezone must be an IANA time zone, such as Europe/Berlin' });
  return choice;
}

function invalid(problems: readonly FormProblem[]): Error {
  const details = problems.map(({ field, text }) => {
    const param = field?.replace(/^q-/, 'answers.') ?? 'start_at';
    return { param, code: 'invalid', message: text };
  });
  return CommonErrors.validationFailed({ param: details[0].param, message: details[0].message, details });
}
