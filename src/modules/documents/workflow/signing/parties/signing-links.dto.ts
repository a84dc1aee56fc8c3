import { Field } from '../../../../../kit/index.js';

export class CreateSigningLinkDto {
  @Field.string({
    description: 'Key of the party.',
    example: 'customer',
    maxLength: 63,
  })
  party: string;

  @Field.integer({
    description: 'Minutes to open it.',
    example: 10,
    minimum: 1,
    maximum: 60,
    required: false,
    default: 10,
  })
  expires_minutes?: number;
}

/** A link that opens the signing page of a party once, for example in a frame. */
export class SigningLinkDto {
  @Field.constant('signing_link')
  object: string;

  @Field.string({
    description: 'The link. Null in a replay.',
    example: 'https://suite.example.com/s/b1Zl0Q2Wm5nqY8xS3c7dK4fT6hJ9gR0vLpA-uE_iOwM',
    nullable: true,
  })
  url: string | null;

  @Field.dateTime({
    description: 'UTC.',
    example: '2026-11-21T09:40:00.000Z',
  })
  expires_at: string;
}
