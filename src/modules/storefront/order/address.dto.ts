import { Field } from '../../../kit/index.js';
import { OPTIONAL } from '../model/field-options.js';

export class AddressDto {
  @Field.string({
    description: 'Name of the recipient.',
    example: 'Ada Lovelace',
    ...OPTIONAL,
  })
  name?: string | null;

  @Field.string({
    description: 'Street and number.',
    example: 'Main Street 1',
    ...OPTIONAL,
  })
  line1?: string | null;

  @Field.string({
    description: 'Second line of the street address.',
    example: 'c/o Acme',
    ...OPTIONAL,
  })
  line2?: string | null;

  @Field.string({
    description: 'Postal code.',
    example: '10115',
    maxLength: 20,
    ...OPTIONAL,
  })
  postal_code?: string | null;

  @Field.string({
    description: 'City.',
    example: 'Berlin',
    maxLength: 100,
    ...OPTIONAL,
  })
  city?: string | null;

  @Field.string({
    description: 'State or province.',
    example: 'Berlin',
    maxLength: 100,
    ...OPTIONAL,
  })
  region?: string | null;

  @Field.string({
    description: 'ISO 3166-1 alpha-2.',
    example: 'DE',
    pattern: '^[A-Z]{2}$',
    minLength: 2,
    maxLength: 2,
  })
  country: string;
}
