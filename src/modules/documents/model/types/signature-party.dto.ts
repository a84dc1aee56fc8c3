import { Field } from '../../../../kit/index.js';
import { CODE_PATTERN } from './lifecycle.dto.js';

/** A party that signs. */
export class SignaturePartyDto {
  @Field.string({
    description: 'Key, unique within the type.',
    example: 'customer',
    pattern: CODE_PATTERN,
    maxLength: 63,
  })
  key: string;

  @Field.string({
    description: 'Label for people.',
    example: 'Customer',
    maxLength: 100,
  })
  label: string;

  @Field.integer({
    description: 'Signing order: parties with the same number sign at the same time, before those with a higher one.',
    example: 1,
    minimum: 1,
    maximum: 100,
    required: false,
    default: 1,
  })
  order: number;

  @Field.oneOf(['internal', 'external'], {
    description: 'internal: belongs to the organization; external: does not.',
    example: 'external',
    required: false,
    default: 'external',
  })
  kind: 'internal' | 'external';

  @Field.string({
    description: 'Path into data_values of the name.',
    example: 'customer_name',
    maxLength: 200,
  })
  name_from: string;

  @Field.string({
    description: 'Path into data_values of the e-mail address.',
    example: 'customer_email',
    maxLength: 200,
  })
  email_from: string;

  @Field.boolean({
    description: 'Whether the document needs this signature.',
    example: true,
    required: false,
    default: true,
  })
  required: boolean;

  @Field.oneOf(['link', 'otp'], {
    description: 'link: the mailed link is enough; otp: also requires a code from a second mail.',
    example: 'link',
    required: false,
    default: 'link',
  })
  auth: 'link' | 'otp';

  @Field.boolean({
    description: 'Whether it may pass the document on.',
    example: false,
    required: false,
    default: false,
  })
  may_delegate?: boolean;
}
