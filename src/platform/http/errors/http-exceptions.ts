import { STATUS_CODES } from 'node:http';
import type { HttpException } from '@nestjs/common';
import { FORBIDDEN_MESSAGE } from '@nestjs/core/guards/constants.js';
import { CommonErrors, DomainError, type ErrorDetail } from '../../../kit/index.js';
import type { ErrorDefinition } from '../../../kit/internal.js';

/** What the statuses of Nest's exceptions mean here; the others get a code by their name in HTTP. */
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
};
const NAME = /^([A-Za-z_][\w.]*) /;

/** An exception of Nest's that a handler, guard, pipe or interceptor threw, with its text; null for those of the server itself. */
export function ofHttpException(exception: HttpException): DomainError | null {
  const status = exception.getStatus();
  if (status < 400 || status >= 500) return null;
  if (exception.message === FORBIDDEN_MESSAGE) return CommonErrors.permissionDenied({ message: 'A rule of this route refuses the call.' });
  const { message, details } = textOf(exception);
  const occurrence = { message, details, param: details?.[0].param, cause: exception };
  return BY_STATUS[status]?.(occurrence) ?? new DomainError(specOf(status), occurrence);
}

/** ValidationPipe and pipes like it give a list, of texts that begin with the property's name. */
function textOf(exception: HttpException): { message?: string; details?: ErrorDetail[] } {
  const response = exception.getResponse();
  if (typeof response === 'string') return { message: response };
  const { message: texts } = response as { message?: unknown };
  if (typeof texts === 'string') return { message: texts };
  if (!Array.isArray(texts) || texts.length === 0) return {};
  const named = texts.map(String).map((message) => ({ param: NAME.exec(message)?.[1] ?? '', code: 'invalid_value', message }));
  return { message: named[0].message, ...(named.every(({ param }) => param !== '') ? { details: named } : {}) };
}

function specOf(status: number): DomainError['spec'] {
  const name = STATUS_CODES[status] ?? 'Request refused';
  const code = name.toLowerCase().replace(/'/g, '').replace(/\W+/g, '_');
  const type = status === 401 ? 'authentication_error' : 'invalid_request_error';
  return { code, type, status, message: `${name}.` };
}
