import { Field } from '../../../../kit/index.js';
import { CODE_PATTERN } from './lifecycle.dto.js';

/** Somebody who signs. */
export class SignaturePartyDto {
  @Field.string({
    description: 'Key, unique within the type.',
    example: 'customer',
    pattern: CODE_PATTERN,
    maxLength: 63,
  })
  key: string;

  @Field.string({
    description: 'What people read.',
    example: 'Customer',
    maxLength: 100,
  })
  label: string;

  @Field.integer({
    description: 'Turn: parties of the same order sign at the same time, higher ones after them.',
    example: 1,
    minimum: 1,
    maximum: 100,
    required: false,
    default: 1,
  })
  order: number;

  @Field.oneOf(['internal', 'external'], {
    description: 'Whether one of us or somebody else.',
    example: 'external',
    required: false,
    default: 'external',
  })
  kind: 'internal' | 'external';

  @Field.string({
    description: 'Path into data_values that holds the name.',
    example: 'customer_name',
    maxLength: 200,
  })
  name_from: string;

  @Field.string({
    description: 'Path into data_values that holds the e-mail address.',
    example: 'customer_email',
    maxLength: 200,
  })
  email_from: string;

  @Field.boolean({
    description: 'Whether the document waits for this signature.',
    example: true,
    required: false,
    default: true,
  })
  required: boolean;

  @Field.oneOf(['link', 'otp'], {
    description: 'link: the mailed link suffices; otp: a code sent by a second mail too.',
    example: 'link',
    required: false,
    default: 'link',
  })
  auth: 'link' | 'otp';
}
