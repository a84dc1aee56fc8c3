import { defineErrors } from '../../../kit/index.js';

export { duplicateOf, invalid } from '../../../kit/index.js';

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
    message: 'The balance is not sufficient; request at most what is available.',
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
    description:
      'Read the request with get_leave_request: the message says which status it must have. A decided request is not decided again; ' +
      'withdraw it, and request leave anew.',
  },
});
