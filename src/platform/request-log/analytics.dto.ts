import { bothOf, Field, pickOf } from '../../kit/index.js';
import { PLANES, RequestLogDto } from './request-logs.dto.js';

export const latency = (which: string) =>
  Field.number({ description: `${which} latency in milliseconds, exact to 2.5 %; null without calls.`, example: 4.1, nullable: true });

/** A span of time in intervals. */
export class SpanQuery {
  @Field.dateTime({
    description: 'Start, inclusive; 24 hours before `to` unless given.',
    example: '2026-11-20T00:00:00Z',
    required: false,
  })
  from?: string;

  @Field.dateTime({
    description: 'End, exclusive, or the last day; now unless given. At most 31 days after `from`.',
    example: '2026-11-21T00:00:00Z',
    required: false,
    endOfDay: true,
  })
  to?: string;

  @Field.oneOf(['hour', 'day'], {
    description: 'Length of the intervals of `by_interval`, in UTC.',
    example: 'hour',
    required: false,
    default: 'hour',
  })
  interval?: 'hour' | 'day';
}

/** Which calls to count. */
export class AnalyticsQuery extends SpanQuery {
  @Field.oneOf(PLANES, {
    description: 'Which plane to count.',
    example: 'keyed',
    required: false,
    default: 'keyed',
  })
  plane?: string;

  @Field.uuid({
    description: 'Only calls with keys bound to this project.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a61',
    required: false,
  })
  project_id?: string;

  @Field.uuid({
    description: 'Only calls with this API key.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a63',
    required: false,
  })
  api_key_id?: string;

  @Field.oneOf(['live', 'test'], {
    description: 'Only calls of this data plane.',
    example: 'live',
    required: false,
  })
  mode?: string;

  @Field.string({
    description: 'Only calls of this operation.',
    example: 'create_note',
    required: false,
  })
  operation?: string;

  @Field.string({
    description: 'Only calls of this MCP tool.',
    example: 'create_note',
    required: false,
  })
  tool?: string;

  @Field.string({
    description: 'Only errors with this code.',
    example: 'rate_limited',
    required: false,
  })
  code?: string;

  @Field.integer({
    description: 'Only responses with this status.',
    example: 429,
    required: false,
    minimum: 100,
    maximum: 599,
  })
  status?: number;
}

/** The number of calls and their outcomes. */
export class CallStatsDto {
  @Field.integer({
    description: 'Calls.',
    example: 1200,
    minimum: 0,
  })
  calls: number;

  @Field.integer({
    description: 'Calls with a response status of 400 or more.',
    example: 12,
    minimum: 0,
  })
  errors: number;

  @Field.number({
    description: 'errors / calls, from 0 to 1; 0 without calls.',
    example: 0.01,
  })
  error_rate: number;

  @latency('Median')
  latency_ms_p50: number | null;

  @latency('95th percentile of the')
  latency_ms_p95: number | null;

  @latency('99th percentile of the')
  latency_ms_p99: number | null;
}

export class IntervalStatsDto extends CallStatsDto {
  @Field.dateTime({
    description: 'Start of the interval, UTC.',
    example: '2026-11-21T09:00:00.000Z',
  })
  start_at: string;
}

export class RouteStatsDto extends bothOf(CallStatsDto, pickOf(RequestLogDto, ['method', 'route', 'operation'])) {}

export class StatusStatsDto extends bothOf(CallStatsDto, pickOf(RequestLogDto, ['status'])) {}

export class KeyStatsDto extends CallStatsDto {
  @Field.uuid({
    description: 'The API key; null for calls without a recognized one.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a63',
    nullable: true,
  })
  api_key_id: string | null;

  @Field.string({
    description: 'Name of the key.',
    example: 'Nightly import',
    nullable: true,
  })
  name: string | null;
}

export class ToolStatsDto extends CallStatsDto {
  @Field.string({
    description: 'MCP tool.',
    example: 'get_note',
  })
  tool: string;
}

export class CodeStatsDto extends CallStatsDto {
  @Field.string({
    description: 'Error code.',
    example: 'rate_limited',
  })
  code: string;
}

/**
 * Counts of calls over a period. Those by interval, route, status and key add up to `totals` each; those by tool and by code count
 * the calls of tools and the errors.
 */
export class AnalyticsDto {
  @Field.constant('analytics')
  object: string;

  @Field.dateTime({
    description: 'Start, inclusive, UTC.',
    example: '2026-11-20T00:00:00.000Z',
  })
  from: string;

  @Field.dateTime({
    description: 'End, exclusive, UTC.',
    example: '2026-11-21T00:00:00.000Z',
  })
  to: string;

  @Field.oneOf(['hour', 'day'], {
    description: 'Length of the intervals.',
    example: 'hour',
  })
  interval: string;

  @Field.object(() => CallStatsDto, {
    description: 'All calls.',
    example: undefined,
  })
  totals: CallStatsDto;

  @Field.object(() => IntervalStatsDto, {
    description: 'Per hour or day, every interval of the span, oldest first.',
    example: undefined,
    list: { maxItems: 745 },
  })
  by_interval: IntervalStatsDto[];

  @Field.object(() => RouteStatsDto, {
    description: 'Per route, most called first.',
    example: undefined,
    list: { maxItems: 2000 },
  })
  by_route: RouteStatsDto[];

  @Field.object(() => StatusStatsDto, {
    description: 'Per status, in their order.',
    example: undefined,
    list: { maxItems: 500 },
  })
  by_status: StatusStatsDto[];

  @Field.object(() => KeyStatsDto, {
    description: 'Per API key, most calls first.',
    example: undefined,
    list: { maxItems: 10000 },
  })
  by_key: KeyStatsDto[];

  @Field.object(() => ToolStatsDto, {
    description: 'Per MCP tool, most called first; without calls that were made directly.',
    example: undefined,
    list: { maxItems: 2000 },
  })
  by_tool: ToolStatsDto[];

  @Field.object(() => CodeStatsDto, {
    description: 'Per error code, most frequent first; without successful calls.',
    example: undefined,
    list: { maxItems: 500 },
  })
  by_code: CodeStatsDto[];
}
