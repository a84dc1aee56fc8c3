import { Field } from '../fields/fields.js';

/**
 * The body of routes that ask the provider of payments.
 *
 * @example
 * ```ts
 * import { RequestPaymentDto } from 'work-suite/kit';
 *
 * export const body: RequestPaymentDto = { return_url: 'https://shop.example/thanks' };
 * ```
 */
export class RequestPaymentDto {
  @Field.string({
    description: 'Where the buyer comes back to from the page.',
    example: 'https://shop.example/thanks',
    pattern: '^https?://[^\\s]+$',
    patternInWords: 'a URL that begins with https:// or http://',
    maxLength: 2000,
    required: false,
  })
  return_url?: string;
}

/**
 * The answer of routes that ask the provider of payments.
 *
 * @example
 * ```ts
 * import { RequestedPaymentDto } from 'work-suite/kit';
 *
 * export const isPaidOnPage = ({ url }: RequestedPaymentDto): boolean => url !== null;
 * ```
 */
export class RequestedPaymentDto {
  @Field.constant('requested_payment')
  object: string;

  @Field.string({
    description: 'Who takes the payment; manual: it is made by hand, and recorded when it has arrived.',
    example: 'manual',
    maxLength: 64,
  })
  provider: string;

  @Field.string({
    description: 'What the buyer states, or the reference of the provider; in a dry run the number of what is paid.',
    example: 'O-42',
  })
  reference: string;

  @Field.string({
    description: 'The page on which the buyer pays, if there is one.',
    example: null,
    maxLength: 4000,
    nullable: true,
  })
  url: string | null;

  @Field.amount({
    description: 'What is due, in minor units.',
    example: 12_900,
    minimum: 1,
  })
  amount: number;

  @Field.string({
    description: 'ISO 4217 code.',
    example: 'EUR',
    maxLength: 3,
  })
  currency: string;

  @Field.dateTime({
    description: 'When the page ends.',
    example: null,
    nullable: true,
  })
  expires_at: string | null;
}
