import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  currentTime,
  CustomFieldCatalog,
  DomainError,
  newToken,
  Settings,
  Store,
  type CustomFieldValues,
  type FormProblem,
  type Tx,
} from '../../../../kit/index.js';
import { publish } from '../../calendars/publish.js';
import { eventView } from '../../event-views/event-view.js';
import { EventWriter } from '../../events/event-writer.js';
import { timeOf } from '../../events/event-time.js';
import { ScheduleErrors } from '../../model/core/schedule.errors.js';
import { Booking, BOOKING_FIELDS } from '../../model/records/booking.entity.js';
import { Invitee } from '../../model/records/invitee.entity.js';
import { Resource } from '../../model/setup/resource.entity.js';
import { lockCalendarsAndResources } from '../../model/setup/schedule-locks.js';
import { BookingDto } from '../dto/bookings.dto.js';
import { BookingEvents } from '../dto/bookings.events.js';
import { answeredFields, refusedAnswers } from './answered-fields.js';
import type { GuestInput } from './guest-input.js';
import { FreeTimes, type Wanted } from '../free-times/free-times.service.js';
import type { OpenPage } from '../free-times/open-pages.service.js';
import { BookingCodes, type CodeVerdict } from './booking-codes.service.js';
import { exceededLimit, isSurging, type LimitExceeded } from './booking-limits.js';
import { BookingChanges } from './booking-changes.service.js';
import { leastBusy } from './least-busy.js';

export interface BookingRequest extends Wanted {
  start: Date;
  /** The guest's zone. */
  zone: string;
  guest: GuestInput;
  /** A form that is sent twice books once. */
  formToken: string;
  /** `Visitor.limitKey`; null for a sample. */
  address: string | null;
  code: string;
}

export type BookingOutcome =
  | { kind: 'booked'; booking: Booking; token: string }
  | { kind: 'unavailable' }
  | { kind: 'refused'; problems: FormProblem[] }
  | { kind: 'limited'; limit: LimitExceeded }
  | { kind: 'code'; verdict: Exclude<CodeVerdict, 'right' | 'address_limited'> };

/** Books times of booking pages. */
@Injectable()
export class BookingService {
  constructor(
    private readonly store: Store,
    private readonly times: FreeTimes,
    private readonly codes: BookingCodes,
    private readonly changes: BookingChanges,
    private readonly writer: EventWriter,
    private readonly settings: Settings,
    private readonly customFields: CustomFieldCatalog,
  ) {}

  async book(open: OpenPage, request: BookingRequest): Promise<BookingOutcome> {
    const { ctx } = open;
    const form_token = storedFormToken(request.formToken);
    const proof = await this.store.write(ctx, (tx) => this.admit(tx, open, request, form_token));
    if (proof) return proof;
    try {
      return await this.store.write(ctx, (tx) => this.write(tx, open, request, form_token));
    } catch (error) {
      const problems = error instanceof DomainError ? refusedAnswers(error, open.page.questions) : null;
      if (problems) return { kind: 'refused', problems };
      // somebody else has booked the time in the meantime
      if (isConflict(error)) return { kind: 'unavailable' };
      throw error;
    }
  }

  /** Checks the booking before anything is locked, which rejects most visitors whose slot was just taken. Null if it is possible. */
  private async admit(tx: Tx, open: OpenPage, request: BookingRequest, form_token: string): Promise<BookingOutcome | null> {
    const { ctx, page } = open;
    const [earlier] = await tx.list(Booking, { page_id: page.id, form_token });
    if (earlier) return this.booked(earlier);
    if (!(await this.times.at(tx, open, request, request.start, currentTime()))) return { kind: 'unavailable' };
    const { address, code, guest } = request;
    if (address === null || !(page.verify_email || (await isSurging(tx, page)))) return null;
    // before a mail is sent, because anyone can enter a stranger's address
    const limit = await exceededLimit(ctx, tx, address, guest.email);
    if (limit) return { kind: 'limited', limit };
    const verdict = await this.codes.check(tx, open, { email: guest.email, code, address });
    if (verdict === 'address_limited') return { kind: 'limited', limit: 'address' };
    return verdict === 'right' ? null : { kind: 'code', verdict };
  }

