import { ActorDto, ActorField, bothOf, Field, ResourceDto, responseOf, shownOf } from '../../../kit/index.js';
import { EXAMPLE } from '../model/example-ids.js';
import type { StoredClock } from '../model/stored-clocks.js';
import type { Ticket } from '../model/ticket.entity.js';
import { CHANNELS, priorityOf, STATUS_CATEGORIES, type Channel, type StatusCategory } from '../model/values.js';
import { GivenRequesterDto, TicketFieldsDto } from './ticket-fields.dto.js';

export const TIME = '2026-11-23T08:45:00.000Z';

/** Who asks for help. */
export class TicketRequesterDto extends shownOf(GivenRequesterDto, { email: 'E-mail address in lower case.', name: true }) {
  @Field.uuid({
    description: 'Contact of the CRM with this address.',
    example: EXAMPLE.contact,
    nullable: true,
  })
  contact_id: string | null;
}

/** One SLA clock. */
export class SlaClockDto {
  @Field.dateTime({
    description: 'When the target is reached; null while paused.',
    example: TIME,
    nullable: true,
  })
  due_at: string | null;

  @Field.dateTime({
    description: 'When the target was met.',
    example: null,
    nullable: true,
  })
  met_at: string | null;

  @Field.dateTime({
    description: 'When the target was missed.',
    example: null,
    nullable: true,
  })
  breached_at: string | null;

  @Field.boolean({
    description: 'Whether the clock is paused.',
    example: false,
  })
  paused: boolean;
}

/** The clocks of a ticket; null: no policy sets such a target. */
export class TicketSlaDto {
  @Field.object(() => SlaClockDto, {
    description: 'From creation to the first public reply.',
    example: undefined,
    nullable: true,
  })
  first_response: SlaClockDto | null;

  @Field.object(() => SlaClockDto, {
    description: "From the requester's message to the next answer.",
    example: undefined,
    nullable: true,
  })
  next_response: SlaClockDto | null;

  @Field.object(() => SlaClockDto, {
    description: 'From creation until it is solved.',
    example: undefined,
    nullable: true,
  })
  resolution: SlaClockDto | null;
}

/** What the requester says of the help. */
export class SatisfactionDto {
  @Field.integer({
    description: 'From 1, bad, to 5, good.',
    example: 5,
    minimum: 1,
    maximum: 5,
  })
  score: number;

  @Field.string({
    description: 'Comment.',
    example: 'Quick help',
    nullable: true,
    maxLength: 5000,
  })
  comment: string | null;
}

/** A request for help. */
export class TicketDto extends bothOf(
  ResourceDto,
  shownOf(TicketFieldsDto, {
    subject: 'Subject.',
    cc_emails: true,
    queue_id: 'Queue.',
    assignee_id: 'Agent who takes care of it.',
    status_id: 'Status.',
    priority: { description: 'Priority.', example: 'normal', summary: true },
    tags: 'Tags.',
    snoozed_until_at: { description: 'When its snooze ends.', example: null },
    external_id: 'Id in your system.',
    custom_fields: 'Custom fields by key.',
  }),
) {
  @Field.constant('ticket')
  object: string;

  @Field.uuid({
    description: 'Project of the ticket.',
    example: EXAMPLE.project,
  })
  project_id: string;

  @Field.string({
    summary: true,
    description: 'Number for people, unique in the project; starts with TEST- in test mode.',
    example: 'T-42',
    maxLength: 32,
  })
  number: string;

  @Field.object(() => TicketRequesterDto, {
    summary: 'if_short',
    description: 'The requester.',
    example: undefined,
  })
  requester: TicketRequesterDto;

  @Field.oneOf(STATUS_CATEGORIES, {
    description: 'Category of the status.',
    example: 'open',
  })
  status_category: StatusCategory;

  @Field.string({
    summary: true,
    description: 'Name of the status. In answers to GET.',
    example: 'Open',
    required: false,
  })
  status_name?: string;

  @Field.string({
    description: 'Name of the queue. In answers to GET.',
    example: 'Support',
    required: false,
  })
  queue_name?: string;

  @Field.string({
    summary: true,
    description: 'Name of the agent. In answers to GET.',
    example: 'Ada Lovelace',
    nullable: true,
    required: false,
  })
  assignee_name?: string | null;

  @Field.oneOf(CHANNELS, {
    description: 'How it came: through a key, by mail, from a form, from a member.',
    example: 'api',
  })
  channel: Channel;

  @Field.object(() => TicketSlaDto, {
    description: 'The targets with their due times.',
    example: undefined,
  })
  sla: TicketSlaDto;

  @Field.dateTime({
    description: 'The earliest due_at of clocks that run; in the past if overdue.',
    example: TIME,
    nullable: true,
  })
  sla_due_at: string | null;

  @Field.uuid({
    description: 'The closed ticket that it continues.',
    example: null,
    nullable: true,
  })
  follow_up_of_id: string | null;

  @Field.string({
    description: 'Number of that ticket. In answers to GET.',
    example: null,
    nullable: true,
    required: false,
  })
  follow_up_of_number?: string | null;

  @Field.uuid({
    description: 'The ticket that its messages were moved to.',
    example: null,
    nullable: true,
  })
  merged_into_id: string | null;

  @Field.string({
    description: 'Number of that ticket. In answers to GET.',
    example: null,
    nullable: true,
    required: false,
  })
  merged_into_number?: string | null;

  @Field.object(() => SatisfactionDto, {
    description: "The requester's rating.",
    example: undefined,
    nullable: true,
  })
  satisfaction: SatisfactionDto | null;

  @Field.dateTime({
    description: 'When it was solved.',
    example: null,
    nullable: true,
  })
  solved_at: string | null;

  @Field.dateTime({
    description: 'When it was closed.',
    example: null,
    nullable: true,
  })
  closed_at: string | null;

  @ActorField('Who created it.')
  created_by: ActorDto;

  @Field.dateTime({
    summary: 'if_short',
    description: 'When it was created, UTC.',
    example: '2026-11-21T09:30:00.000Z',
  })
  declare created_at: string;

  static from(this: void, ticket: Ticket): TicketDto {
    const { requester_email: email, requester_name: name, contact_id, satisfaction_score: score, clocks } = ticket;
    return {
      ...responseOf(TicketDto, ticket),
      requester: { email, name, contact_id },
      priority: priorityOf(ticket.priority),
      snoozed_until_at: textOf(ticket.snoozed_until_at),
      sla: {
        first_response: shownClock(clocks.first_response),
        next_response: shownClock(clocks.next_response),
        resolution: shownClock(clocks.resolution),
      },
      sla_due_at: textOf(ticket.sla_due_at),
      satisfaction: score === null ? null : { score, comment: ticket.satisfaction_comment },
      solved_at: textOf(ticket.solved_at),
      closed_at: textOf(ticket.closed_at),
    };
  }
}
function shownClock(clock: StoredClock | undefined): SlaClockDto | null {
  if (!clock || clock.target_seconds === null) return null;
  const { due_at, met_at, breached_at, running_since_at } = clock;
  return { due_at, met_at, breached_at, paused: running_since_at === null && met_at === null };
}

function textOf(time: Date | null): string | null {
  return time?.toISOString() ?? null;
}
