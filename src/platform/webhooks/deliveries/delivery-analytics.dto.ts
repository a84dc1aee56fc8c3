import { Field, pickOf } from '../../../kit/index.js';
import { AnalyticsDto, latency, SpanQuery } from '../../request-log/analytics.dto.js';

const ENDPOINT_ID = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a62';

/** Which attempts to count. */
export class DeliveryAnalyticsQuery extends SpanQuery {
  @Field.uuid({
    description: 'Only attempts at this endpoint.',
    example: ENDPOINT_ID,
    required: false,
  })
  endpoint_id?: string;

  @Field.oneOf(['live', 'test'], {
    description: 'Only attempts of this data plane.',
    example: 'live',
    required: false,
  })
  mode?: string;
}

/** The number of attempts and their outcomes. */
export class AttemptStatsDto {
  @Field.integer({
    description: 'Attempts, those of retries included.',
    example: 1200,
    minimum: 0,
  })
  attempts: number;

  @Field.integer({
    description: 'Attempts that failed.',
    example: 12,
    minimum: 0,
  })
  failures: number;

  @Field.number({
    description: 'failures / attempts, from 0 to 1; 0 without attempts.',
    example: 0.01,
  })
  failure_rate: number;

  @latency('Median')
  latency_ms_p50: number | null;

  @latency('95th percentile of the')
  latency_ms_p95: number | null;

  @latency('99th percentile of the')
  latency_ms_p99: number | null;
}

export class IntervalAttemptsDto extends AttemptStatsDto {
  @Field.dateTime({
    description: 'Start of the interval, UTC.',
    example: '2026-11-21T09:00:00.000Z',
  })
  start_at: string;
}

export class EndpointAttemptsDto extends AttemptStatsDto {
  @Field.uuid({
    description: 'The endpoint; it may have been deleted.',
    example: ENDPOINT_ID,
  })
  endpoint_id: string;
}

export class ReasonAttemptsDto extends AttemptStatsDto {
  @Field.string({
    description: 'Why the attempts failed.',
    example: 'answered 503',
    maxLength: 500,
  })
  error: string;
}

/** Counts of delivery attempts over a period, by when each attempt began. */
export class DeliveryAnalyticsDto extends pickOf(AnalyticsDto, ['from', 'to', 'interval']) {
  @Field.constant('delivery_analytics')
  object: string;

  @Field.object(() => AttemptStatsDto, {
    description: 'All attempts.',
    example: undefined,
  })
  totals: AttemptStatsDto;

  @Field.object(() => IntervalAttemptsDto, {
    description: 'Per hour or day, every interval of the span, oldest first.',
    example: undefined,
    list: { maxItems: 745 },
  })
  by_interval: IntervalAttemptsDto[];

  @Field.object(() => EndpointAttemptsDto, {
    description: 'Per endpoint, most attempts first.',
    example: undefined,
    list: { maxItems: 10000 },
  })
  by_endpoint: EndpointAttemptsDto[];

  @Field.object(() => ReasonAttemptsDto, {
    description: 'The 20 most frequent reasons of failures, most frequent first.',
    example: undefined,
    list: { maxItems: 20 },
  })
  by_error: ReasonAttemptsDto[];
}
