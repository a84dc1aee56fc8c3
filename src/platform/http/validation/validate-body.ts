import type { Type } from '@nestjs/common';
import { CommonErrors, isObject, readFields, validationError } from '../../../kit/index.js';

/** Input that is valid for its DTO. */
export interface Validated<T> {
  value: T;
  /** Fields that the DTO does not declare, as dotted paths; they have no effect. */
  ignored: string[];
}

/** Copies the fields of the DTO from a JSON body and lists the others. Throws if a field is invalid. */
export function validateBody<T extends object>(dto: Type<T>, input: unknown): Validated<T> {
  if (!isObject(input)) throw CommonErrors.invalidBody();
  const { value, faults, ignored } = readFields(dto, input);
  if (faults.length > 0) throw validationError(faults);
  return { value, ignored };
}
