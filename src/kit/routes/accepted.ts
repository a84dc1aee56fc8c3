import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import Negotiator from 'negotiator';

/** A parameter of a media range, other than its quality. */
const PARAMETER = /;\s*(?!q\s*=)[^;,]*/gi;

/**
 * Picks one of the offered media types by the Accept header (RFC 9110): the highest quality wins, then the most specific
 * range, then the range listed first. Without a header, or without a match, the first type offered is used instead of a 406.
 * Parameters such as `charset` do not count, as no type is offered in several variants.
 */
export function preferredType(accept: string | undefined, offered: readonly string[]): string {
  const headers = { accept: accept?.replace(PARAMETER, '') };
  return new Negotiator({ headers }).mediaType([...offered]) ?? offered[0];
}

const acceptedType = createParamDecorator((offered: readonly string[], context: ExecutionContext) => {
  const http = context.switchToHttp();
  // without Vary, a shared cache could serve one media type to a caller that asked for the other
  http.getResponse<{ header(name: string, value: string): void }>().header('Vary', 'Accept');
  return preferredType(http.getRequest<{ headers: { accept?: string } }>().headers.accept, offered);
});

/**
 * Injects the offered media type that the caller prefers: `data(@Accepted(['application/json', 'text/csv']) type: string)`.
 *
 * @example
 * ```ts
 * import { Controller, Get } from '@nestjs/common';
 * import { Accepted, csvText, Endpoint, FileResponse } from 'work-suite/kit';
 * import { TripDto } from './trip.dto.js';
 *
 * @Controller('api/v1/ext/fleet/summary')
 * export class SummaryController {
 *   @Get()
 *   @Endpoint({
 *     operation: 'get_trip_summary',
 *     summary: 'Get the summary',
 *     scope: 'fleet:trip:read',
 *     returns: TripDto,
 *     produces: { 'text/csv': 'A line per month.' },
 *   })
 *   read(@Accepted(['application/json', 'text/csv']) type: string): FileResponse | object {
 *     return type === 'text/csv' ? new FileResponse(type, csvText(['month', 'trips'], [['2026-11', 7]])) : { trips: 7 };
 *   }
 * }
 * ```
 */
export function Accepted(offered: readonly [string, ...string[]]): ParameterDecorator {
  return acceptedType(offered);
}
