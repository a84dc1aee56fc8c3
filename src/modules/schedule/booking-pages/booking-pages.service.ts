import { Injectable } from '@nestjs/common';
import { CommonErrors, Settings, Store, type Ctx, type ErrorDetail, type ListBody, listBody } from '../../../kit/index.js';
import { BookingPage } from '../model/setup/booking-page.entity.js';
import { Calendar } from '../model/setup/calendar.entity.js';
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
  ) {}

  dto(page: BookingPage): BookingPageDto {
    return BookingPageDto.from(page, this.settings.baseUrl);
  }

  get(ctx: Ctx, id: string): Promise<BookingPage> {
    return this.store.get(ctx, BookingPage, id);
  }

  async page(ctx: Ctx, query: BookingPagesQuery): Promise<ListBody<BookingPageDto>> {
    return listBody(await this.store.page(ctx, BookingPage, query), (one) => this.dto(one));
  }

  create(ctx: Ctx, body: CreateBookingPageDto): Promise<BookingPage> {
    check(body);
    return this.store.write(ctx, async (tx) => {
      const calendar = await tx.find(Calendar, body.calendar_id);
      if (!calendar)
        throw CommonErrors.validationFailed({ param: 'calendar_id', message: 'calendar_id names no calendar of this organization.' });
      const { text = null, questions = [], ...rest } = body;
      return tx.insert(BookingPage, { ...rest, text, questions: questions.map(stored), project_id: calendar.project_id });
    });
  }

  update(ctx: Ctx, id: string, body: UpdateBookingPageDto): Promise<BookingPage> {
    check(body);
    const { questions, ...rest } = body;
    return this.store.write(ctx, async (tx) =>
      tx.update(await tx.target(BookingPage, id), { ...rest, ...(questions && { questions: questions.map(stored) }) }),
    );
  }

  /** Bookings refer to their page, so one with bookings can only be disabled. */
  delete(ctx: Ctx, id: string): Promise<void> {
    return this.store.write(ctx, async (tx) => {
      const page = await tx.target(BookingPage, id);
      const [used] = await tx.query('SELECT 1 FROM schedule_bookings WHERE page_id = $1 LIMIT 1', [id]);
      if (used) throw CommonErrors.resourceConflict({ message: 'A booking page with bookings cannot be deleted; set enabled to false.' });
      await tx.delete(page);
    });
  }
}

function stored({ key, label, kind, required = false, options }: BookingQuestionDto) {
  return { key, label, kind, required, ...(options && { options }) };
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
