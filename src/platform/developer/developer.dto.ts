import { ActorDto, Field, field, Filter, Listing, ListQuery, pickOf, bothOf } from '../../kit/index.js';
import { EventDataDto, EventDto } from '../events/events.dto.js';
import type { OutboxEvent } from '../events/outbox-event.entity.js';
import { DeliveriesQuery } from '../webhooks/deliveries/deliveries.dto.js';
import { CreateWebhookEndpointDto, UpdateWebhookEndpointDto } from '../webhooks/endpoints/webhook-endpoints.dto.js';

const SHOWN = [
  'id',
  'object',
  'type',
  'api_version',
  'mode',
  'created_at',
  'sequence',
  'organization_id',
  'project_id',
  'actor',
  'request',
] as const;

class RecentEventData {
  @Field.object(() => EventDataDto, {
    description: 'What changed.',
    example: undefined,
  })
  data: EventDataDto;
}

/** An event as receivers of webhooks get it. */
export class RecentEventDto extends bothOf(pickOf(EventDto, SHOWN), RecentEventData) {
  declare actor: ActorDto;

  static from(this: void, { body }: OutboxEvent): RecentEventDto {
    return JSON.parse(body) as RecentEventDto;
  }
}

@Listing({
  sort: ['sequence'],
  defaultSort: 'sequence',
  isEndless: true,
})
export class RecentEventsQuery extends ListQuery {
  @field({
    kind: 'date_time',
    description: 'The same as created_after: an event never changes.',
    example: '2026-01-01T00:00:00Z',
    required: false,
    filter: { column: 'created_at', operator: 'from' },
  })
  declare updated_after?: string;

  @Filter.custom({
    kind: 'string',
    description: 'Only events of these types; `note.*` for all types of a subject.',
    example: 'note.*',
    minLength: 1,
    maxLength: 100,
    list: { maxItems: 50 },
  })
  type?: string[];

  @Filter.custom({
    kind: 'integer',
    description: 'Only events after this sequence.',
    example: 4182,
    minimum: 0,
  })
  after_sequence?: number;

  @Filter.uuid({
    description: 'Only events of these projects.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a61',
    orNone: true,
  })
  project_id?: string[];
}

export class EventStreamQuery extends pickOf(RecentEventsQuery, ['type', 'after_sequence', 'project_id']) {}

export class CreateDeveloperEndpointDto extends pickOf(CreateWebhookEndpointDto, [
  'url',
  'description',
  'events',
  'project_id',
  'max_concurrency',
  'max_per_minute',
  'filter',
  'headers',
]) {}

export class UpdateDeveloperEndpointDto extends pickOf(UpdateWebhookEndpointDto, [
  'url',
  'description',
  'events',
  'project_id',
  'max_concurrency',
  'max_per_minute',
  'filter',
  'headers',
]) {}

@Listing({
  sort: ['created_at'],
  defaultSort: '-created_at',
  isEndless: true,
})
export class DeveloperDeliveriesQuery extends DeliveriesQuery {}

export class RecoverQuery {
  @Field.dateTime({
    description: 'Only events at or after this time.',
    example: '2026-11-20T00:00:00Z',
  })
  since: string;
}

export class RecoveryDto {
  @Field.constant('recovery')
  object: string;

  @Field.integer({
    description: 'Number of deliveries that were queued.',
    example: 12,
    minimum: 0,
  })
  count: number;

  @Field.boolean({
    description: 'Whether more events are left; call again to queue them.',
    example: false,
  })
  has_more: boolean;
}
