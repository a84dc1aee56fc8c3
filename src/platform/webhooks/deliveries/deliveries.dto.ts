import { Field, Filter, Listing, ListQuery, DatedResourceDto, responseOf } from '../../../kit/index.js';
import type { DeliveryStatus, WebhookDelivery } from './webhook-delivery.entity.js';

const ENDPOINT_ID = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a62';
const EVENT_ID = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a63';
const PROJECT_ID = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a61';
const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;

/** The delivery of one event to one endpoint. */
export class DeliveryDto extends DatedResourceDto {
  @Field.constant('delivery')
  object: string;

  @Field.uuid({
    description: 'The endpoint; it may have been deleted.',
    example: ENDPOINT_ID,
  })
  endpoint_id: string;

  @Field.uuid({
    description: 'The event, which is the Svc-Event-Id of every attempt.',
    example: EVENT_ID,
  })
  event_id: string;

  @Field.string({
    summary: true,
    description: 'Type of the event.',
    example: 'webhook_endpoint.tested',
  })
  event_type: string;

  @Field.uuid({
    description: 'Project of the event.',
    example: PROJECT_ID,
    nullable: true,
  })
  project_id: string | null;

  @Field.oneOf(['live', 'test'], {
    description: 'Data plane of the event.',
    example: 'live',
  })
  mode: string;

  @Field.oneOf(DELIVERY_STATUSES, {
    summary: true,
    description: 'pending until an attempt succeeds or the last one fails.',
    example: 'delivered',
  })
  status: string;

  @Field.integer({
    summary: true,
    description: 'Attempts so far, including those before a resend.',
    example: 1,
    minimum: 0,
  })
  attempt_count: number;

  @Field.dateTime({
    summary: true,
    description: 'When the next attempt is due, UTC; null if none is.',
    example: null,
    nullable: true,
  })
  next_attempt_at: string | null;

  @Field.dateTime({
    description: 'When the last attempt began, UTC.',
    example: '2026-11-21T09:30:00.000Z',
    nullable: true,
  })
  last_attempt_at: string | null;

  @Field.integer({
    description: 'HTTP status of the last response; null if there was none.',
    example: 200,
    nullable: true,
  })
  last_status: number | null;

  @Field.string({
    description: 'Why the last attempt failed; null if it succeeded.',
    example: null,
    nullable: true,
    maxLength: 500,
  })
  last_error: string | null;

  @Field.dateTime({
    description: 'When it was delivered, UTC.',
    example: '2026-11-21T09:30:00.000Z',
    nullable: true,
  })
  delivered_at: string | null;

  static from(this: void, row: WebhookDelivery): DeliveryDto {
    return { ...responseOf(DeliveryDto, row), status: statusOf(row.status), next_attempt_at: nextAttemptOf(row) };
  }
}

function statusOf(status: DeliveryStatus): string {
  return status === 'delivered' || status === 'failed' ? status : 'pending';
}

/** One attempt and its outcome. */
export class DeliveryAttemptDto {
  @Field.integer({
    description: 'Number of the attempt, from 1.',
    example: 1,
    minimum: 1,
  })
  number: number;

  @Field.dateTime({
    description: 'When it began, UTC.',
    example: '2026-11-21T09:30:00.000Z',
  })
  started_at: string;

  @Field.integer({
    description: 'How long it took, in milliseconds.',
    example: 84,
  })
  latency_ms: number;

  @Field.integer({
    description: 'HTTP status of the response; null if there was none.',
    example: 200,
    nullable: true,
  })
  status: number | null;

  @Field.map({
    description: 'Headers of the response.',
    example: { 'content-type': 'text/plain' },
    nullable: true,
  })
  headers: Record<string, unknown> | null;

  @Field.string({
    description: 'The first 16 KiB of the response body.',
    example: 'ok',
    nullable: true,
    minLength: 0,
    maxLength: 16384,
  })
  body: string | null;

  @Field.string({
    description: 'Why it failed; null for a success.',
    example: null,
    nullable: true,
    maxLength: 500,
  })
  error: string | null;
}

export interface AttemptRow extends Omit<DeliveryAttemptDto, 'started_at'> {
  started_at: Date;
}

