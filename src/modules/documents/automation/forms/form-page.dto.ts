import { Field } from '../../../../kit/index.js';

/** The body that a form page sends. */
export class FormPageBody {
  @Field.map({
    description: 'The answers as text, by field path.',
    example: { company: 'Acme GmbH' },
    required: false,
  })
  answers?: Record<string, unknown>;

  @Field.uuid({
    description: 'Token from the page.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2f40',
    required: false,
  })
  token?: string;

  @Field.string({
    description: 'Honeypot: hidden from people, filled in only by bots.',
    example: '',
    minLength: 0,
    maxLength: 10_000,
    required: false,
  })
  website?: string;

  @Field.string({
    description: 'Name of a file that was chosen but not read. Its content goes to the address of the button below the file.',
    example: 'form.pdf',
    minLength: 0,
    maxLength: 10_000,
    required: false,
  })
  file?: string;
}
