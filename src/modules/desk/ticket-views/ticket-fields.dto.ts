import { Field, type CustomFieldValues } from '../../../kit/index.js';
import { EXAMPLE } from '../model/example-ids.js';
import { PRIORITIES, type Priority } from '../model/values.js';

export class GivenRequesterDto {
  @Field.email({
    description: 'E-mail address; case does not matter.',
    example: 'ada@customer.example',
  })
  email: string;

  @Field.string({
    summary: true,
    description: 'Name.',
    example: 'Ada Lovelace',
    nullable: true,
    required: false,
  })
  name?: string | null;
}

/** What a ticket can be changed to; the fields that a new one has, too. */
export class TicketFieldsDto {
  @Field.string({
    summary: true,
    description: 'Subject in one line.',
    example: 'The printer does not print',
  })
  subject: string;

  @Field.email({
    description: 'Who gets copies of answers.',
    example: ['grace@customer.example'],
    default: [],
    list: { maxItems: 20 },
    required: false,
  })
  cc_emails?: string[];

  @Field.uuid({
    description: 'Queue, from list_ticket_queues.',
    onCreate: "The project's default if omitted.",
    example: EXAMPLE.queue,
    required: false,
  })
  queue_id?: string;

  @Field.uuid({
    description: 'Agent, from list_ticket_agents. Opens a new ticket.',
    example: EXAMPLE.agent,
    nullable: true,
    required: false,
  })
  assignee_id?: string | null;

  @Field.uuid({
    description: 'Status, from list_ticket_statuses; solved needs an assignee.',
    example: EXAMPLE.status,
    required: false,
  })
  status_id?: string;

  @Field.oneOf(PRIORITIES, {
    description: 'Priority of the ticket.',
    example: 'high',
    default: 'normal',
    required: false,
  })
  priority?: Priority;

  @Field.string({
    description: 'Tags; replaces the current ones.',
    example: ['printer'],
    default: [],
    maxLength: 50,
    list: { maxItems: 20 },
    required: false,
  })
  tags?: string[];

  @Field.dateTime({
    description: 'Snoozes the ticket until then; its SLA clocks continue.',
    example: '2099-01-05T08:00:00Z',
    nullable: true,
    required: false,
  })
  snoozed_until_at?: string | null;

  @Field.string({
    description: 'Id in your system, unique in the project.',
    example: 'shop-4711',
    nullable: true,
    required: false,
    isIdentifier: true,
  })
  external_id?: string | null;

  @Field.customFields('ticket')
  custom_fields?: CustomFieldValues;
}
