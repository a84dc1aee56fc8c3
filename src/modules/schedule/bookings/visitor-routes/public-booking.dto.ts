import { BookingPageDto } from '../../booking-pages/booking-pages.dto.js';
import { EXAMPLE } from '../../model/core/example-ids.js';
import { SlotDto } from '../../availability/availability.dto.js';
import { Field, pickOf, responseOf, shownOf } from '../../../../kit/index.js';
import type { PublicPage } from '../html/booking-frame.js';
import { BookingDto } from '../dto/bookings.dto.js';

/** What a visitor can choose from. */
export class PublicResourceDto {
  @Field.uuid({
    description: 'Id to book with.',
    example: EXAMPLE.resource,
  })
  id: string;

  @Field.string({
    description: 'Name.',
    example: 'Room Ada',
  })
  name: string;
}

/** A booking page as visitors see it. */
export class PublicBookingPageDto extends pickOf(BookingPageDto, [
  'slug',
  'title',
  'text',
  'duration_minutes',
  'questions',
  'requires_confirmation',
]) {
  @Field.constant('public_booking_page')
  object: string;

  @Field.string({
    description: 'Name of the organization.',
    example: 'Acme GmbH',
  })
  organization: string;

  @Field.string({
    description: "IANA name of the host's time zone.",
    example: 'Europe/Berlin',
  })
  timezone: string;

  @Field.object(() => PublicResourceDto, {
    description: 'What visitors choose from; null if they do not choose.',
    example: undefined,
    nullable: true,
    list: { maxItems: 1000 },
  })
  resources: PublicResourceDto[] | null;

  @Field.boolean({
    description: 'Whether bookings are taken.',
    example: true,
  })
  open: boolean;

  static from(this: void, page: PublicPage, open: boolean): PublicBookingPageDto {
    const { hostZone, durations, resources, questions, requiresConfirmation } = page;
    return {
      ...responseOf(PublicBookingPageDto, page),
      timezone: hostZone,
      duration_minutes: [...durations],
      resources: resources === null ? null : [...resources],
      // what the organization does with an answer is its own affair
      questions: questions.map(({ custom_field: _, ...question }) => question),
      requires_confirmation: requiresConfirmation,
      open,
    };
  }
}

/** Which free times to list. */
export class PublicSlotsQuery {
  @Field.dateTime({
    description: 'Slots start at or after this time; now by default.',
    example: '2027-03-29T00:00:00Z',
    required: false,
  })
  from?: string;

  @Field.dateTime({
    description: 'Slots start before this time or the end of this day, UTC; 14 days later by default, 62 at most.',
    example: '2027-04-12T00:00:00Z',
    required: false,
    endOfDay: true,
  })
  to?: string;

  @Field.integer({
    description: 'One of the lengths of the page; the first by default.',
    example: 30,
    minimum: 5,
    maximum: 1440,
    required: false,
  })
  duration_minutes?: number;

  @Field.uuid({
    description: 'Chosen resource, where visitors choose; the first by default.',
    example: EXAMPLE.resource,
    required: false,
  })
  resource_id?: string;
}

/** A free time of a booking page. */
export class PublicSlotDto extends shownOf(SlotDto, {
  start_at: true,
  end_at: true,
  utc_offset: "Offset of the host's time zone from UTC at the start.",
}) {}

/** What a visitor books. */
export class CreatePublicBookingDto extends pickOf(PublicSlotsQuery, ['duration_minutes', 'resource_id']) {
  @Field.dateTime({
    description: 'Start of a free slot.',
    example: '2027-03-29T07:00:00Z',
  })
  start_at: string;

  @Field.string({
    description: 'IANA name of the time zone of the visitor.',
    example: 'Europe/Berlin',
    maxLength: 64,
    required: false,
  })
  timezone?: string;

  @Field.string({
    description: 'Name.',
    example: 'Ada Lovelace',
    maxLength: 200,
  })
  name: string;

  @Field.email({
    description: 'E-mail address.',
    example: 'ada@example.com',
  })
  email: string;

  @Field.string({
    description: 'Phone number.',
    example: '+49 30 901820',
    maxLength: 40,
    required: false,
  })
  phone?: string;

  @Field.string({
    description: 'Note to the host.',
    example: 'I come by train.',
    maxLength: 2_000,
    required: false,
  })
  notes?: string;

  @Field.map({
    description: 'Answers by key of the question; true for a ticked checkbox.',
    example: { topic: 'Sales' },
    required: false,
  })
  answers?: Record<string, unknown>;

  @Field.uuid({
    description: 'Any UUID: a request that is repeated with it books once.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2f40',
    required: false,
  })
  form_token?: string;

  @Field.string({
    description: 'Code from the mail, if the page asks for one.',
    example: '123456',
    maxLength: 20,
    required: false,
  })
  code?: string;

  @Field.string({
    description: 'Omit it or leave it empty: people do not see this field of the form.',
    example: '',
    minLength: 0,
    maxLength: 2_000,
    required: false,
  })
  website?: string;
}

/** The new start of a guest's booking. */
export class MovePublicBookingDto extends pickOf(CreatePublicBookingDto, ['start_at']) {}

/** A booking as its guest sees it. */
export class GuestBookingDto {
  @Field.object(() => BookingDto, {
    description: 'The booking.',
    example: undefined,
  })
  booking: BookingDto;

  @Field.string({
    description: 'Token of the guest: whoever has it can see, move and cancel the booking.',
    example: 'x'.repeat(43),
  })
  token: string;

  @Field.string({
    description: 'Page of the booking.',
    example: 'https://suite.example.com/b/manage/...',
    maxLength: 2_000,
  })
  url: string;
}
