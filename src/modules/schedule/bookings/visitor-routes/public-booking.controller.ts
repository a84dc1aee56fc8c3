import { randomUUID } from 'node:crypto';
import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { CommonErrors, Public, Settings, Visitor, type FormProblem, type ListBody } from '../../../../kit/index.js';
import { ScheduleErrors } from '../../model/core/schedule.errors.js';
import { utcOffsetAt } from '../../time/zone-time.js';
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
  PublicSlotsQuery,
} from './public-booking.dto.js';
import { choiceOf, publicPageOf } from './public-views.js';

/** Every booking has its token in the response, beside text that a visitor typed. */
const CHANGE = { callsPerMinute: 10, secrets: true };
const DAY_MS = 86_400_000;
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

interface SlotBody {
  start_at: string;
  end_at: string;
  utc_offset: string;
}

/** Booking for pages that others build: the same services as the HTML pages. */
@Controller('/api/v1/public/booking')
export class PublicBookingController {
  constructor(
    private readonly pages: OpenPages,
    private readonly times: FreeTimes,
    private readonly bookings: BookingService,
    private readonly guests: GuestBookings,
    private readonly settings: Settings,
  ) {}

  @Get('manage/:token')
  @Public('The guest of a booking may read it by the token of the mailed link', { secrets: true })
  async show(@Param('token') token: string): Promise<GuestBookingDto> {
    return this.dto(await this.guests.find(token));
  }

  @Post('manage/:token/cancel')
  @HttpCode(200)
  @Public('The guest of a booking may cancel it by the token of the mailed link', CHANGE)
  async cancel(@Param('token') token: string, @Visitor() { requestId }: Visitor): Promise<GuestBookingDto> {
    const found = await this.guests.find(token, requestId);
    return this.dto({ ...found, booking: await this.guests.cancel(found) });
  }

  @Post('manage/:token/reschedule')
  @HttpCode(200)
  @Public('The guest of a booking may move it by the token of the mailed link', CHANGE)
  async reschedule(
    @Param('token') token: string,
    @Body() { start_at }: MovePublicBookingDto,
    @Visitor() { requestId }: Visitor,
  ): Promise<GuestBookingDto> {
    const found = await this.guests.find(token, requestId);
    return this.dto({ ...found, booking: await this.guests.reschedule(found, new Date(start_at)) });
  }

  @Get(':slug')
  @Public('Anyone may read what a booking page offers')
  async page(@Param('slug') slug: string): Promise<PublicBookingPageDto> {
    const open = await this.pages.find(slug);
    return PublicBookingPageDto.from(publicPageOf(open), open.isOpen);
  }

  @Get(':slug/slots')
  @Public('Anyone may read the free times of a booking page')
  async slots(@Param('slug') slug: string, @Query() query: PublicSlotsQuery): Promise<ListBody<SlotBody>> {
    const open = await this.pages.find(slug);
    const now = new Date();
    const from = query.from === undefined ? now : new Date(query.from);
    const to = query.to === undefined ? new Date(from.getTime() + 14 * DAY_MS) : new Date(query.to);
    if (to <= from || to.getTime() - from.getTime() > MOST_DAYS * DAY_MS)
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

  @Post(':slug/bookings')
  @Public('Anyone may book a time; bookings are limited per IP address and per guest', CHANGE)
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
    const start = new Date(body.start_at);
    const outcome = await this.bookings.book(open, { ...choice, start, guest, formToken: body.form_token ?? randomUUID(), address, code });
    if (outcome.kind === 'booked') return this.dto({ open, booking: outcome.booking, token: outcome.token, resource: null });
    if (outcome.kind === 'taken') {
      const near = await this.times.near(open, choice, start, new Date());
      throw ScheduleErrors.slotUnavailable({ param: 'start_at', extra: { slots: near.map((at) => at.toISOString()) } });
    }
    if (outcome.kind === 'limited')
      throw CommonErrors.rateLimited({ message: LIMITED[outcome.limit], headers: { 'Retry-After': DAY_SECONDS } });
    throw ScheduleErrors.codeRequired({ param: 'code', message: CODE_NEEDED[outcome.verdict] });
  }

  private dto({ booking, token }: GuestBooking): GuestBookingDto {
    return { booking: BookingDto.from(booking), token, url: `${this.settings.baseUrl}/b/manage/${token}` };
  }
}

/** Unlike in an address that a visitor opens, what is not offered is refused. */
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