  private async write(tx: Tx, open: OpenPage, request: BookingRequest, form_token: string): Promise<BookingOutcome> {
    const { ctx, page, calendar } = open;
    const { start, minutes, guest, address } = request;
    if (address !== null) {
      const limit = await exceededLimit(ctx, tx, address, guest.email);
      if (limit) return { kind: 'limited', limit };
    }
    await lockCalendarsAndResources(ctx, tx, [calendar.id], await this.resourceCandidates(tx, open, request));
    const [earlier] = await tx.list(Booking, { page_id: page.id, form_token });
    if (earlier) return this.booked(earlier);
    const slot = await this.times.at(tx, open, request, start, currentTime());
    if (!slot) return { kind: 'unavailable' };
    const resource_id = slot.resourceIds.length === 0 ? null : await leastBusy(tx, slot.resourceIds, start);
    const end_at = new Date(start.getTime() + minutes * 60_000);
    const status = page.requires_confirmation ? 'pending' : 'confirmed';
    const event = await this.writer.create(ctx, tx, {
      calendar,
      time: timeOf({ start_at: start.toISOString(), end_at: end_at.toISOString(), all_day: false }, calendar.timezone),
      title: page.title,
      status: status === 'pending' ? 'tentative' : 'confirmed',
      resource_ids: resource_id === null ? [] : [resource_id],
    });
    const { token, hash } = newToken();
    const booking = await tx.insert(Booking, {
      project_id: page.project_id,
      calendar_id: calendar.id,
      page_id: page.id,
      event_id: event.id,
      resource_id,
      guest_name: guest.name,
      guest_email: guest.email,
      guest_phone: guest.phone,
      guest_timezone: request.zone,
      guest_notes: guest.notes,
      answers: guest.answers,
      // visitors fill in those that questions name
      custom_fields: await tx.customFields.ofNew(Booking, await this.fieldsOf(open, guest), {
        projectId: page.project_id,
        isComplete: false,
      }),
      start_at: start,
      end_at,
      status,
      form_token,
      token_hash: hash,
      token_sealed: this.settings.encrypt(token),
      address,
    });
    await tx.insert(Invitee, {
      project_id: page.project_id,
      event_id: event.id,
      email: guest.email,
      name: guest.name,
      response: 'accepted',
      responded_at: tx.startedAt,
    });
    const withGuest = await tx.update(event, { invitee_count: 1 });
    publish(tx, calendar, BookingEvents.bookingCreated, {
      object: BookingDto.from(booking),
      context: { event: eventView(withGuest) },
    });
    const notice = status === 'pending' ? 'requested' : 'booked';
    await this.changes.notify(ctx, tx, booking, withGuest, { guest: notice, host: notice, isCertain: status === 'confirmed' });
    return { kind: 'booked', booking, token };
  }

  private async fieldsOf({ ctx, page }: OpenPage, { answers }: GuestInput): Promise<CustomFieldValues> {
    const names = page.questions.some(({ custom_field }) => custom_field !== undefined);
    if (!names) return {};
    return answeredFields(answers, page.questions, await this.customFields.definitions(ctx, BOOKING_FIELDS, page.project_id));
  }

  /** All resources that may be chosen for the booking, so that the choice is made under their locks. */
  private async resourceCandidates(tx: Tx, { page, calendar }: OpenPage, { resourceId }: BookingRequest): Promise<string[]> {
    if (page.resource_mode === 'calendar') return [];
    if (resourceId !== null) return [resourceId];
    return (await tx.list(Resource, { calendar_id: calendar.id, active: true })).map(({ id }) => id);
  }

  private booked(booking: Booking): BookingOutcome {
    if (booking.token_sealed === null) throw new Error('A booking of a form has its link.');
    return { kind: 'booked', booking, token: this.settings.decrypt(booking.token_sealed) };
  }
}

/** Whether a write failed because the time is taken. */
export function isConflict(error: unknown): boolean {
  const conflicts: readonly string[] = [ScheduleErrors.resourceConflict.spec.code, ScheduleErrors.scheduleConflict.spec.code];
  return error instanceof DomainError && conflicts.includes(error.spec.code);
}

/** Not the token itself, which would give access to the booking to anyone who sends the form again. */
function storedFormToken(token: string): string {
  const hex = createHash('sha256').update(`booking form ${token}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
