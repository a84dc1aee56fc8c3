import { CommonErrors, defineErrors, type DomainError } from '../../../kit/index.js';

/** Errors specific to the HR module. */
export const HrErrors = defineErrors({
  leaveOverlap: {
    code: 'leave_overlap',
    type: 'conflict_error',
    status: 409,
    message: 'The employee has pending or approved leave in this time already; withdraw it first.',
  },
  /** `available` is the remaining balance, in days. */
  insufficientLeave: {
    code: 'insufficient_leave',
    type: 'conflict_error',
    status: 409,
    message: 'The balance is not sufficient; request no more than available.',
  },
  managerCycle: {
    code: 'manager_cycle',
    type: 'invalid_request_error',
    status: 400,
    message: 'The manager reports to this employee, directly or through others; choose another one.',
  },
  invalidTransition: {
    code: 'invalid_transition',
    type: 'invalid_request_error',
    status: 400,
    message: 'This is not possible in the current status of the leave request.',
  },
});

/** 400 `validation_failed` for one field; `message` continues the sentence that its name begins. */
export function invalid(param: string, message: string, allowed?: readonly string[]): DomainError {
  return CommonErrors.validationFailed({ param, message: `${param} ${message}`, allowed });
}

/** 409 `duplicate` with the id of the row that has the value already. */
export function duplicateOf(param: string, value: string, existingId: string): DomainError {
  return CommonErrors.duplicate({
    param,
    message: `${param} ${value} exists already: ${existingId}`,
    extra: { existing_id: existingId },
  });
}
