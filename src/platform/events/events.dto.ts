import { ActorDto, field, Field, Filter, Listing, ListQuery } from '../../kit/index.js';
import type { EventBody } from '../../kit/internal.js';
import type { OutboxEvent } from './outbox-event.entity.js';

const PROJECT_ID = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a61';

export class EventDataDto {
  @Field.map({
    description: 'The resource after the change, as GET returns it.',
    example: { object: 'webhook_endpoint', url: 'https://example.com/hooks' },
  })
  object: Record<string, unknown>;

  @Field.map({
    description: 'The changed members with their previous values.',
    example: {},
  })
  previous_attributes: Record<string, unknown>;

  @Field.map({
    description: 'Further data of the event.',
    example: {},
  })
  context: Record<string, unknown>;
}

export class EventRequestDto {
  @Field.string({
    description: 'Request-Id of the call that caused it.',
    example: 'req_8f1c2d3e4b5a49768c0d1e2f3a4b5c6d',
    nullable: true,
  })
  id: string | null;

  @Field.string({
    description: 'Its Idempotency-Key.',
    example: null,
    nullable: true,
  })
  idempotency_key: string | null;
}

/** An event, with the members that its deliveries have. */
export class EventDto {
  @Field.uuid({
    summary: true,
    description: 'The Svc-Event-Id of its deliveries.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a63',
  })
  id: string;

  @Field.constant('event')
  object: string;

  @Field.string({
    summary: true,
    description: 'What happened.',
    example: 'webhook_endpoint.tested',
  })
  type: string;

  @Field.oneOf(['v1'], {
    description: 'Version of the body.',
    example: 'v1',
  })
  api_version: string;

  @Field.oneOf(['live', 'test'], {
    description: 'Data plane.',
    example: 'live',
  })
  mode: string;

  @Field.dateTime({
    summary: true,
    description: 'When it happened, UTC.',
    example: '2026-11-21T09:30:00.000Z',
  })
  created_at: string;

  @Field.integer({
    summary: 'if_short',
    description: 'Orders events; larger is later. Gaps have no meaning.',
    example: 4182,
    minimum: 1,
  })
  sequence: number;

  @Field.uuid({
    description: 'The organization.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a64',
  })
  organization_id: string;

  @Field.uuid({
    description: 'The project; null for what belongs to no project.',
    example: PROJECT_ID,
    nullable: true,
  })
  project_id: string | null;

  @Field.object(() => ActorDto, {
    summary: true,
    description: 'Who did it.',
    example: undefined,
  })
  actor: ActorDto;

  @Field.object(() => EventDataDto, {
    description: 'What changed; null if your role lacks the permission to read it.',
    example: undefined,
    nullable: true,
  })
  data: EventDataDto | null;

  @Field.string({
    description: 'The permission that your role lacks to read the data; null if you may read it.',
    example: null,
    nullable: true,
  })
  required_permission: string | null;

  @Field.object(() => EventRequestDto, {
    description: 'The call that caused it.',
    example: undefined,
  })
  request: EventRequestDto;

  /** `requiredPermission`: the one that the caller lacks. */
  static from(this: void, row: OutboxEvent, requiredPermission: string | null): EventDto {
    const event = JSON.parse(row.body) as EventBody as unknown as EventDto;
    return { ...event, data: requiredPermission === null ? event.data : null, required_permission: requiredPermission };
  }
}

@Listing({
  sort: ['created_at'],
  defaultSort: '-created_at',
  isEndless: true,
})
export class EventsQuery extends ListQuery {
  @field({
    kind: 'date_time',
    description: 'The same as created_after: an event never changes.',
    example: '2026-01-01T00:00:00Z',
    required: false,
    filter: { column: 'created_at', operator: 'from' },
  })
  declare updated_after?: string;

  @Filter.uuid({
    description: 'Only the events with these ids.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a60',
  })
  id?: string[];

  @Filter.string({
    description: 'Only events of these types.',
    example: 'webhook_endpoint.tested',
  })
  type?: string[];

  @Filter.oneOf(['live', 'test'], {
    description: 'Only events of this data plane.',
    example: 'live',
  })
  mode?: string[];

  @Filter.string({
    description: 'Only events that the calls with these Request-Ids caused.',
    example: 'req_8f1c2d3e4b5a49768c0d1e2f3a4b5c6d',
  })
  request_id?: string[];

  @Filter.uuid({
    description: 'Only events of these projects.',
    example: PROJECT_ID,
    orNone: true,
  })
  project_id?: string[];
}
