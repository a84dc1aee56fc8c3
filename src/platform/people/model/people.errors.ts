import { defineErrors } from '../../../kit/index.js';

export const PeopleErrors = defineErrors({
  // the same text for an unknown e-mail address, a wrong password and a deactivated member
  invalidCredentials: {
    code: 'invalid_credentials',
    type: 'authentication_error',
    status: 401,
    message: 'The e-mail address or the password is wrong.',
  },
  lastOwner: {
    code: 'last_owner',
    type: 'conflict_error',
    status: 409,
    message: 'An organization must have an active owner: make another member owner first.',
  },
});
