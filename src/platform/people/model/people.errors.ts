import { defineErrors } from '../../../kit/index.js';

export const PeopleErrors = defineErrors({
  // the same text for an unknown e-mail address, a wrong password and a deactivated member
  invalidCredentials: {
    code: 'invalid_credentials',
    type: 'authentication_error',
    status: 401,
    message: 'The e-mail address or the password is wrong.',
    description: 'Check the address and the password, or set a new one with the link that POST /api/v1/org/password-resets mails.',
  },
  codeRequired: {
    code: 'second_factor_code_required',
    type: 'authentication_error',
    status: 401,
    message: 'Send a code of your second factor with the second_factor_token to POST /api/v1/org/session/second-factor.',
  },
  roleInUse: {
    code: 'role_in_use',
    type: 'conflict_error',
    status: 409,
    message: 'Members have this role: give them another one first.',
  },
  lastOwner: {
    code: 'last_owner',
    type: 'conflict_error',
    status: 409,
    message: 'An organization must have an active owner: make another member owner first.',
  },
});
