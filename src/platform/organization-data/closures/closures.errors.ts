import { defineErrors } from '../../../kit/index.js';

export const ClosureErrors = defineErrors({
  legalHold: {
    code: 'legal_hold',
    type: 'conflict_error',
    status: 409,
    message: 'A legal hold forbids to delete the data: end it first.',
  },
  isBeingErased: {
    code: 'organization_being_erased',
    type: 'conflict_error',
    status: 409,
    message: 'The grace period is over, and the data of the organization is being erased.',
    description: 'The grace period is over and the data is being erased: nothing can stop it.',
  },
});
