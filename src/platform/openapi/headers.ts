import type { Type } from '@nestjs/common';
import { fieldsOf } from '../../kit/index.js';
import { isEventStream, isRestorableDeletion } from '../../kit/internal.js';
import { takesDryRun, takesPlan, type Route } from '../registry/route-registry.js';
import { takesIdempotencyKey, takesIfMatch } from './declared-errors.js';

const text = (description: string, example: string) => ({ description, schema: { type: 'string' }, example });
const integer = (description: string, example: number) => ({ description, schema: { type: 'integer' }, example });

/** Components: the headers of responses. */
export const RESPONSE_HEADERS = {
  'Request-Id': text('Identifies this request in the log.', 'req_8f1c2d3e4b5a49768c0d1e2f3a4b5c6d'),
  'Svc-Mode': text('The data plane the call worked on, live or test.', 'live'),
  'RateLimit-Limit': integer('Requests per window of the tightest limit.', 60),
  'RateLimit-Remaining': integer('Requests left in the window.', 59),
  'RateLimit-Reset': integer('Seconds until more requests are available.', 60),
  'RateLimit-Policy': text('All limits that apply, with quota and window in seconds.', '"key";q=60;w=60, "org";q=600;w=60'),
  'Retry-After': integer('Seconds to wait before repeating the request.', 12),
  'WWW-Authenticate': text('How to authenticate.', 'Bearer realm="work-suite"'),
  ETag: text('The version of the resource, for If-Match.', '"1"'),
  'Content-Disposition': text('The name to save a file under; absent on JSON.', 'attachment; filename=report.csv'),
  'Svc-Ignored-Fields': text('Fields of the body that had no effect, comma-separated.', 'organization_id'),
  'Svc-Dry-Run': text('`true` when the call was only tried out.', 'true'),
  'Svc-Restorable-Until': text('Until when the deleted record can be restored.', '2026-12-31T09:30:00.000Z'),
  'Idempotent-Replayed': text('`true` when this is the stored response of an earlier request.', 'true'),
} as const;

type HeaderName = keyof typeof RESPONSE_HEADERS;

/** Of every response to a key. Only the response 429 describes them: repeated with each of the others, they would hide what is special. */
const KEYED = ['Svc-Mode', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'RateLimit-Policy'] as const;

/** The headers of a successful response. */
export function responseHeaders(route: Route) {
  const names: HeaderName[] = ['Request-Id'];
  if (route.plane !== 'public' && route.endpoint?.returns && !route.endpoint.list) names.push('ETag');
  if (route.endpoint?.produces && !isEventStream(route.endpoint)) names.push('Content-Disposition');
  if (route.bodyDto) names.push('Svc-Ignored-Fields');
  if (takesIdempotencyKey(route)) names.push('Idempotent-Replayed');
  if (takesDryRun(route)) names.push('Svc-Dry-Run');
  if (route.endpoint && isRestorableDeletion(route.endpoint.operation)) names.push('Svc-Restorable-Until');
  return referTo(names);
}

/** Those of an error. */
export function errorHeaders(status: number, { plane }: Route) {
  const names: HeaderName[] = ['Request-Id'];
  if (status === 429 || status === 503) names.push('Retry-After');
  if (status === 429 && plane === 'keyed') names.push(...KEYED);
  if (status === 401) names.push('WWW-Authenticate');
  return referTo(names);
}

function referTo(names: readonly HeaderName[]) {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** The headers that a route reads; MCP clients pass them as arguments. */
export function requestHeaders(route: Route) {
  const parameters = [];
  if (takesIdempotencyKey(route)) {
    parameters.push({
      name: 'Idempotency-Key',
      in: 'header',
      schema: { type: 'string', minLength: 1, maxLength: 255 },
      example: '5d2b7f0c-order-1042',
      description:
        'One unique value per logical operation: a repeat with the same value and body has no effect and gets the ' +
        'first response. Kept 24 hours by default. An error does not use it up: send the same value again, with corrected fields.',
    });
  }
  if (takesIfMatch(route)) {
    parameters.push({
      name: 'If-Match',
      in: 'header',
      schema: { type: 'string', maxLength: 255 },
      example: '"1"',
      description: 'The ETag of the version you read: the change is rejected with 412 if the resource has changed since.',
    });
  }
  if (route.endpoint && isEventStream(route.endpoint))
    parameters.push({
      name: 'Last-Event-ID',
      in: 'header',
      schema: { type: 'string', pattern: '^[0-9]{1,15}$' },
      example: '4182',
      description: 'The id of the last event that you received: the stream continues after it. Browsers send it when they connect again.',
    });
  // an import has a dry run of its own, which also reports on each row
  if (takesDryRun(route) && !hasField(route.queryDto, 'dry_run') && !hasField(route.bodyDto, 'dry_run')) {
    parameters.push({
      name: 'Svc-Dry-Run',
      in: 'header',
      schema: { type: 'boolean' },
      example: false,
      description:
        '`true` tries the call out: nothing is written or sent. The answer is what it would be, with `would_emit` and `would_send`.',
    });
  }
  if (takesPlan(route)) {
    parameters.push({
      name: 'Svc-Plan-Token',
      in: 'header',
      required: false,
      schema: { type: 'string', maxLength: 205 },
      example: 'plan_aSg3WxkPtc0',
      description:
        'The `plan_token` of a dry run of the same call within the last ten minutes: the call does exactly what the dry run showed, or ' +
        'fails with `confirmation_required`. Keys that ask before they delete or reach people require it.',
    });
  }
  return parameters;
}

function hasField(dto: Type | null | undefined, name: string): boolean {
  return dto ? fieldsOf(dto).has(name) : false;
}
