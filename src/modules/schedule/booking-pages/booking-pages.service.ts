import { Injectable } from '@nestjs/common';
import {
  CommonErrors,
  CustomFieldCatalog,
  invalid,
  own,
  Settings,
  Store,
  sql,
  table,
  type Ctx,
  type ErrorDetail,
  type ListBody,
  type Tx,
  listBody,
} from '../../../kit/index.js';
import { CalendarAccess, inManagedCalendar, requireManaged } from '../calendars/calendar-access.js';
import { lockCalendar, lockPerson } from '../model/setup/schedule-locks.js';
import { Booking, BOOKING_FIELDS } from '../model/records/booking.entity.js';
import { BookingPage } from '../model/setup/booking-page.entity.js';
import { requireFreeHostOfPage } from '../occupancies/person-changes.js';
import {
  BookingPageDto,
  type BookingPagesQuery,
  type BookingQuestionDto,
  type CreateBookingPageDto,
  type UpdateBookingPageDto,
} from './booking-pages.dto.js';

/** Manages booking pages. */
@Injectable()
export class BookingPages {
  constructor(
    private readonly store: Store,
    private readonly settings: Settings,
    private readonly calendars: CalendarAccess,
    private readonly customFields: CustomFieldCatalog,
  ) {}

  dto(page: BookingPage): BookingPageDto {
    return BookingPageDto.from(page, this.settings.baseUrl);
  }

  async get(ctx: Ctx, id: string): Promise<BookingPage> {
    const page = await this.store.get(ctx, BookingPage, id);
    requireManaged(ctx, await this.calendars.get(ctx, page.calendar_id));
    return page;
  }

  async page(ctx: Ctx, query: BookingPagesQuery): Promise<ListBody<BookingPageDto>> {
    return listBody(await this.store.page(ctx, BookingPage, query, inManagedCalendar(ctx)), (one) => this.dto(one));
  }

  create(ctx: Ctx, body: CreateBookingPageDto): Promise<BookingPage> {
    check(body);
    return this.store.write(ctx, async (tx) => {
      const calendar = requireManaged(ctx, await this.calendars.named(ctx, body.calendar_id, tx));
      const { text = null, questions = [], ...rest } = body;
      await this.requireCustomFields(ctx, calendar.project_id, questions);
      return tx.insert(BookingPage, { ...rest, text, questions: questions.map(stored), project_id: calendar.project_id });
    });
  }

  update(ctx: Ctx, id: string, body: UpdateBookingPageDto): Promise<BookingPage> {
    check(body);
    const { questions, ...rest } = body;
    return this.store.write(ctx, async (tx) => {
      const owner = body.resource_mode === 'calendar' ? await this.lockOwner(ctx, tx, id) : null;
      const page = await this.target(ctx, tx, id);
      const { resource_mode } = page;
      await this.requireCustomFields(ctx, page.project_id, questions);
      const changed = await tx.update(page, { ...rest, ...(questions && { questions: questions.map(stored) }) });
      if (owner !== null && resource_mode !== 'calendar') await requireFreeHostOfPage(tx, changed, owner);
      return changed;
    });
  }

  /** Bookings refer to their page, so one with bookings can only be disabled. */
  delete(ctx: Ctx, id: string): Promise<void> {
    return this.store.write(ctx, async (tx) => {
      const page = await this.target(ctx, tx, id);
      const [used] = await tx.sql(
        sql.inBothModes(
          'whether a page has bookings of either mode',
        )`SELECT 1 FROM ${table(Booking)} b WHERE ${own('b')} AND b.page_id = ${id} LIMIT 1`,
      );
      if (used) throw CommonErrors.resourceConflict({ message: 'A booking page with bookings cannot be deleted; set enabled to false.' });
      await tx.delete(page);
    });
  }

  /** The owner of the page's calendar, under the locks for a change of who hosts its bookings. */
  private async lockOwner(ctx: Ctx, tx: Tx, id: string): Promise<string | null> {
    const { calendar_id } = await tx.get(BookingPage, id);
    requireManaged(ctx, await this.calendars.get(ctx, calendar_id, tx));
    await lockCalendar(ctx, tx, calendar_id);
    const { owner_member_id } = await this.calendars.get(ctx, calendar_id, tx);
    if (owner_member_id !== null) await lockPerson(ctx, tx, owner_member_id);
    return owner_member_id;
  }

  private async requireCustomFields(ctx: Ctx, projectId: string, questions: readonly BookingQuestionDto[] = []): Promise<void> {
    if (questions.every(({ custom_field }) => custom_field === undefined)) return;
    const known = (await this.customFields.definitions(ctx, BOOKING_FIELDS, projectId)).map(({ key }) => key);
    const unknown = questions.findIndex(({ custom_field }) => custom_field !== undefined && !known.includes(custom_field));
    if (unknown >= 0) throw invalid(`questions.${unknown}.custom_field`, 'must be the key of a custom field of bookings', known);
  }

  private async target(ctx: Ctx, tx: Tx, id: string): Promise<BookingPage> {
    const { calendar_id } = await tx.get(BookingPage, id);
    requireManaged(ctx, await this.calendars.get(ctx, calendar_id, tx));
    return tx.target(BookingPage, id);
  }
}

function stored({ key, label, kind, required = false, options, custom_field }: BookingQuestionDto) {
  return { key, label, kind, required, ...(options && { options }), ...(custom_field !== undefined && { custom_field }) };
}

/** `/b/manage/...` leads to bookings. */
const RESERVED_SLUG = 'manage';

function check({ slug, questions = [], duration_minutes = [] }: UpdateBookingPageDto): void {
  const details: ErrorDetail[] = [];
  const fault = (param: string, message: string) => details.push({ param, code: 'invalid', message: `${param} ${message}` });
  if (slug === RESERVED_SLUG) fault('slug', 'must not be "manage".');
  questions.forEach(({ key, kind, options = [] }, index) => {
    if (questions.findIndex((one) => one.key === key) < index) fault(`questions.${index}.key`, 'is the key of an earlier question.');
    if ((kind === 'choice') !== options.length > 0)
      fault(`questions.${index}.options`, 'must be given for the kind choice, and for no other.');
    if (new Set(options).size < options.length) fault(`questions.${index}.options`, 'must not repeat an option.');
  });
  if (new Set(duration_minutes).size < duration_minutes.length) fault('duration_minutes', 'must not repeat a length.');
  if (details.length > 0) throw CommonErrors.validationFailed({ param: details[0].param, message: details[0].message, details });
}
