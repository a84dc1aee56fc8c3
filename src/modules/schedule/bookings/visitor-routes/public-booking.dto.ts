import { BookingQuestionDto } from '../../booking-pages/booking-pages.dto.js';
import { Field } from '../../../../kit/index.js';
import type { PublicPage } from '../html/booking-frame.js';
import { BookingDto } from '../dto/bookings.dto.js';

const RESOURCE = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d3a20';

/** What a visitor can choose from. */
export class PublicResourceDto {
  @Field.uuid({
    description: 'Id to book with.',
    example: RESOURCE,
  })
  id: string;

  @Field.string({
    description: 'Name.',
    example: 'Room Ada',
  })
  name: string;
}

/** A booking page as visitors see it. */
export class PublicBookingPageDto {
  @Field.constant('public_booking_page')
  object: string;

  @Field.string({
    description: 'Name of the organization.',
    example: 'Acme GmbH',
  })
  organization: string;

  @Field.string({
    description: 'Last part of its URL.',
    example: 'meet-grace',
  })
  slug: string;

  @Field.string({
    description: 'Heading.',
    example: 'Meet Grace',
  })
  title: string;

  @Field.string({
    description: 'Introduction.',
    example: 'Half an hour to talk.',
    maxLength: 5_000,
    nullable: true,
  })
  text: string | null;

  @Field.string({
    description: "IANA name of the host's time zone.",
    example: 'Europe/Berlin',
  })
  timezone: string;

  @Field.integer({
    description: 'Lengths to choose from, in minutes.',
    example: [30, 60],
    list: { maxItems: 10 },
  })
  duration_minutes: number[];

  @Field.object(() => PublicResourceDto, {
    description: 'What visitors choose from; null if they do not choose.',
    example: undefined,
    nullable: true,
    list: { maxItems: 1000 },
  })
  resources: PublicResourceDto[] | null;

  @Field.object(() => BookingQuestionDto, {
    description: 'Questions to visitors.',
    example: undefined,
    list: { maxItems: 20 },
  })
  questions: BookingQuestionDto[];

  @Field.boolean({
    description: 'Whether the host confirms each booking.',
    example: false,
  })
  requires_confirmation: boolean;

  @Field.boolean({
    description: 'Whether bookings are taken.',
    example: true,
  })
  open: boolean;

  static from(this: void, page: PublicPage, open: boolean): PublicBookingPageDto {
    const { organization, slug, title, text, hostZone, durations, resources, questions, requiresConfirmation } = page;
    return {
      object: 'public_booking_page',
      organization,
      slug,
      title,
      text,
      timezone: hostZone,
      duration_minutes: [...durations],
      resources: resources === null ? null : [...resources],
      questions: [...questions],
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
    description: 'Slots start before this time; 14 days later by default, 62 at most.',
    example: '2027-04-12T00:00:00Z',
    required: false,
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
    example: RESOURCE,
    required: false,
  })
  resource_id?: string;
}

/** A free time of a booking page. */
export class PublicSlotDto {
  @Field.dateTime({
    description: 'Start, UTC.',
    example: '2027-03-29T07:00:00.000Z',
  })
  start_at: string;

  @Field.dateTime({
    description: 'End, UTC.',
    example: '2027-03-29T08:00:00.000Z',
  })
  end_at: string;

  @Field.string({
    description: "Offset of the host's time zone from UTC at the start.",
    example: '+02:00',
    maxLength: 6,
  })
  utc_offset: string;
}

/** What a visitor books. */
export class CreatePublicBookingDto {
  @Field.dateTime({
    description: 'Start of a free slot.',
    example: '2027-03-29T07:00:00Z',
  })
  start_at: string;

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
    example: RESOURCE,
    required: false,
  })
  resource_id?: string;

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
    description: 'Leave it out, or empty: the field of the form that people do not see.',
    example: '',
    minLength: 0,
    maxLength: 2_000,
    required: false,
  })
  website?: string;
}

/** The new start of a guest's booking. */
export class MovePublicBookingDto {
  @Field.dateTime({
    description: 'Start of a free slot.',
    example: '2027-03-30T07:00:00Z',
  })
  start_at: string;
}

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
