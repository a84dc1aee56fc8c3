import { bothOf, Field, Filter, Listing, ListQuery, partialOf, ResourceDto, responseOf, shownOf } from '../../../kit/index.js';
import { EXAMPLE } from '../model/core/example-ids.js';
import { DECLINE_ACTIONS, RESOURCE_MODES } from '../model/setup/booking-page.entity.js';
import type { BookingPage, BookingQuestion, DeclineAction, ResourceMode } from '../model/setup/booking-page.entity.js';

const QUESTION_KINDS = ['text', 'long_text', 'choice', 'checkbox'] as const;
export const SLUG_PATTERN = '^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$';

/** A question to visitors. */
export class BookingQuestionDto {
  @Field.string({
    description: 'Member of `answers`; unique on the page.',
    example: 'topic',
    pattern: '^[a-z][a-z0-9_]{0,39}$',
    maxLength: 40,
  })
  key: string;

  @Field.string({
    description: 'The question.',
    example: 'What would you like to talk about?',
  })
  label: string;

  @Field.oneOf(QUESTION_KINDS, {
    description: 'How it is answered.',
    example: 'text',
  })
  kind: BookingQuestion['kind'];

  @Field.boolean({
    description: 'Whether it must be answered; a checkbox must then be ticked.',
    example: true,
    required: false,
    default: false,
  })
  required: boolean;

  @Field.string({
    description: 'What can be chosen; required for the kind `choice`, and only allowed for it.',
    example: ['Sales', 'Support'],
    required: false,
    list: { maxItems: 50 },
  })
  options?: string[];

  @Field.string({
    description: 'Key of the custom field of bookings that the answer fills in, too.',
    example: 'region',
    required: false,
    maxLength: 63,
  })
  custom_field?: string;
}

/** The request body to create a booking page. */
export class CreateBookingPageDto {
  @Field.uuid({
    description: 'Calendar that visitors book times in; it never changes.',
    example: EXAMPLE.calendar,
  })
  calendar_id: string;

  @Field.string({
    description: 'Last part of its URL, /b/{slug}; unique across all organizations.',
    example: 'meet-grace',
    pattern: SLUG_PATTERN,
    maxLength: 63,
  })
  slug: string;

  @Field.boolean({
    description: 'Whether visitors can book.',
    example: true,
    required: false,
    default: true,
  })
  enabled?: boolean;

  @Field.string({
    description: 'Heading, and title of the events.',
    example: 'Meet Grace',
  })
  title: string;

  @Field.string({
    description: 'Introduction; an empty line begins a new paragraph.',
    example: 'Half an hour to talk about your project.',
    maxLength: 5_000,
    required: false,
    nullable: true,
  })
  text?: string | null;

  @Field.integer({
    description: 'Lengths that visitors choose from, in minutes; the first one is the default.',
    example: [30, 60],
    minimum: 5,
    maximum: 1440,
    list: { minItems: 1, maxItems: 10 },
  })
  duration_minutes: number[];

  @Field.oneOf(RESOURCE_MODES, {
    description:
      'calendar: a time of the calendar itself. visitor_chooses: visitors choose one of its active resources. least_busy: the ' +
      'resource with the fewest bookings around the time is chosen.',
    example: 'calendar',
    required: false,
    default: 'calendar',
  })
  resource_mode?: ResourceMode;

  @Field.object(() => BookingQuestionDto, {
    description: 'Questions to visitors, besides name, e-mail address, phone number and a note.',
    example: undefined,
    required: false,
    list: { maxItems: 20 },
  })
  questions?: BookingQuestionDto[];

  @Field.boolean({
    description: 'Whether a member confirms each booking; until then it is pending, and its time is taken.',
    example: false,
    required: false,
    default: false,
  })
  requires_confirmation?: boolean;

  @Field.boolean({
    description: 'Whether visitors must enter a code that is mailed to them.',
    example: false,
    required: false,
    default: false,
  })
  verify_email?: boolean;

  @Field.integer({
    description: 'Minutes before the start until which guests can reschedule and cancel.',
    example: 120,
    minimum: 0,
    maximum: 525_600,
    required: false,
    default: 0,
  })
  change_notice_minutes?: number;

  @Field.integer({
    description: 'How often a guest can reschedule a booking.',
    example: 3,
    minimum: 0,
    maximum: 100,
    required: false,
    default: 3,
  })
  max_reschedules?: number;

  @Field.oneOf(DECLINE_ACTIONS, {
    description:
      'What happens when a guest declines by the link in their calendar entry: `cancel` cancels the booking, `mark` gives it the status ' +
      '`declined`. Both free the time, unless change_notice_minutes have begun: then the answer is only recorded.',
    example: 'cancel',
    required: false,
    default: 'cancel',
  })
  decline_action?: DeclineAction;
}

/** The merge patch of a booking page; lists are replaced. */
export class UpdateBookingPageDto extends partialOf(CreateBookingPageDto, { omit: ['calendar_id'] }) {}

/** A public page on which anyone can book. */
export class BookingPageDto extends bothOf(
  ResourceDto,
  shownOf(CreateBookingPageDto, {
    calendar_id: 'Calendar that visitors book times in.',
    slug: true,
    enabled: true,
    title: true,
    text: true,
    duration_minutes: true,
    resource_mode: true,
    questions: true,
    requires_confirmation: true,
    verify_email: true,
    change_notice_minutes: true,
    max_reschedules: true,
    decline_action: true,
  }),
) {
  @Field.constant('booking_page')
  object: string;

  @Field.uuid({
    description: 'Project of the calendar.',
    example: EXAMPLE.project,
  })
  project_id: string;

  @Field.string({
    description: 'URL of the page.',
    example: 'https://suite.example.com/b/meet-grace',
    maxLength: 2_000,
  })
  url: string;

  static from(this: void, page: BookingPage, baseUrl: string): BookingPageDto {
    return { ...responseOf(BookingPageDto, page), url: `${baseUrl}/b/${page.slug}` };
  }
}

@Listing({
  sort: ['created_at'],
  defaultSort: 'created_at',
})
export class BookingPagesQuery extends ListQuery {
  @Filter.uuid({
    description: 'Only pages of these calendars.',
    example: [EXAMPLE.calendar],
  })
  calendar_id?: string[];

  @Filter.uuid({
    description: 'Only pages of these projects.',
    example: [EXAMPLE.project],
  })
  project_id?: string[];

  @Filter.string({
    description: 'Only the pages with these slugs.',
    example: ['meet-grace'],
  })
  slug?: string[];
}