/** What a delivery sends. */
export class DeliveryRequestDto {
  @Field.map({
    description: 'The headers, without `Svc-Signature` and `traceparent`, which each attempt computes.',
    example: { 'Svc-Event-Type': 'webhook_endpoint.tested' },
  })
  headers: Record<string, string>;

  @Field.string({
    description:
      'The body, the same bytes in every attempt; null once the event is deleted, and if your role lacks the permission to read it.',
    example: '{"sequence":4182,"object":"event"}',
    nullable: true,
    maxLength: 10_000_000,
  })
  body: string | null;

  @Field.string({
    description: 'The permission that your role lacks to read the body; null if you may read it.',
    example: null,
    nullable: true,
  })
  required_permission: string | null;
}

/** A delivery with what it sends and its attempts, oldest first. */
export class DeliveryWithAttemptsDto extends DeliveryDto {
  @Field.object(() => DeliveryAttemptDto, {
    description: 'The attempts, oldest first; at most the last 1,000.',
    example: undefined,
    list: { maxItems: 1000 },
  })
  attempts: DeliveryAttemptDto[];

  @Field.object(() => DeliveryRequestDto, {
    description: 'What is sent.',
    example: undefined,
  })
  request: DeliveryRequestDto;

  static with(this: void, row: WebhookDelivery, request: DeliveryRequestDto, attempts: readonly AttemptRow[]): DeliveryWithAttemptsDto {
    return {
      ...DeliveryDto.from(row),
      request,
      attempts: attempts.map((attempt) => ({ ...attempt, started_at: attempt.started_at.toISOString() })),
    };
  }
}

@Listing({
  sort: ['created_at'],
  defaultSort: '-created_at',
  isEndless: true,
})
export class DeliveriesQuery extends ListQuery {
  @Filter.uuid({
    description: 'Only deliveries to these endpoints.',
    example: ENDPOINT_ID,
  })
  endpoint_id?: string[];

  @Filter.uuid({
    description: 'Only deliveries of these events.',
    example: EVENT_ID,
  })
  event_id?: string[];

  @Filter.string({
    description: 'Only deliveries of events of these types.',
    example: 'webhook_endpoint.tested',
  })
  event_type?: string[];

  @Filter.oneOf(['live', 'test'], {
    description: 'Only deliveries of this data plane.',
    example: 'live',
  })
  mode?: string[];

  @Filter.uuid({
    description: "Only deliveries of this project's events.",
    example: PROJECT_ID,
    orNone: true,
  })
  project_id?: string[];

  @Filter.custom({
    kind: 'enum',
    values: DELIVERY_STATUSES,
    description: 'Only deliveries of this status.',
    example: 'failed',
    list: { maxItems: 3 },
  })
  status?: string[];
}

export class ResendDeliveriesDto {
  @Field.uuid({
    description: 'The endpoint whose failed deliveries are sent again; it must be enabled.',
    example: ENDPOINT_ID,
  })
  endpoint_id: string;

  @Field.dateTime({
    description: 'Start of the time range: only deliveries of events at or after this time; all that are kept unless given.',
    example: '2026-11-20T00:00:00Z',
    required: false,
  })
  since?: string;

  @Field.boolean({
    description: 'Also resends pending deliveries whose last attempt failed; their next attempt is made immediately.',
    example: true,
    required: false,
    default: false,
  })
  include_waiting?: boolean;

  @Field.boolean({
    description: 'Only count the deliveries.',
    example: true,
    required: false,
    default: false,
  })
  dry_run?: boolean;
}

export class ResentDeliveriesDto {
  @Field.constant('resend')
  object: string;

  @Field.boolean({
    description: 'Whether the deliveries were only counted.',
    example: false,
  })
  dry_run: boolean;

  @Field.integer({
    description: 'Number of deliveries that were queued again, or would be.',
    example: 12,
    minimum: 0,
  })
  count: number;
}

/** A first attempt is made as soon as a worker is free. */
function nextAttemptOf({ status, due_at, queued_at }: WebhookDelivery): string | null {
  if (status !== 'ready' && status !== 'waiting') return null;
  const due = Math.max(due_at.getTime(), queued_at.getTime());
  return new Date(status === 'ready' ? Math.min(due, Date.now()) : due).toISOString();
}
