import { Field } from '../../../../kit/index.js';

/** What the page of a form sends. */
export class FormPageBody {
  @Field.map({
    description: 'The answers as text, by the paths of the fields.',
    example: { company: 'Acme GmbH' },
    required: false,
  })
  answers?: Record<string, unknown>;

  @Field.uuid({
    description: 'Came with the page.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2f40',
    required: false,
  })
  token?: string;

  @Field.string({
    description: 'Hidden from people; filled in only by machines.',
    example: '',
    minLength: 0,
    maxLength: 10_000,
    required: false,
  })
  website?: string;
}
