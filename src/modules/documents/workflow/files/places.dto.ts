import { Field } from '../../../../kit/index.js';

const POSITION = { minimum: 0, maximum: 1 } as const;

/** A place on a page. */
export class PlaceDto {
  @Field.integer({
    description: 'Page, from 1.',
    example: 1,
    minimum: 1,
    maximum: 200,
  })
  page: number;

  @Field.number({
    description: 'Left, as a fraction.',
    example: 0.1,
    ...POSITION,
  })
  x: number;

  @Field.number({
    description: 'Top, as a fraction.',
    example: 0.8,
    ...POSITION,
  })
  y: number;

  @Field.number({
    description: 'Width.',
    example: 0.3,
    ...POSITION,
  })
  w: number;

  @Field.number({
    description: 'Height.',
    example: 0.04,
    ...POSITION,
  })
  h: number;
}

/** A text in the file at which a field stands. */
export class FieldAnchorDto {
  @Field.string({
    description: 'White space does not count.',
    example: 'Signature of the tenant:',
    maxLength: 200,
  })
  text: string;

  @Field.integer({
    description: 'Which one, from 1.',
    example: 1,
    minimum: 1,
    maximum: 1_000,
    required: false,
    nullable: true,
  })
  occurrence?: number | null;

  @Field.integer({
    description: 'Only on this page.',
    example: 2,
    minimum: 1,
    maximum: 200,
    required: false,
    nullable: true,
  })
  page?: number | null;

  @Field.number({
    description: 'To the right.',
    example: 0.2,
    minimum: -1,
    maximum: 1,
    required: false,
    default: 0,
  })
  dx?: number;

  @Field.number({
    description: 'Down.',
    example: -0.01,
    minimum: -1,
    maximum: 1,
    required: false,
    default: 0,
  })
  dy?: number;
}
