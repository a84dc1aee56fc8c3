import { Field, Filter, Listing, LookupQuery, ResourceDto } from '../../../kit/index.js';
import type { DeskAgent } from '../model/agent.entity.js';
import type { CannedResponse } from '../model/canned-response.entity.js';
import { EXAMPLE } from '../model/example-ids.js';
import type { DeskQueue } from '../model/queue.entity.js';
import type { DeskStatus } from '../model/status.entity.js';
import type { DeskView, ViewFilters } from '../model/view.entity.js';
import { PRIORITIES, rankOf, STATUS_CATEGORIES, type Priority, type StatusCategory } from '../model/values.js';

export const NAME = { description: 'Name, unique in the project.', maxLength: 100, isIdentifier: true };
export const POSITION = { description: 'Position in the list.', example: 1, minimum: 1, maximum: 10_000 };

interface Row {
  id: string;
  project_id: string;
  version: number;
  created_at: Date;
  updated_at: Date;
}

/** The fields that all rows of configuration show. */
export abstract class DeskConfiguredDto extends ResourceDto {
  @Field.uuid({
    description: 'Project.',
    example: EXAMPLE.project,
  })
  project_id: string;
}

export function base({ id, project_id, version, created_at, updated_at }: Row) {
  return { id, project_id, version, created_at: created_at.toISOString(), updated_at: updated_at.toISOString() };
}

/** A status of tickets. */
export class TicketStatusDto extends DeskConfiguredDto {
  @Field.constant('ticket_status')
  object: string;

  @Field.string({
    ...NAME,
    example: 'Waiting for delivery',
  })
  name: string;

  @Field.oneOf(STATUS_CATEGORIES, {
    description: 'What a ticket with it may do.',
    example: 'on_hold',
  })
  category: StatusCategory;

  @Field.boolean({
    description: 'Whether the suite gives it to tickets that it moves to the category.',
    example: false,
  })
  is_default: boolean;

  @Field.integer(POSITION)
  position: number;

  @Field.boolean({
    description: 'Whether tickets can get it.',
    example: true,
  })
  active: boolean;

  static from(this: void, status: DeskStatus): TicketStatusDto {
    const { name, category, is_default, position, active } = status;
    return { object: 'ticket_status', ...base(status), name, category, is_default, position, active };
  }
}

/** A priority of tickets. */
export class TicketPriorityDto {
  @Field.constant('ticket_priority')
  object: string;

  @Field.oneOf(PRIORITIES, {
    description: 'Value to send as priority.',
    example: 'high',
  })
  id: Priority;

