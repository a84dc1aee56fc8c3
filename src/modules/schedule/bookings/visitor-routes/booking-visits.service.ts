import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { currentTime, DomainError, invalid, redirect, type FileResponse, type FormProblem, type Visitor } from '../../../../kit/index.js';
import { ScheduleErrors } from '../../model/core/schedule.errors.js';
import { BookingService, type BookingOutcome } from '../lifecycle/booking.service.js';
import type { Choice } from '../html/booking-frame.js';
import { bookingFormPage, choosePage, closedPage, EMPTY_DRAFT, type BookingDraft, type BookingFormView } from '../html/booking-pages.js';
import { confirmMovePage, managePage, movePage, type ManagedBooking } from '../html/manage-pages.js';
import type { SlotListing } from '../html/slot-list.js';
import { readGuest } from '../lifecycle/guest-input.js';
import { FreeTimes } from '../free-times/free-times.service.js';
import { OpenPages, type OpenPage } from '../free-times/open-pages.service.js';
import { cannotCancel, cannotMove, GuestBookings, type GuestBooking } from './guest-bookings.service.js';
import { startOf } from '../html/slot-values.js';
import { choiceOf, publicPageOf } from './public-views.js';
import type { BookFormBody, ChoiceQuery, ChosenQuery, MoveFormBody } from './visits.dto.js';

const DAY_SECONDS = '86400';

/** The pages of booking pages and of bookings. */
@Injectable()
export class BookingVisits {
  constructor(
    private readonly pages: OpenPages,
    private readonly times: FreeTimes,
    private readonly bookings: BookingService,
    private readonly guests: GuestBookings,
  ) {}

  async choose(slug: string, query: ChoiceQuery): Promise<FileResponse> {
    const open = await this.pages.find(slug);
    if (!open.isOpen) return closedPage(publicPageOf(open));
    return choosePage(await this.listing(open, choiceOf(open, query), query, `/b/${slug}`, `/b/${slug}/book`, null));
  }

  /** Shows the form for a chosen time; one that is not free leads back to the list. */
  async form(slug: string, query: ChosenQuery): Promise<FileResponse> {
    const open = await this.pages.find(slug);
    if (!open.isOpen) return closedPage(publicPageOf(open));
    const start = startOf(query.start);
    if (start === null) return redirect(`/b/${slug}`);
    const choice = choiceOf(open, query);
    const view = { page: publicPageOf(open), choice, draft: EMPTY_DRAFT, formToken: randomUUID(), asksForCode: false, problems: [] };
    const isFree = (await this.times.near(open, choice, start, currentTime())).some((at) => at.getTime() === start.getTime());
    if (!isFree) return this.unavailable(open, view, start);
    return bookingFormPage({ ...view, start, alternatives: [], status: 200 });
  }

  async book(slug: string, body: BookFormBody, { limitKey: address, requestId }: Visitor): Promise<FileResponse> {
    const seen = await this.pages.find(slug);
    // a program that fills in the honeypot gets the success response
    if ((body.website ?? '') !== '') return redirect(`/b/${slug}`);
    if (!seen.isOpen) return closedPage(publicPageOf(seen));
    const draft = draftOf(body);
    const choice = choiceOf(seen, body);
    const start = startOf(body.start);
    const { guest, problems } = readGuest(draft, seen.page.questions);
    const formToken = body.form_token ?? randomUUID();
    const asksForCode = draft.code !== '' || seen.page.verify_email;
    const view = { page: publicPageOf(seen), choice, draft, formToken, asksForCode: draft.code !== '', problems };
    if (start === null || problems.length > 0) {
      const all = [...(start === null ? [{ field: null, text: 'Choose a time.' }] : []), ...problems];
      return bookingFormPage({ ...view, problems: all, start, alternatives: [], status: 400 });
    }
    const open = await this.pages.find(slug, guest.email, requestId);
    const request = { ...choice, start, guest, formToken, address, code: draft.code };
    const outcome = await this.bookings.book(open, request);
    if (outcome.kind === 'booked') return redirect(`/b/manage/${outcome.token}`);
    return this.rejected(open, { ...view, asksForCode }, start, outcome);
  }

  async show(token: string): Promise<FileResponse> {
    return managePage(managedOf(await this.guests.find(token)));
  }

  async cancel(token: string, { requestId }: Visitor): Promise<FileResponse> {
    const found = await this.guests.find(token, requestId);
    const problems = await refusalOf(() => this.guests.cancel(found));
    if (problems.length === 0) return redirect(`/b/manage/${token}`);
    return managePage(managedOf(await this.guests.find(token)), problems, 400);
  }

  /** The free times, or the question whether to move, if one is chosen. */
  async chooseAnother(token: string, query: ChosenQuery): Promise<FileResponse> {
    const found = await this.guests.find(token);
    const start = startOf(query.start);
    const now = currentTime();
    const reason = cannotMove(found, now);
    if (reason !== null) return managePage(managedOf(found), [{ field: null, text: reason }], 400);
    const choice = this.choiceFor(found, query);
    return start === null
      ? movePage(managedOf(found), await this.moveListing(found, choice, query))
      : confirmMovePage(managedOf(found), choice, start);
  }

