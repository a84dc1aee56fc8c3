import { bothOf, Field, pickOf, shownOf } from '../../kit/index.js';
import { AnalyticsDto, AnalyticsQuery, CallStatsDto, IntervalStatsDto, KeyStatsDto, RouteStatsDto } from './analytics.dto.js';
import { RequestLogDto } from './request-logs.dto.js';

export class OverviewQuery extends pickOf(AnalyticsQuery, ['mode']) {}

/** Calls that failed in the same way, with the same key and at the same route or with the same tool. */
export class ErrorGroupDto extends bothOf(
  pickOf(RouteStatsDto, ['calls', 'method', 'route', 'operation']),
  shownOf(RequestLogDto, {
    status: { example: 409 },
    code: { description: 'Error code.', example: 'resource_conflict' },
    tool: true,
    api_key_id: 'The API key; null for calls without a recognized one.',
  }),
) {
  @Field.string({
    description: 'Name of the key.',
    example: 'Nightly import',
    nullable: true,
  })
  key_name: string | null;

  @Field.dateTime({
    description: 'The first of these calls, UTC.',
    example: '2026-11-21T08:00:00.000Z',
  })
  first_at: string;

  @Field.dateTime({
    description: 'The last of these calls, UTC.',
    example: '2026-11-21T09:30:00.000Z',
  })
  last_at: string;

  @Field.uuid({
    description: 'The log entry of the last of these calls.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a60',
  })
  last_log_id: string;
}

/** A key whose calls were rejected because of a rate limit. */
export class RateLimitedKeyDto extends pickOf(KeyStatsDto, ['api_key_id', 'calls']) {
  @Field.string({
    description: 'Name of the key.',
    example: 'Nightly import',
    nullable: true,
  })
  key_name: string | null;

  @Field.dateTime({
    description: 'When it was last limited, UTC.',
    example: '2026-11-21T09:30:00.000Z',
  })
  last_at: string;
}

/** The API calls of the last 24 hours. */
export class OverviewDto extends pickOf(AnalyticsDto, ['from', 'to']) {
  @Field.constant('overview')
  object: string;

  @Field.object(() => CallStatsDto, {
    description: 'All calls.',
    example: undefined,
  })
  totals: CallStatsDto;

  @Field.object(() => IntervalStatsDto, {
    description: 'Per hour, oldest first.',
    example: undefined,
    list: { maxItems: 25 },
  })
  by_interval: IntervalStatsDto[];

  @Field.object(() => ErrorGroupDto, {
    description: 'The 20 most frequent kinds of failures, without those because of rate limits.',
    example: undefined,
    list: { maxItems: 20 },
  })
  errors: ErrorGroupDto[];

  @Field.object(() => RateLimitedKeyDto, {
    description: 'The 20 keys whose calls were most often rejected because of a rate limit.',
    example: undefined,
    list: { maxItems: 20 },
  })
  rate_limited: RateLimitedKeyDto[];
}
