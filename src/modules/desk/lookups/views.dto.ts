import { ActiveLookupQuery, bothOf, Field, Listing, partialOf, responseOf, shownOf } from '../../../kit/index.js';
import type { CannedResponse } from '../model/canned-response.entity.js';
import { EXAMPLE } from '../model/example-ids.js';
import { PRIORITIES, STATUS_CATEGORIES, type Priority } from '../model/values.js';
import type { DeskView, ViewFilters } from '../model/view.entity.js';
import { ACTIVE, DeskConfiguredDto, NAME, OfProjectDto, PLACE } from './configured.dto.js';

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

export class CreateTicketViewDto extends OfProjectDto {
  @Field.string({
    ...NAME,
    summary: true,
    example: 'Unassigned',
  })
  name: string;

  @Field.object(() => TicketViewFiltersDto, {
    description: 'What it shows.',
    example: { status_category: ['unsolved'] },
  })
  filters: TicketViewFiltersDto;

  @Field.integer(PLACE)
  position?: number;

  @Field.boolean({
    ...ACTIVE,
    summary: true,
  })
  active?: boolean;
}

export class UpdateTicketViewDto extends partialOf(CreateTicketViewDto, { omit: ['project_id'] }) {}

/** Stored filters. */
export class TicketViewDto extends bothOf(
  DeskConfiguredDto,
  shownOf(CreateTicketViewDto, { name: true, filters: true, position: 'Position in the list.', active: true }),
) {
  @Field.constant('ticket_view')
  object: string;

  static from(this: void, view: DeskView): TicketViewDto {
    return responseOf(TicketViewDto, view);
  }
}

export class CreateCannedResponseDto extends OfProjectDto {
  @Field.string({
    ...NAME,
    summary: true,
    example: 'Ask for the serial number',
  })
  name: string;

  @Field.string({
    summary: true,
    description: 'Text; {{ticket.number}}, {{ticket.subject}}, {{requester.name}} and {{agent.name}} are filled in.',
    example: 'Hello {{requester.name}}, which serial number does it have?',
    maxLength: 20_000,
  })
  body: string;

  @Field.boolean({
    ...ACTIVE,
    summary: true,
  })
  active?: boolean;
}

export class UpdateCannedResponseDto extends partialOf(CreateCannedResponseDto, { omit: ['project_id'] }) {}

/** A prepared answer. */
export class CannedResponseDto extends bothOf(
  DeskConfiguredDto,
  shownOf(CreateCannedResponseDto, { name: true, body: true, active: 'Whether replies can use it.' }),
) {
  @Field.constant('canned_response')
  object: string;

  static from(this: void, response: CannedResponse): CannedResponseDto {
    return responseOf(CannedResponseDto, response);
  }
}

@Listing({
  sort: ['position', 'created_at'],
  defaultSort: 'position',
})
export class TicketViewsQuery extends ActiveLookupQuery {}

@Listing({
  sort: ['name', 'created_at'],
  defaultSort: 'name',
})
export class CannedResponsesQuery extends ActiveLookupQuery {}