  async move(token: string, body: MoveFormBody, { requestId }: Visitor): Promise<FileResponse> {
    const found = await this.guests.find(token, requestId);
    const start = startOf(body.start);
    if (start === null) throw invalid('start', 'must be a time such as 2027-03-29T07:00Z');
    try {
      await this.guests.reschedule(found, start);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      if (error.spec.code === ScheduleErrors.invalidTransition.spec.code)
        return managePage(managedOf(await this.guests.find(token)), [{ field: null, text: error.message }], 400);
      if (error.spec.code !== ScheduleErrors.slotUnavailable.spec.code) throw error;
      const text = 'Somebody else has just taken this time. Your appointment stays where it was; please choose another time.';
      const choice = this.choiceFor(found, body);
      return movePage(managedOf(found), await this.moveListing(found, choice, {}), [{ field: null, text }], 409);
    }
    return redirect(`/b/manage/${token}`);
  }

  private choiceFor(found: GuestBooking, query: { tz?: string }): Choice {
    const { booking, open } = found;
    const { minutes, resourceId } = this.guests.wanted(found);
    return { minutes, resourceId, zone: choiceOf(open, { tz: query.tz ?? booking.guest_timezone }).zone };
  }

  /** In the zone of the booking, which its mails are in, too. */
  private async moveListing(found: GuestBooking, choice: Choice, query: ChoiceQuery): Promise<SlotListing> {
    const path = `/b/manage/${found.token}/reschedule`;
    const { open } = found;
    // length and resource stay
    const fixed = { durations: [choice.minutes], resources: null };
    return { ...(await this.listing(open, choice, query, path, path, found.booking.event_id, fixed)), isZoneChosen: true };
  }

  private async listing(
    open: OpenPage,
    choice: Choice,
    query: ChoiceQuery,
    path: string,
    action: string,
    ignoreEventId: string | null,
    fixed = {},
  ): Promise<SlotListing> {
    const period = await this.times.period(open, { ...choice, ignoreEventId }, choice.zone, query.on ?? null, currentTime());
    const page = { ...publicPageOf(open), ...fixed };
    return { page, choice, period, path, action, showAllZones: query.zones === 'all', isZoneChosen: query.tz !== undefined };
  }

  private async rejected(
    open: OpenPage,
    view: Pick<BookingFormView, 'page' | 'choice' | 'draft' | 'formToken' | 'asksForCode' | 'problems'>,
    start: Date,
    outcome: Exclude<BookingOutcome, { kind: 'booked' }>,
  ): Promise<FileResponse> {
    if (outcome.kind === 'unavailable') return this.unavailable(open, view, start);
    const form = { ...view, start, alternatives: [] };
    if (outcome.kind === 'refused') return bookingFormPage({ ...form, status: 400, problems: outcome.problems });
    if (outcome.kind === 'limited') {
      const text =
        outcome.limit === 'address'
          ? 'Too many appointments were booked, or codes requested, from your network today. Please try again tomorrow.'
          : 'You have as many upcoming appointments here as one e-mail address can have. Cancel one of them first.';
      const headers = outcome.limit === 'address' ? { 'Retry-After': DAY_SECONDS } : undefined;
      return bookingFormPage({ ...form, status: 429, headers, rejection: { heading: 'It is not booked yet', text } });
    }
    if (outcome.verdict === 'sent') {
      const text = 'We have sent you a code. Enter it at the end of the form, then book once more.';
      return bookingFormPage({
        ...form,
        asksForCode: true,
        status: 403,
        rejection: { heading: 'Please confirm your e-mail address', text },
      });
    }
    const text =
      outcome.verdict === 'wrong'
        ? 'The code is wrong, or no longer valid.'
        : 'Several codes were sent to this address. Please use the newest one.';
    return bookingFormPage({ ...form, asksForCode: true, status: 403, problems: [{ field: 'code', text }] });
  }

  private async unavailable(
    open: OpenPage,
    view: Pick<BookingFormView, 'page' | 'choice' | 'draft' | 'formToken' | 'asksForCode' | 'problems'>,
    start: Date,
  ): Promise<FileResponse> {
    const alternatives = await this.times.near(open, view.choice, start, currentTime());
    const kept = view.draft === EMPTY_DRAFT ? '' : 'Your answers are still here. ';
    const advice = alternatives.length === 0 ? 'No time near it is free.' : 'Please choose one of the nearest free times below, then book.';
    const text = `${kept}${advice}`;
    return bookingFormPage({
      ...view,
      start: null,
      alternatives,
      status: ScheduleErrors.slotUnavailable.spec.status,
      rejection: { heading: 'This time is no longer free', text },
    });
  }
}

function draftOf({ name = '', email = '', phone = '', notes = '', answers = {}, code = '' }: BookFormBody): BookingDraft {
  const given = Object.entries(answers).flatMap(([key, value]) => (typeof value === 'string' ? [[key, value] as const] : []));
  return { name, email, phone, notes, answers: Object.fromEntries(given), code };
}

/** The booking as its guest sees it now. */
function managedOf(found: GuestBooking): ManagedBooking {
  const { open, booking, token, resource } = found;
  const now = currentTime();
  return {
    page: publicPageOf(open),
    token,
    status: booking.status,
    start: booking.start_at,
    end: booking.end_at,
    zone: booking.guest_timezone,
    resource,
    guest: { name: booking.guest_name, email: booking.guest_email },
    isMoved: booking.reschedule_count > 0,
    cannotCancel: cannotCancel(booking, open.page, now),
    cannotMove: cannotMove(found, now),
  };
}

async function refusalOf(action: () => Promise<unknown>): Promise<FormProblem[]> {
  try {
    await action();
    return [];
  } catch (error) {
    if (error instanceof DomainError && error.spec.code === ScheduleErrors.invalidTransition.spec.code)
      return [{ field: null, text: error.message }];
    throw error;
  }
}
