import { Field, partialOf } from '../../../kit/index.js';
import { NAME, TicketViewFiltersDto } from '../lookups/lookups.dto.js';
import { EXAMPLE } from '../model/example-ids.js';
import { STATUS_CATEGORIES, type StatusCategory } from '../model/values.js';
import { ACTIVE, OfProjectDto, PLACE } from './setup-fields.dto.js';

export class CreateTicketStatusDto extends OfProjectDto {
  @Field.string({
    ...NAME,
    example: 'Waiting for delivery',
  })
  name: string;

  @Field.oneOf(STATUS_CATEGORIES, {
    description: 'Never changes.',
    example: 'on_hold',
  })
  category: StatusCategory;

  @Field.boolean({
    description: 'true makes it the default of its category instead of the current one.',
    example: true,
    required: false,
  })
  is_default?: boolean;

  @Field.integer(PLACE)
  position?: number;

  @Field.boolean(ACTIVE)
  active?: boolean;
}

export class UpdateTicketStatusDto extends partialOf(CreateTicketStatusDto, { omit: ['project_id', 'category'] }) {}

export class CreateTicketQueueDto extends OfProjectDto {
  @Field.string({
    ...NAME,
    example: 'Billing',
  })
  name: string;

  @Field.boolean({
    description: 'true makes it the default instead of the current one.',
    example: true,
    required: false,
  })
  is_default?: boolean;

  @Field.integer(PLACE)
  position?: number;

  @Field.boolean(ACTIVE)
  active?: boolean;
}

export class UpdateTicketQueueDto extends partialOf(CreateTicketQueueDto, { omit: ['project_id'] }) {}

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
    description: 'Whether tickets can be assigned to them.',
  })
  active?: boolean;
}

export class UpdateTicketAgentDto extends partialOf(CreateTicketAgentDto, { omit: ['project_id', 'member_id'] }) {}

export class CreateTicketViewDto extends OfProjectDto {
  @Field.string({
    ...NAME,
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

  @Field.boolean(ACTIVE)
  active?: boolean;
}

export class UpdateTicketViewDto extends partialOf(CreateTicketViewDto, { omit: ['project_id'] }) {}

export class CreateCannedResponseDto extends OfProjectDto {
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

  @Field.boolean(ACTIVE)
  active?: boolean;
}

export class UpdateCannedResponseDto extends partialOf(CreateCannedResponseDto, { omit: ['project_id'] }) {}
