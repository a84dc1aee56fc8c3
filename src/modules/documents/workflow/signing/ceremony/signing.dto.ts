import { Field } from '../../../../../kit/index.js';

const CODE = {
  description: 'The code from the second mail, if the party needs one.',
  example: '042817',
  minLength: 0,
  maxLength: 20,
  required: false,
} as const;

/** What a party has filled in so far. */
export class FieldsDto {
  @Field.map({
    description: 'What was entered into fields of the party, by key.',
    example: { place: 'Berlin' },
    required: false,
  })
  fields?: Record<string, unknown>;
}

/** The form for signing. The page shows errors next to their fields. */
export class SignDto extends FieldsDto {
  @Field.string({
    description: 'typed, drawn or uploaded.',
    example: 'typed',
    minLength: 0,
    maxLength: 10,
    required: false,
  })
  kind?: string;

  @Field.string({
    description: 'The typed name, as the signature.',
    example: 'Ada Lovelace',
    minLength: 0,
    maxLength: 200,
    required: false,
  })
  typed_name?: string;

  @Field.string({
    description: 'The drawn signature as a data URL of a PNG.',
    example: 'data:image/png;base64,iVBORw0KGgo=',
    minLength: 0,
    maxLength: 360_000,
    required: false,
  })
  drawing?: string;

  @Field.string({
    description: 'The typeface of a typed signature and typed initials: plain, pen or script.',
    example: 'pen',
    minLength: 0,
    maxLength: 10,
    required: false,
  })
  face?: string;

  @Field.string({
    description: 'The uploaded picture of a signature as a data URL of a PNG or JPEG.',
    example: 'data:image/jpeg;base64,/9j/4AAQSkZJRg==',
    minLength: 0,
    maxLength: 450_000,
    required: false,
  })
  picture?: string;

  @Field.string({
    description: 'How initials are given, if the party has places for them: typed, drawn or uploaded.',
    example: 'typed',
    minLength: 0,
    maxLength: 10,
    required: false,
  })
  initials_kind?: string;

  @Field.string({
    description: 'The typed initials.',
    example: 'AL',
    minLength: 0,
    maxLength: 20,
    required: false,
  })
  initials?: string;

  @Field.string({
    description: 'The drawn initials as a data URL of a PNG.',
    example: 'data:image/png;base64,iVBORw0KGgo=',
    minLength: 0,
    maxLength: 360_000,
    required: false,
  })
  initials_drawing?: string;

  @Field.string({
    description: 'The uploaded picture of initials as a data URL of a PNG or JPEG.',
    example: 'data:image/jpeg;base64,/9j/4AAQSkZJRg==',
    minLength: 0,
    maxLength: 450_000,
    required: false,
  })
  initials_picture?: string;

  @Field.string({
    description: 'yes if the consent is checked.',
    example: 'yes',
    minLength: 0,
    maxLength: 10,
    required: false,
  })
  consent?: string;

  @Field.string(CODE)
  code?: string;
}

/** The form for declining. */
export class DeclineDto {
  @Field.string({
    description: 'The reason.',
    example: 'Clause 4 is not what we agreed on.',
    minLength: 0,
    maxLength: 2_000,
    required: false,
  })
  reason?: string;

  @Field.string(CODE)
  code?: string;
}

/** The form for passing the document on. */
export class DelegateDto {
  @Field.string({
    description: 'The name of the person who signs instead.',
    example: 'Grace Hopper',
    minLength: 0,
    maxLength: 200,
    required: false,
  })
  delegate_name?: string;

  @Field.string({
    description: 'Their e-mail address.',
    example: 'grace@example.com',
    minLength: 0,
    maxLength: 254,
    required: false,
  })
  delegate_email?: string;

  @Field.string(CODE)
  code?: string;
}
