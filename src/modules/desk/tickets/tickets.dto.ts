import { bothOf, Field, Filter, Listing, partialOf, ProjectListQuery } from '../../../kit/index.js';
import { EXAMPLE } from '../model/example-ids.js';
import { PRIORITIES, STATUS_CATEGORIES, type Priority, type StatusCategory } from '../model/values.js';
import { GivenRequesterDto, TicketFieldsDto } from '../ticket-views/ticket-fields.dto.js';
import { TIME } from '../ticket-views/ticket.dto.js';
import { AttachmentIdsDto } from './messages.dto.js';

/** The request body to create a ticket. */
export class CreateTicketDto extends bothOf(TicketFieldsDto, AttachmentIdsDto) {
  @Field.uuid({
    description: 'The project; the default project if omitted.',
    example: EXAMPLE.project,
    required: false,
  })
  project_id?: string;

  @Field.object(() => GivenRequesterDto, {
    description: 'Who asks, by e-mail address.',
    example: undefined,
  })
  requester: GivenRequesterDto;

  @Field.string({
    description: 'The message of the requester.',
    example: 'It prints empty pages since Monday.',
    maxLength: 100_000,
  })
  message: string;

  @Field.boolean({
    description: 'Whether the requester gets a mail with the number.',
    example: false,
    default: true,
    required: false,
  })
  notify?: boolean;
}

/** The merge patch of a ticket: absent fields stay unchanged, null clears a field, a list replaces the current one. */
export class UpdateTicketDto extends partialOf(TicketFieldsDto) {}

const CATEGORIES = [...STATUS_CATEGORIES, 'unsolved'] as const;
export type CategoryFilter = StatusCategory | 'unsolved';

@Listing({
  sort: ['created_at', 'updated_at', 'sla_due_at', 'priority'],
  defaultSort: '-created_at',
  search: 'search',
  searched: 'number, subject, requester, tags and external_id',
  customFields: 'ticket',
})
export class TicketsQuery extends ProjectListQuery {
  @Filter.custom({
    kind: 'enum',
    values: CATEGORIES,
    list: { maxItems: 7 },
    description: 'Only with these statuses; unsolved: new, open, pending and on_hold.',
    example: ['unsolved'],
  })
  status_category?: CategoryFilter[];

  @Filter.uuid({
    description: 'Only with these statuses.',
    example: [EXAMPLE.status],
  })
  status_id?: string[];

  @Filter.uuid({
    description: 'Only in these queues.',
    example: [EXAMPLE.queue],
  })
  queue_id?: string[];

  @Filter.uuid({
    description: 'Only of these agents; none: without assignee.',
    example: [EXAMPLE.agent],
    orNone: true,
  })
  assignee_id?: string[];

  @Filter.custom({
    kind: 'email',
    maxLength: 254,
    list: { maxItems: 20 },
    description: 'Only of these requesters.',
    example: ['ada@customer.example'],
  })
  requester_email?: string[];

  @Filter.custom({
    kind: 'enum',
    values: PRIORITIES,
    list: { maxItems: 4 },
    description: 'Only with these priorities.',
    example: ['urgent'],
  })
  priority?: Priority[];

  @Filter.custom({
    kind: 'string',
    minLength: 1,
    maxLength: 50,
    list: { maxItems: 20 },
    description: 'Only with any of these tags.',
    example: ['printer'],
  })
  tag?: string[];

  @Filter.custom({
    kind: 'string',
    minLength: 1,
    maxLength: 32,
    list: { maxItems: 50 },
    description: 'Only with these numbers.',
    example: ['T-42'],
  })
  number?: string[];

  @Filter.custom({
    kind: 'uuid',
    description: 'Only what the view shows, from list_ticket_views.',
    example: EXAMPLE.view,
  })
  view_id?: string;

  @Filter.bound('date_time', {
    description: 'Only with sla_due_at before this time; the present time: overdue.',
    example: TIME,
  })
  sla_due_before?: string;

  @Filter.string({
    description: 'Only with these ids in your system.',
    example: ['shop-4711'],
  })
  external_id?: string[];
}
