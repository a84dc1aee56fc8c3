import { Field, pickOf } from '../../../../kit/index.js';
import { EXAMPLE } from '../../model/core/example-ids.js';

const text = (description: string, example: string, maxLength: number) => ({
  description,
  example,
  minLength: 0,
  maxLength,
  required: false,
});

/** What a visitor has chosen; part of the address. Values are strings, as a form sends them. */
export class ChoiceQuery {
  @Field.date({
    description: 'First date to show.',
    example: '2027-03-29',
    required: false,
  })
  on?: string;

  @Field.string({
    description: 'IANA name of the time zone in which times are shown.',
    example: 'Europe/Berlin',
    maxLength: 64,
    required: false,
  })
  tz?: string;

  @Field.string({
    description: 'Length in minutes.',
    example: '30',
    pattern: '^[1-9][0-9]{0,3}$',
    required: false,
  })
  minutes?: string;

  @Field.uuid({
    description: 'Chosen resource.',
    example: EXAMPLE.resource,
    required: false,
  })
  resource_id?: string;

  @Field.oneOf(['all'], {
    description: 'Offer all time zones.',
    example: 'all',
    required: false,
  })
  zones?: 'all';
}

/** The chosen time as well. */
export class ChosenQuery extends ChoiceQuery {
  @Field.string({
    description: 'Start of the chosen time.',
    example: '2027-03-29T07:00Z',
    maxLength: 40,
    required: false,
  })
  start?: string;
}

/** The body that the form of a booking page sends. */
export class BookFormBody extends pickOf(ChosenQuery, ['tz', 'minutes', 'resource_id', 'start']) {
  @Field.string(text('Name.', 'Ada Lovelace', 1_000))
  name?: string;

  @Field.string(text('E-mail address.', 'ada@example.com', 1_000))
  email?: string;

  @Field.string(text('Phone number.', '+49 30 901820', 1_000))
  phone?: string;

  @Field.string(text('Note to the host.', 'I come by train.', 10_000))
  notes?: string;

  @Field.map({
    description: 'Answers by key of the question.',
    example: { topic: 'Sales' },
    required: false,
  })
  answers?: Record<string, unknown>;

  @Field.string(text('Code from the mail.', '123456', 100))
  code?: string;

  @Field.uuid({
    description: 'Token from the page.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2f40',
    required: false,
  })
  form_token?: string;

  @Field.string(text('Honeypot: hidden from people, filled in only by bots.', '', 10_000))
  website?: string;
}

/** The body that moves a booking. */
export class MoveFormBody extends pickOf(ChosenQuery, ['tz', 'start']) {}
