import type { Type } from '@nestjs/common';
import { CommonErrors, fieldsOf } from '../../kit/index.js';
import { mayRequire, type ErrorSpec } from '../../kit/internal.js';
import { takesDryRun, takesPlan, type Route } from '../registry/route-registry.js';

/** The errors that the OpenAPI documents list for the route. */
export function declaredErrors(route: Route): ErrorSpec[] {
  return (route.endpoint?.errors ?? []).map(({ spec }) => spec).concat(standardErrors(route));
}

/** The errors with which the pipeline itself can respond to a request for the route. */
function standardErrors(route: Route): ErrorSpec[] {
  const E = CommonErrors;
  const errors = [E.rateLimited, E.internalError, E.unavailable, E.validationFailed];
  if (route.plane === 'keyed')
    errors.push(
      E.missingApiKey,
      E.invalidApiKey,
      E.apiKeyRevoked,
      E.apiKeyExpired,
      E.apiKeyInactive,
      E.ipNotAllowed,
      E.insufficientScope,
      E.projectScopeMismatch,
    );
  if (route.plane === 'product') errors.push(E.notSignedIn);
  if (route.plane === 'product' && route.endpoint?.permission) errors.push(E.permissionDenied, E.secondFactorRequired);
  if (route.plane === 'product' && route.write) errors.push(E.csrfTokenInvalid);
  if (route.guarded && route.module !== null) errors.push(E.permissionDenied);
  if (route.endpoint?.confirmation) errors.push(E.confirmationRequired);
  if (route.endpoint?.requiresActor) errors.push(E.keyMissingActor);
  // an export may begin at a cursor, too
  if (route.queryDto && fieldsOf(route.queryDto).has('cursor')) errors.push(E.invalidCursor);
  if (route.queryDto && needsParameter(route.queryDto)) errors.push(E.missingFields);
  if (route.path.includes('{')) errors.push(E.notFound);
  if (route.write && !takesDryRun(route)) errors.push(E.dryRunUnsupported);
  if (takesPlan(route)) errors.push(E.planRequired);
  if (route.write) errors.push(E.payloadTooLarge);
  if (route.bodyDto) errors.push(E.missingFields, E.invalidBody, E.unsupportedMediaType);
  // a custom field may be unique
  if (route.bodyDto && takesCustomFields(route.bodyDto)) errors.push(E.duplicate);
  if (route.endpoint?.upload) errors.push(E.missingFields, E.unsupportedMediaType);
  if (takesIdempotencyKey(route)) errors.push(E.idempotencyInProgress, E.idempotencyKeyReused);
  if (takesIfMatch(route)) errors.push(E.versionConflict);
  return errors.map(({ spec }) => spec);
}

function needsParameter(query: Type): boolean {
  return mayRequire(query) || [...fieldsOf(query).values()].some(({ required = true }) => required);
}

function takesCustomFields(body: Type): boolean {
  return [...fieldsOf(body).values()].some(({ customFieldsOf }) => customFieldsOf !== undefined);
}

export function takesIdempotencyKey({ method, plane }: Route): boolean {
  return plane !== 'public' && (method === 'POST' || method === 'PATCH');
}

export function takesIfMatch({ method, plane, path, endpoint }: Route): boolean {
  return (
    plane !== 'public' &&
    (method === 'PATCH' || (path.includes('{') && (method === 'PUT' || method === 'DELETE' || endpoint?.ifMatch === true)))
  );
}
