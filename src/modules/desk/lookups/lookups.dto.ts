import {
  ActiveLookupQuery,
  bothOf,
  Field,
  Filter,
  Listing,
  LookupQuery,
  partialOf,
  ProjectLookupQuery,
  responseOf,
  shownOf,
} from '../../../kit/index.js';
import type { DeskAgent } from '../model/agent.entity.js';
import { EXAMPLE } from '../model/example-ids.js';
import type { DeskQueue } from '../model/queue.entity.js';
import type { DeskStatus } from '../model/status.entity.js';
import { PRIORITIES, rankOf, STATUS_CATEGORIES, type Priority, type StatusCategory } from '../model/values.js';
import { ACTIVE, DeskConfiguredDto, NAME, OfProjectDto, PLACE } from './configured.dto.js';

export class CreateTicketStatusDto extends OfProjectDto {
  @Field.string({
    ...NAME,
    summary: true,
    example: 'Waiting for delivery',
  })
  name: string;

  @Field.oneOf(STATUS_CATEGORIES, {
    summary: true,
    description: 'Never changes.',
    example: 'on_hold',
  })
  category: StatusCategory;

  @Field.boolean({
    summary: true,
    description: 'true makes it the default of its category instead of the current one.',
    example: true,
    required: false,
  })
  is_default?: boolean;

  @Field.integer(PLACE)
  position?: number;

  @Field.boolean({
    ...ACTIVE,
    summary: true,
  })
  active?: boolean;
}

export class UpdateTicketStatusDto extends partialOf(CreateTicketStatusDto, { omit: ['project_id', 'category'] }) {}

/** A status of tickets. */
export class TicketStatusDto extends bothOf(
  DeskConfiguredDto,
  shownOf(CreateTicketStatusDto, {
    name: true,
    category: 'What a ticket with it may do.',
    is_default: { description: 'Whether the suite gives it to tickets that it moves to the category.', example: false },
    position: 'Position in the list.',
    active: 'Whether tickets can get it.',
  }),
) {
  @Field.constant('ticket_status')
  object: string;

  static from(this: void, status: DeskStatus): TicketStatusDto {
    return responseOf(TicketStatusDto, status);
  }
}

/** A priority of tickets. */
export class TicketPriorityDto {
  @Field.constant('ticket_priority')
  object: string;

  @Field.oneOf(PRIORITIES, {
    summary: true,
    description: 'Value to send as priority.',
    example: 'high',
  })
  id: Priority;

  @Field.integer({
    summary: true,
    description: 'Rank from 0 (low), by which sort=priority sorts.',
    example: 2,
    minimum: 0,
    maximum: 3,
  })
  rank: number;

  static from(this: void, priority: Priority): TicketPriorityDto {
    return { object: 'ticket_priority', id: priority, rank: rankOf(priority) };
  }
}

export class CreateTicketQueueDto extends OfProjectDto {
  @Field.string({
    ...NAME,
    summary: true,
    example: 'Billing',
  })
  name: string;

  @Field.boolean({
    summary: true,
    description: 'true makes it the default instead of the current one.',
    example: true,
    required: false,
  })
  is_default?: boolean;

  @Field.integer(PLACE)
  position?: number;

  @Field.boolean({
    ...ACTIVE,
    summary: true,
  })
  active?: boolean;
}

export class UpdateTicketQueueDto extends partialOf(CreateTicketQueueDto, { omit: ['project_id'] }) {}

/** A queue of tickets. */
export class TicketQueueDto extends bothOf(
  DeskConfiguredDto,
  shownOf(CreateTicketQueueDto, {
    name: true,
    is_default: { description: 'Whether tickets that name no queue go there.', example: false },
    position: 'Position in the list.',
    active: 'Whether tickets can be put there.',
  }),
) {
  @Field.constant('ticket_queue')
  object: string;

  static from(this: void, queue: DeskQueue): TicketQueueDto {
    return responseOf(TicketQueueDto, queue);
  }
}

export class CreateTicketAgentDto extends OfProjectDto {
  @Field.uuid({
    description: 'A member; one agent per project.',
    example: EXAMPLE.member,
  })
  member_id: string;

  @Field.uuid({
    description: 'The queues they work on; empty: all.',
    example: [],
    default: [],
    list: { maxItems: 50 },
    required: false,
  })
  queue_ids?: string[];

  @Field.boolean({
    ...ACTIVE,
    summary: true,
    description: 'Whether tickets can be assigned to them.',
  })
  active?: boolean;
}

export class UpdateTicketAgentDto extends partialOf(CreateTicketAgentDto, { omit: ['project_id', 'member_id'] }) {}

/** A member who answers tickets. */
export class TicketAgentDto extends bothOf(
  DeskConfiguredDto,
  shownOf(CreateTicketAgentDto, { member_id: 'Member.', queue_ids: true, active: true }),
) {
  @Field.constant('ticket_agent')
  object: string;

  @Field.string({
    summary: true,
    description: 'Name.',
    example: 'Grace Hopper',
  })
  name: string;

  @Field.email({
    summary: true,
    description: 'E-mail address.',
    example: 'grace@example.com',
  })
  email: string;

  static from(this: void, agent: DeskAgent): TicketAgentDto {
    const { active, member } = agent;
    const { name = '', email = '', status } = member ?? {};
    return { ...responseOf(TicketAgentDto, agent), name, email, active: active && status === 'active' };
  }
}

@Listing({
  sort: ['position', 'created_at'],
  defaultSort: 'position',
})
export class TicketStatusesQuery extends ActiveLookupQuery {
  @Filter.oneOf(STATUS_CATEGORIES, {
    description: 'Only of these categories.',
    example: ['solved'],
  })
  category?: StatusCategory[];
}

@Listing({
  sort: ['rank'],
  defaultSort: 'rank',
})
export class TicketPrioritiesQuery extends LookupQuery {}

@Listing({
  sort: ['position', 'created_at'],
  defaultSort: 'position',
})
export class TicketQueuesQuery extends ActiveLookupQuery {}

@Listing({
  sort: ['created_at'],
  defaultSort: 'created_at',
})
export class TicketAgentsQuery extends ProjectLookupQuery {
  @Filter.custom({
    kind: 'email',
    maxLength: 254,
    description: 'Only the agent with this address.',
    example: 'grace@example.com',
  })
  email?: string;

  @Filter.custom({
    kind: 'boolean',
    description: 'Only active ones, or only others.',
    example: true,
  })
  active?: boolean;
}
