import { Field } from '../../../kit/index.js';

/** When a connection ends, by days. */
export const ENDS = { '30': 'after 30 days', '90': 'after 90 days', '365': 'after a year', never: 'when I disconnect it' } as const;
export const DEFAULT_END = '90';

/** The form of the consent page. */
export class ConsentBody {
  @Field.string({
    description: 'Token of the session.',
    example: 'n2Zt8cZ3',
    required: false,
    minLength: 0,
    maxLength: 200,
  })
  csrf?: string;

  @Field.string({
    description: '`authorize` or `cancel`.',
    example: 'authorize',
    required: false,
    minLength: 0,
    maxLength: 20,
  })
  decision?: string;

  @Field.map({
    description: 'The scopes left ticked, as names.',
    example: { 'notes:note:read': 'on' },
    required: false,
  })
  scope?: Record<string, unknown>;

  @Field.string({
    description: '`live` or `test`.',
    example: 'test',
    required: false,
    minLength: 0,
    maxLength: 20,
  })
  mode?: string;

  @Field.string({
    description: 'The id of a project; empty for all.',
    example: '',
    required: false,
    minLength: 0,
    maxLength: 64,
  })
  project?: string;

  @Field.string({
    description: 'After how many days the connection ends, or `never`.',
    example: '90',
    required: false,
    minLength: 0,
    maxLength: 20,
  })
  ends?: string;

  @Field.string({
    description: '`on` if the app must ask before it deletes or reaches people.',
    example: 'on',
    required: false,
    minLength: 0,
    maxLength: 20,
  })
  asks?: string;
}