  @Field.integer({
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

/** A queue of tickets. */
export class TicketQueueDto extends DeskConfiguredDto {
  @Field.constant('ticket_queue')
  object: string;

  @Field.string({
    ...NAME,
    example: 'Billing',
  })
  name: string;

  @Field.boolean({
    description: 'Whether tickets that name no queue go there.',
    example: false,
  })
  is_default: boolean;

  @Field.integer(POSITION)
  position: number;

  @Field.boolean({
    description: 'Whether tickets can be put there.',
    example: true,
  })
  active: boolean;

  static from(this: void, queue: DeskQueue): TicketQueueDto {
    const { name, is_default, position, active } = queue;
    return { object: 'ticket_queue', ...base(queue), name, is_default, position, active };
  }
}

/** A member who answers tickets. */
export class TicketAgentDto extends DeskConfiguredDto {
  @Field.constant('ticket_agent')
  object: string;

  @Field.uuid({
    description: 'Member.',
    example: EXAMPLE.member,
  })
  member_id: string;

  @Field.string({
    description: 'Name.',
    example: 'Grace Hopper',
  })
  name: string;

  @Field.email({
    description: 'E-mail address.',
    example: 'grace@example.com',
  })
  email: string;

  @Field.uuid({
    description: 'The queues they work on; empty: all.',
    example: [],
    list: { maxItems: 50 },
  })
  queue_ids: string[];

  @Field.boolean({
    description: 'Whether tickets can be assigned to them.',
    example: true,
  })
  active: boolean;

  static from(this: void, agent: DeskAgent): TicketAgentDto {
    const { member_id, queue_ids, active, member } = agent;
    const { name = '', email = '', status } = member ?? {};
    return { object: 'ticket_agent', ...base(agent), member_id, name, email, queue_ids, active: active && status === 'active' };
  }
}

const FILTER = { nullable: true, required: false };

/** Filters of list_tickets; null and absent: any. */
export class TicketViewFiltersDto {
  @Field.oneOf([...STATUS_CATEGORIES, 'unsolved'], {
    ...FILTER,
    description: 'Categories.',
    example: ['unsolved'],
    list: { maxItems: 7 },
  })
  status_category?: ViewFilters['status_category'] | null;

  @Field.uuid({
    ...FILTER,
    description: 'Statuses.',
    example: [EXAMPLE.status],
    list: { maxItems: 50 },
  })
  status_id?: string[] | null;

  @Field.uuid({
    ...FILTER,
    description: 'Queues.',
    example: [EXAMPLE.queue],
    list: { maxItems: 50 },
  })
  queue_id?: string[] | null;

  @Field.string({
    ...FILTER,
    description: 'Agents by id; none: without assignee.',
    example: ['none'],
    maxLength: 36,
    list: { maxItems: 50 },
  })
  assignee_id?: string[] | null;

  @Field.oneOf(PRIORITIES, {
    ...FILTER,
    description: 'Priorities.',
    example: ['urgent'],
    list: { maxItems: 4 },
  })
  priority?: Priority[] | null;

  @Field.string({
    ...FILTER,
    description: 'Any of these tags.',
    example: ['printer'],
    maxLength: 50,
    list: { maxItems: 20 },
  })
  tag?: string[] | null;
}

/** Stored filters. */
export class TicketViewDto extends DeskConfiguredDto {
  @Field.constant('ticket_view')
  object: string;

  @Field.string({
    ...NAME,
    example: 'Unassigned',
  })
  name: string;

  @Field.object(() => TicketViewFiltersDto, {
    description: 'What it shows.',
    example: undefined,
  })
  filters: TicketViewFiltersDto;

  @Field.integer(POSITION)
  position: number;

  @Field.boolean({
    description: 'Whether it is in use.',
    example: true,
  })
  active: boolean;

  static from(this: void, view: DeskView): TicketViewDto {
    const { name, filters, position, active } = view;
    return { object: 'ticket_view', ...base(view), name, filters, position, active };
  }
}

/** A prepared answer. */
export class CannedResponseDto extends DeskConfiguredDto {
  @Field.constant('canned_response')
  object: string;

  @Field.string({
    ...NAME,
    example: 'Ask for the serial number',
  })
  name: string;

  @Field.string({
    description: 'Text; {{ticket.number}}, {{ticket.subject}}, {{requester.name}} and {{agent.name}} are filled in.',
    example: 'Hello {{requester.name}}, which serial number does it have?',
    maxLength: 20_000,
  })
  body: string;

  @Field.boolean({
    description: 'Whether replies can use it.',
    example: true,
  })
  active: boolean;

  static from(this: void, response: CannedResponse): CannedResponseDto {
    const { name, body, active } = response;
    return { object: 'canned_response', ...base(response), name, body, active };
  }
}

const OF_PROJECT = { description: 'Only of this project.', example: EXAMPLE.project, required: false };
const ACTIVE = { description: 'Only active ones, or only others.', example: true };

@Listing({
  sort: ['position', 'created_at'],
  defaultSort: 'position',
})
export class TicketStatusesQuery extends LookupQuery {
  @Field.uuid(OF_PROJECT)
  project_id?: string;

  @Filter.oneOf(STATUS_CATEGORIES, {
    description: 'Only of these categories.',
    example: ['solved'],
  })
  category?: StatusCategory[];

  @Filter.boolean(ACTIVE)
  active?: boolean;
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
export class TicketQueuesQuery extends LookupQuery {
  @Field.uuid(OF_PROJECT)
  project_id?: string;

  @Filter.boolean(ACTIVE)
  active?: boolean;
}

@Listing({
  sort: ['created_at'],
  defaultSort: 'created_at',
})
export class TicketAgentsQuery extends LookupQuery {
  @Field.uuid(OF_PROJECT)
  project_id?: string;

  @Filter.custom({
    kind: 'email',
    maxLength: 254,
    description: 'Only the agent with this address.',
    example: 'grace@example.com',
  })
  email?: string;

  @Filter.custom({
    kind: 'boolean',
    ...ACTIVE,
  })
  active?: boolean;
}

@Listing({
  sort: ['position', 'created_at'],
  defaultSort: 'position',
})
export class TicketViewsQuery extends LookupQuery {
  @Field.uuid(OF_PROJECT)
  project_id?: string;

  @Filter.boolean(ACTIVE)
  active?: boolean;
}

@Listing({
  sort: ['name', 'created_at'],
  defaultSort: 'name',
})
export class CannedResponsesQuery extends LookupQuery {
  @Field.uuid(OF_PROJECT)
  project_id?: string;

  @Filter.boolean(ACTIVE)
  active?: boolean;
}
