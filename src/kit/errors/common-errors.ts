import { defineErrors } from './errors.js';

/**
 * Errors that any route can return; a module adds its own with `defineErrors`.
 *
 * @example
 * ```ts
 * import { CommonErrors } from 'work-suite/kit';
 *
 * export function requireOpen(status: string): void {
 *   if (status !== 'open') throw CommonErrors.resourceConflict({ param: 'status', message: 'The trip has ended; open it first.' });
 * }
 * ```
 */
export const CommonErrors = defineErrors({
  missingFields: {
    code: 'missing_fields',
    type: 'invalid_request_error',
    status: 400,
    message: 'A required field is missing.',
    description: 'Send the fields that the message names; details lists all of them.',
  },
  invalidBody: {
    code: 'invalid_body',
    type: 'invalid_request_error',
    status: 400,
    message: 'The body must be a JSON object.',
    description: 'Send one JSON object as the body, not a list, a string or null.',
  },
  validationFailed: {
    code: 'validation_failed',
    type: 'invalid_request_error',
    status: 400,
    message: 'A value is not valid.',
    description:
      'Correct the field that param names as the message says; details lists every invalid field, allowed the valid values if ' +
      'there are few.',
  },
  dryRunUnsupported: {
    code: 'dry_run_unsupported',
    type: 'invalid_request_error',
    status: 400,
    message: 'This call cannot be tried out, because not all of its effects could be taken back; nothing was done.',
    description:
      'Nothing was done. Not all effects of this call could be taken back, so it has no dry run: send it without Svc-Dry-Run or ' +
      'dry_run when you are sure.',
  },
  invalidCursor: {
    code: 'invalid_cursor',
    type: 'invalid_request_error',
    status: 400,
    message: 'This cursor was not issued for this list with these filters; start again without it.',
  },
  malformedRequest: {
    code: 'malformed_request',
    type: 'invalid_request_error',
    status: 400,
    message: 'The request is not valid HTTP/1.1.',
    description:
      'Send valid HTTP/1.1; a proxy or a hand-written client may have changed the request line, a header or the length of the body.',
  },
  requestTimeout: {
    code: 'request_timeout',
    type: 'invalid_request_error',
    status: 408,
    message: 'The request did not arrive completely in time; send it again.',
  },
  expectationFailed: {
    code: 'expectation_failed',
    type: 'invalid_request_error',
    status: 417,
    message: 'The only supported Expect header is 100-continue.',
    description: 'Leave the Expect header out, or send 100-continue.',
  },
  headersTooLarge: {
    code: 'headers_too_large',
    type: 'invalid_request_error',
    status: 431,
    message: 'The address and headers of the request must not exceed 16 KiB.',
    description: 'Shorten the query or the headers, such as cookies: together with the address they must not exceed 16 KiB.',
  },
  payloadTooLarge: {
    code: 'payload_too_large',
    type: 'invalid_request_error',
    status: 413,
    message: 'The request body is larger than this route accepts.',
    description: 'Send a smaller body, or several requests; the page of the operation says how much it accepts.',
  },
  methodNotAllowed: {
    code: 'method_not_allowed',
    type: 'invalid_request_error',
    status: 405,
    message: 'This path does not accept the method; the Allow header lists those that it accepts.',
    description: 'Use one of the methods in the Allow header, or check the path.',
  },
  unsupportedMediaType: {
    code: 'unsupported_media_type',
    type: 'invalid_request_error',
    status: 415,
    message: 'Send the body as application/json.',
  },
  missingApiKey: {
    code: 'missing_api_key',
    type: 'authentication_error',
    status: 401,
    message: 'Send an API key as "Authorization: Bearer <API_KEY>".',
  },
  invalidApiKey: {
    code: 'invalid_api_key',
    type: 'authentication_error',
    status: 401,
    message: 'This API key does not exist; check that you copied all of it.',
  },
  apiKeyRevoked: {
    code: 'api_key_revoked',
    type: 'authentication_error',
    status: 401,
    message: 'This API key was revoked or rolled; use the new one.',
  },
  apiKeyExpired: {
    code: 'api_key_expired',
    type: 'authentication_error',
    status: 401,
    message: 'This API key has expired; create a new one.',
  },
  notSignedIn: {
    code: 'not_signed_in',
    type: 'authentication_error',
    status: 401,
    message: 'Sign in with POST /api/v1/org/session first.',
  },
  insufficientScope: {
    code: 'insufficient_scope',
    type: 'permission_error',
    status: 403,
    message: 'This API key lacks the scope that this route requires.',
    description: 'Use a key with the scope that required_scope names, or add it to this key in the developer area.',
  },
  permissionDenied: {
    code: 'permission_denied',
    type: 'permission_error',
    status: 403,
    message: 'Your role lacks the permission that this route requires.',
    description:
      'Your role lacks a permission, which required_permission names, or a rule forbids this to you in particular; the message says which.',
  },
  csrfTokenInvalid: {
    code: 'csrf_token_invalid',
    type: 'permission_error',
    status: 403,
    message: 'Send the csrf_token from the sign-in response in the X-CSRF-Token header.',
  },
  planRequired: {
    code: 'confirmation_required',
    type: 'conflict_error',
    status: 409,
    of: 'keys',
    message: 'Nothing was done. Read the plan; if it is right, repeat the call with its plan_token.',
  },
  confirmationRequired: {
    code: 'confirmation_required',
    type: 'permission_error',
    status: 403,
    message: 'Give your password again with POST /api/v1/org/session/confirm, then repeat the request.',
  },
  secondFactorRequired: {
    code: 'second_factor_required',
    type: 'permission_error',
    status: 403,
    message: 'Your organization requires a second factor for your role: set one up with POST /api/v1/org/account/second-factor.',
  },
  projectScopeMismatch: {
    code: 'project_scope_mismatch',
    type: 'permission_error',
    status: 403,
    message: 'This API key is bound to another project; omit project_id.',
  },
  keyMissingActor: {
    code: 'key_missing_actor',
    type: 'permission_error',
    status: 403,
    message: 'This route acts on behalf of a member; use an API key that is bound to one.',
  },
  apiKeyInactive: {
    code: 'api_key_inactive',
    type: 'permission_error',
    status: 403,
    message: 'This API key is inactive; activate it in the developer area.',
  },
  ipNotAllowed: {
    code: 'ip_not_allowed',
    type: 'permission_error',
    status: 403,
    message: 'This API key may not be used from this IP address.',
    description: 'Call from an address that the key allows, or add this one to the key in the developer area.',
  },
  notFound: {
    code: 'not_found',
    type: 'not_found_error',
    status: 404,
    message: 'There is no such resource.',
    description:
      'Check the id in the path, and that the key has the mode and the project of the resource: test keys see no live data, and a ' +
      'deleted resource is in the bin.',
  },
  resourceConflict: {
    code: 'resource_conflict',
    type: 'conflict_error',
    status: 409,
    message: 'Another request changed the resource first; read it again and retry.',
    description:
      'The state of the resource, or another resource that uses it, does not permit this; the message says what to change first. If ' +
      'another request changed the resource meanwhile, read it again and retry.',
  },
  duplicate: {
    code: 'duplicate',
    type: 'conflict_error',
    status: 409,
    message: 'A resource with the same unique value already exists.',
    description: 'Use another value for the field that param names, or change the resource that has it.',
  },
  versionConflict: {
    code: 'version_conflict',
    type: 'conflict_error',
    status: 412,
    message: 'The resource has changed since you read it; read it again and retry with its new version.',
  },
  idempotencyInProgress: {
    code: 'idempotency_in_progress',
    type: 'idempotency_error',
    status: 409,
    message: 'A request with this Idempotency-Key is still running; retry in a second.',
  },
  idempotencyKeyReused: {
    code: 'idempotency_key_reused',
    type: 'idempotency_error',
    status: 422,
    message: 'This Idempotency-Key was used with a different request; use a new key for a new operation.',
  },
  paymentRefused: {
    code: 'payment_refused',
    type: 'conflict_error',
    status: 409,
    message: 'The provider of payments refuses this payment.',
    description: 'Read the message of the provider, correct the amount or the method of payment, and send a new request.',
  },
  rateLimited: {
    code: 'rate_limited',
    type: 'rate_limit_error',
    status: 429,
    message: 'Too many requests; wait for the number of seconds in Retry-After.',
  },
  internalError: {
    code: 'internal_error',
    type: 'api_error',
    status: 500,
    message: 'Something failed on our side; retry the request, and quote the request_id if the error persists.',
  },
  unavailable: {
    code: 'unavailable',
    type: 'api_error',
    status: 503,
    message: 'The service is temporarily unavailable; retry shortly.',
  },
});
