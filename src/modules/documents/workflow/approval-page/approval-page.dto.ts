import { Field } from '../../../../kit/index.js';

/** The form for a decision. The page shows errors next to their fields. */
export class DecideDto {
  @Field.string({
    description: 'approve, reject or return.',
    example: 'approve',
    minLength: 0,
    maxLength: 10,
    required: false,
  })
  decision?: string;

  @Field.string({
    description: 'The comment.',
    example: 'Agreed with finance.',
    minLength: 0,
    maxLength: 10_000,
    required: false,
  })
  comment?: string;

  @Field.string({
    description: 'The decision that the page showed.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2c20',
    minLength: 0,
    maxLength: 36,
    required: false,
  })
  decision_id?: string;
}

/** The form for a comment. */
export class CommentDto {
  @Field.string({
    description: 'The comment.',
    example: 'Is the price agreed?',
    minLength: 0,
    maxLength: 10_000,
    required: false,
  })
  body?: string;
}
