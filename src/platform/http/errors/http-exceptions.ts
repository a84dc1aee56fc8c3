import { STATUS_CODES } from 'node:http';
import type { HttpException } from '@nestjs/common';
import { FORBIDDEN_MESSAGE } from '@nestjs/core/guards/constants.js';
import { CommonErrors, defineErrors, DomainError, type ErrorDetail } from '../../../kit/index.js';
import type { ErrorDefinition, ErrorSpec } from '../../../kit/internal.js';
import { pipedParam } from './piped-params.js';

/** What the statuses of Nest's exceptions mean here; the others have a code by their name in HTTP. */
const BY_STATUS: Readonly<Record<number, ErrorDefinition>> = {
  400: CommonErrors.validationFailed,
  403: CommonErrors.permissionDenied,
  404: CommonErrors.notFound,
  405: CommonErrors.methodNotAllowed,
  408: CommonErrors.requestTimeout,
  409: CommonErrors.resourceConflict,
  412: CommonErrors.versionConflict,
  413: CommonErrors.payloadTooLarge,
  415: CommonErrors.unsupportedMediaType,
  417: CommonErrors.expectationFailed,
  429: CommonErrors.rateLimited,
  431: CommonErrors.headersTooLarge,
};
/** Errors of the other statuses of HTTP, by status. Only proxies answer 407. */
export const HttpErrors: Readonly<Record<string, ErrorDefinition>> = defineErrors(
  Object.fromEntries(
    Object.entries(STATUS_CODES)
      .filter(([status]) => status.startsWith('4') && status !== '407' && !(status in BY_STATUS))
      .map(([status, name]) => [status, specOf(Number(status), name!)]),
  ),
);
const NAME = /^([A-Za-z_][\w.]*) /;

const CODE = /^[a-z][a-z0-9_]{1,63}$/;
/** Codes that clients know by another status. */
const KNOWN: ReadonlyMap<string, ErrorSpec> = new Map(
  [...Object.values(CommonErrors), ...Object.values(HttpErrors)].map(({ spec }) => [spec.code, spec]),
);

/**
 * An exception of Nest's that a handler, guard, pipe or interceptor threw, with its text; null for those of the server itself. A code of
 * its own is kept: that of one of the errors that the route declares, or one that nothing else means.
 */
export function ofHttpException(exception: HttpException, declared: readonly ErrorDefinition[] = []): DomainError | null {
  const status = exception.getStatus();
  if (status < 400 || status >= 500) return null;
  if (exception.message === FORBIDDEN_MESSAGE) return CommonErrors.permissionDenied({ message: 'A rule of this route refuses the call.' });
  const { message, details } = textOf(exception);
  const { code, param = details?.[0].param ?? pipedParam(exception) } = ownParts(exception);
  const occurrence = { message, details, param, cause: exception };
  // RFC 9110: an unknown status means what the first one of its class does
  const byStatus = BY_STATUS[status] ?? HttpErrors[status] ?? CommonErrors.validationFailed;
  if (code === undefined) return byStatus(occurrence);
  const own = declared.find(({ spec }) => spec.code === code && spec.status === status);
  if (own) return own(occurrence);
  const known = KNOWN.get(code);
  return known && known.status !== status ? byStatus(occurrence) : new DomainError(known ?? { ...byStatus.spec, code, status }, occurrence);
}

/** What an author gives in an object: `new ConflictException({ code: 'plate_taken', message: 'The plate is taken.', param: 'plate' })`. */
function ownParts(exception: HttpException): { code?: string; param?: string } {
  const { code, param } = Object(exception.getResponse()) as { code?: unknown; param?: unknown };
  return {
    ...(typeof code === 'string' && CODE.test(code) ? { code } : {}),
    ...(typeof param === 'string' ? { param } : {}),
  };
}

/** ValidationPipe and pipes like it give a list, of texts that begin with the property's name. */
function textOf(exception: HttpException): { message?: string; details?: ErrorDetail[] } {
  const response = exception.getResponse();
  if (typeof response === 'string') return { message: response };
  const { message: texts } = response as { message?: unknown };
  if (typeof texts === 'string') return { message: texts };
  if (!Array.isArray(texts) || texts.length === 0) return {};
  const named = texts.map(String).map((message) => ({ param: NAME.exec(message)?.[1] ?? '', code: 'invalid_value', message }));
  if (named.some(({ param }) => param === '')) return { message: texts.join('; ') };
  return { message: named[0].message, details: named };
}

function specOf(status: number, name: string): ErrorSpec {
  return {
    code: name.toLowerCase().replace(/'/g, '').replace(/\W+/g, '_'),
    type: status === 401 ? 'authentication_error' : 'invalid_request_error',
    status,
    message: `${name}.`,
  };
}
