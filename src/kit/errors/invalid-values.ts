import { CommonErrors } from './common-errors.js';
import type { DomainError } from './errors.js';

/** 400 `validation_failed` for one field; `message` continues the sentence that its name begins, such as "must be positive". */
export function invalid(param: string, message: string, allowed?: readonly string[]): DomainError {
  return CommonErrors.validationFailed({ param, message: `${param} ${message}`, allowed });
}

/** 409 `duplicate` with the id of the row that has the value already; null if the caller must not see that row. */
export function duplicateOf(param: string, value: string, existingId: string | null): DomainError {
  if (existingId === null) return CommonErrors.duplicate({ param, message: `${param} ${value} exists already in another project.` });
  return CommonErrors.duplicate({
    param,
    message: `${param} ${value} exists already: ${existingId}`,
    extra: { existing_id: existingId },
  });
}
