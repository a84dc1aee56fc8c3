import { HttpException, Logger } from '@nestjs/common';
import { CommonErrors, DomainError, type ErrorDetail } from '../../../kit/index.js';
import { describeError, isOutage } from '../../persistence/database/pg-errors.js';
import type { RequestState } from '../../request/request-state.js';
import type { ErrorCause } from './error-cause.js';
import { RateLimited } from '../../rate-limit/rate-limited.error.js';
import { ofHttpException } from './http-exceptions.js';
import { tooLarge, type SizedRequest } from '../validation/too-large.js';

const log = new Logger('Errors');
/** Seconds after which a client tries again, unless the error knows better. */
const RETRY_AFTER = '5';

/** The request during which an error occurred, for the server's log. */
export interface FailedRequest extends SizedRequest {
  method: string;
  state: Pick<RequestState, 'requestId' | 'route' | 'organizationId'>;
}

/** Requests that Fastify and Nest reject before our code runs, by status. */
const BY_STATUS: Record<number, () => DomainError> = {
  400: () => CommonErrors.invalidBody({ message: 'The request could not be read.' }),
  404: () => CommonErrors.notFound({ message: 'Nothing has this address.' }),
  415: () => CommonErrors.unsupportedMediaType({ param: 'Content-Type' }),
};

/** Of Nest's exceptions about services that a handler calls. */
const UNAVAILABLE = new Set([502, 503, 504]);

/** Converts anything thrown to a declared error. An unexpected error is logged and becomes an internal error. */
export function asDomainError(error: unknown, request: FailedRequest): DomainError {
  const { method, state } = request;
  if (error instanceof DomainError) return error;
  if (error instanceof RateLimited)
    return CommonErrors.rateLimited({ message: `${error.message}.`, headers: { 'Retry-After': String(error.retryAfterSeconds) } });
  // before Nest has found a route, the exception is Nest's own
  const thrown = error instanceof HttpException && state.route?.controller ? ofHttpException(error, state.route.endpoint?.errors) : null;
  if (thrown) return thrown;
  const status = error instanceof HttpException ? error.getStatus() : (error as { statusCode?: number } | null)?.statusCode;
  if (status === 413) return tooLarge(request);
  const known = status === undefined ? undefined : BY_STATUS[status];
  if (known) return known();
  if (isOutage(error)) return CommonErrors.unavailable({ cause: error });
  const { sqlstate, text } = describeError(error);
  const { requestId, route, organizationId } = state;
  log.error(
    `request ${requestId}, route ${route === null ? 'none' : `${method} ${route.path}`}, organization ${organizationId ?? 'none'}, ` +
      `SQLSTATE ${sqlstate ?? 'none'}: ${text}`,
  );
  return status !== undefined && UNAVAILABLE.has(status) ? CommonErrors.unavailable() : CommonErrors.internalError({ cause: error });
}

/** The headers of an error's response. */
export function headersOf({ spec, occurrence }: DomainError): Record<string, string> {
  return { ...(spec.status === 429 || spec.status === 503 ? { 'Retry-After': RETRY_AFTER } : {}), ...occurrence.headers };
}

const MOST_DETAILS = 50;
const LONGEST_PARAM = 255;
const LONGEST_MESSAGE = 2_000;
const MOST_ALLOWED = 500;

/**
 * The error envelope, the same for REST, MCP and inbound webhooks: `{"error": {...}}`. Names in it may come from the
 * caller, so all of it is bounded. `anchor` is that of the error's entry on the page of errors,
 * null if it has none. Give no cause in production.
 */
export function envelopeOf(
  error: DomainError,
  requestId: string,
  baseUrl: string,
  anchor: string | null = error.spec.code,
  cause: ErrorCause | null = null,
) {
  const { type, code } = error.spec;
  const { param, details, allowed, extra } = error.occurrence;
  const omitted = Math.max(0, (details?.length ?? 0) - MOST_DETAILS);
  return {
    error: {
      type,
      code,
      message: shortened(error.message, LONGEST_MESSAGE),
      ...(param === undefined ? {} : { param: shortened(param, LONGEST_PARAM) }),
      ...(details === undefined ? {} : { details: details.slice(0, MOST_DETAILS).map(boundedDetail) }),
      ...(omitted === 0 ? {} : { omitted_details: omitted }),
      ...(allowed === undefined ? {} : { allowed: allowed.slice(0, MOST_ALLOWED) }),
      ...extra,
      ...(cause === null ? {} : { cause }),
      request_id: requestId,
      doc_url: `${baseUrl}/docs/errors${anchor === null ? '' : `#${anchor}`}`,
    },
  };
}

function boundedDetail({ param, message, allowed, ...detail }: ErrorDetail): ErrorDetail {
  return {
    ...detail,
    param: shortened(param, LONGEST_PARAM),
    message: shortened(message, LONGEST_PARAM * 2),
    ...(allowed === undefined ? {} : { allowed: allowed.slice(0, MOST_DETAILS) }),
  };
}

function shortened(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length).toWellFormed()}...`;
}
