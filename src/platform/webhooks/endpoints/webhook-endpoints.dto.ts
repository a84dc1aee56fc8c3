import {
  bothOf,
  Field,
  Filter,
  Listing,
  ListQuery,
  LookupQuery,
  partialOf,
  pickOf,
  ResourceDto,
  responseOf,
  shownOf,
} from '../../../kit/index.js';
import type { WebhookEndpoint } from './webhook-endpoint.entity.js';

const MODES = ['live', 'test'] as const;
const PROJECT_ID = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a61';
const ENDPOINT_STATUSES = ['enabled', 'disabled'] as const;
export const DEFAULT_CONCURRENCY = 10;

export class CreateWebhookEndpointDto {
  @Field.string({
    summary: true,
    description: 'The URL to send to: https, with a public address. Redirects are not followed.',
    example: 'https://example.com/hooks',
    maxLength: 2048,
  })
  url: string;

  @Field.string({
    summary: true,
    description: 'What the endpoint is for.',
    example: 'Warehouse',
    maxLength: 500,
    nullable: true,
    required: false,
  })
  description?: string | null;

  @Field.string({
    description: 'Event types, `note.*` for all of a subject, or `*` for all; wildcards include future ones.',
    example: ['*'],
    maxLength: 100,
    list: { minItems: 1, maxItems: 200 },
  })
  events: string[];

  @Field.uuid({
    description: 'Only events of this project.',
    example: PROJECT_ID,
    nullable: true,
    required: false,
  })
  project_id?: string | null;

  @Field.oneOf(MODES, {
    summary: true,
    description: 'Data plane whose events are sent; never changes.',
    example: 'live',
    required: false,
    default: 'live',
  })
  mode?: 'live' | 'test';

  @Field.integer({
    description: 'Maximum number of deliveries in flight.',
    example: DEFAULT_CONCURRENCY,
    required: false,
    default: DEFAULT_CONCURRENCY,
    minimum: 1,
    maximum: 100,
  })
  max_concurrency?: number;

  @Field.integer({
    description: 'Maximum number of deliveries per minute, evenly spread; further ones wait. Null for no limit.',
    example: 120,
    required: false,
    nullable: true,
    minimum: 1,
    maximum: 60_000,
  })
  max_per_minute?: number | null;

  @Field.map({
    description:
      'Only events that have one of the given texts at each path, such as data.object.status_id; all if not set. In a list, one of its ' +
      'items must match. Numbers and booleans are compared as texts; "null" matches what is null or absent.',
    example: { 'data.object.project_id': [PROJECT_ID] },
    required: false,
    nullable: true,
    maxProperties: 10,
  })
  filter?: Record<string, unknown> | null;

  @Field.map({
    description:
      'Headers that each delivery has, with their values; they replace those set before. Encrypted, and never returned. Headers that ' +
      'deliveries set themselves are refused, such as Svc-Signature, Content-Type and Host.',
    example: { 'X-Api-Key': 'the key of the receiver' },
    required: false,
    maxProperties: 20,
  })
  headers?: Record<string, unknown>;
}

export class UpdateWebhookEndpointDto extends partialOf(CreateWebhookEndpointDto, { omit: ['mode'] }) {}

