import type { DomainError } from '../errors/errors.js';
import { Field } from '../fields/fields.js';

/**
 * The error of an item of a batch that failed, as in the error envelope. A module extends it, so that its schema has a name of its own.
 *
 * @example
 * ```ts
 * import { BatchErrorDto, DomainError } from 'work-suite/kit';
 *
 * export class TripErrorDto extends BatchErrorDto {}
 *
 * export const errorOf = (error: unknown) => (error instanceof DomainError ? TripErrorDto.from(error) : null);
 * ```
 */
export abstract class BatchErrorDto {
  @Field.string({
    description: 'Category of the error.',
    example: 'invalid_request_error',
  })
  type: string;

  @Field.string({
    description: 'Error code for programs to switch on.',
    example: 'validation_failed',
  })
  code: string;

  @Field.string({
    description: 'What went wrong and what to do about it.',
    example: 'due_on must not be before start_on',
    maxLength: 2000,
  })
  message: string;

  @Field.string({
    description: 'The invalid field, as a path into the request body.',
    example: 'items.3.data.due_on',
    nullable: true,
  })
  param: string | null;

  @Field.string({
    description: 'The valid values, if there are few.',
    example: ['0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a30'],
    nullable: true,
    list: { maxItems: 100 },
  })
  allowed: string[] | null;

  static from(this: void, { spec, message, occurrence }: DomainError): BatchErrorDto {
    return {
      type: spec.type,
      code: spec.code,
      message,
      param: occurrence.param ?? null,
      allowed: occurrence.allowed ? [...occurrence.allowed] : null,
    };
  }
}