/** Where events are sent. Its signing secret is returned once, when it is created or rolled. */
export class WebhookEndpointDto extends bothOf(
  ResourceDto,
  shownOf(CreateWebhookEndpointDto, {
    url: 'The URL that events are sent to.',
    description: true,
    events: 'The event types that are sent; `note.*` for all of a subject, `*` for all.',
    project_id: 'Only events of this project; null for all of the organization.',
    mode: 'Data plane whose events are sent.',
    max_concurrency: true,
    max_per_minute: true,
    filter: 'Only events that have one of the texts at each path; null for all.',
  }),
) {
  @Field.constant('webhook_endpoint')
  object: string;

  @Field.string({
    description: 'Names of the headers that each delivery has.',
    example: ['X-Api-Key'],
    maxLength: 64,
    list: { maxItems: 20 },
  })
  header_names: string[];

  @Field.oneOf(ENDPOINT_STATUSES, {
    summary: true,
    description: 'Nothing is sent to a disabled endpoint.',
    example: 'enabled',
  })
  status: string;

  @Field.oneOf(['manual', 'gone', 'failing'], {
    description: 'manual: by a member; gone: it responded with 410; failing: no success for days.',
    example: null,
    nullable: true,
  })
  disabled_reason: string | null;

  @Field.dateTime({
    description: 'When it was disabled, UTC.',
    example: null,
    nullable: true,
  })
  disabled_at: string | null;

  @Field.dateTime({
    description: 'Since when deliveries have been failing, UTC; null while they succeed.',
    example: null,
    nullable: true,
  })
  failing_since: string | null;

  @Field.dateTime({
    description:
      'Since when its responses have taken longer than half a second, UTC; null while they do not. Slow endpoints ' +
      'share a part of what is sent at once, so they may get less than max_concurrency.',
    example: null,
    nullable: true,
  })
  slow_since: string | null;

  @Field.dateTime({
    description:
      'Until when nothing is sent, because the receiver asked for a pause with Retry-After, UTC; null if it did not. Test events and ' +
      'deliveries that a member sends again do not wait.',
    example: null,
    nullable: true,
  })
  held_until: string | null;

  @Field.string({
    description: 'The response that asked for the pause; null without a pause.',
    example: null,
    nullable: true,
  })
  hold_reason: string | null;

  @Field.dateTime({
    description: 'Until when deliveries are also signed with the previous secret, UTC.',
    example: null,
    nullable: true,
  })
  previous_secret_expires_at: string | null;

  static from(this: void, row: WebhookEndpoint): WebhookEndpointDto {
    const { previous_secret_expires_at: expires } = row;
    const held = row.held_until && row.held_until.getTime() > Date.now() ? row.held_until : null;
    return {
      ...responseOf(WebhookEndpointDto, row),
      held_until: text(held),
      hold_reason: held && row.hold_reason,
      previous_secret_expires_at: text(expires && expires.getTime() > Date.now() ? expires : null),
    };
  }
}

function text(time: Date | null): string | null {
  return time?.toISOString() ?? null;
}

/** An endpoint with its signing secret, which no other response contains. */
export class WebhookEndpointWithSecretDto extends WebhookEndpointDto {
  @Field.string({
    description: 'The signing secret; save it now. Null when the response is replayed for a repeated Idempotency-Key.',
    example: 'svc_whsec_3v0Jm2o0b1cQy7l5u8hZ4tq9n6s2w1x0y9zAbCdEfGh',
    nullable: true,
  })
  secret: string | null;
}

export class RollWebhookSecretDto {
  @Field.integer({
    description: 'Hours for which deliveries are also signed with the previous secret.',
    example: 24,
    required: false,
    default: 0,
    minimum: 0,
    maximum: 24,
  })
  overlap_hours?: number;
}

@Listing({
  sort: ['created_at'],
  defaultSort: '-created_at',
})
export class WebhookEndpointsQuery extends ListQuery {
  @Filter.oneOf(MODES, {
    description: 'Only endpoints of this data plane.',
    example: 'live',
  })
  mode?: string[];

  @Filter.oneOf(ENDPOINT_STATUSES, {
    description: 'Only endpoints of this status.',
    example: 'disabled',
  })
  status?: string[];

  @Filter.custom({
    kind: 'boolean',
    description: 'true: only endpoints whose deliveries are failing, or that were disabled because of it; false: only the others.',
    example: true,
  })
  failing?: boolean;

  @Filter.uuid({
    description: 'Only endpoints of this project; none for endpoints without a project.',
    example: PROJECT_ID,
    orNone: true,
  })
  project_id?: string[];
}

/** A type of event that endpoints can subscribe to. */
export class EventTypeDto {
  @Field.constant('event_type')
  object: string;

  @Field.string({
    description: 'The name, as in `type` of an event and in `events` of an endpoint.',
    example: 'note.created',
  })
  type: string;

  @Field.string({
    description: 'When it happens.',
    example: 'A note was created.',
  })
  description: string;

  @Field.string({
    description: 'The module it belongs to; null for the platform.',
    example: 'notes',
    nullable: true,
  })
  module: string | null;

  @Field.map({
    description: 'Descriptions of the members of `data.context`.',
    example: {},
  })
  context: Record<string, string>;

  @Field.string({
    description: 'Reference to the schema of its body.',
    example: '/openapi.json#/webhooks/note.created',
  })
  schema: string;

  @Field.map({
    description: 'An example of its body.',
    example: { object: 'event', type: 'note.created' },
  })
  example_body: Record<string, unknown>;
}

export class SentTestEventDto extends pickOf(EventTypeDto, ['type']) {
  @Field.constant('test_event')
  object: string;

  @Field.uuid({
    description: 'Id of the event, the Svc-Event-Id of its delivery.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a62',
  })
  event_id: string;
}

@Listing({
  sort: ['type'],
  defaultSort: 'type',
})
export class EventTypesQuery extends LookupQuery {}
