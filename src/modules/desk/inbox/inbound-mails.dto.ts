import { Field, Filter, Listing, ListQuery, ResourceDto } from '../../../kit/index.js';
import { EXAMPLE } from '../model/example-ids.js';
import { INBOUND_MAIL_STATUSES, type InboundMailRow, type InboundMailStatus } from '../model/mails.entity.js';

/** A mail that a mailbox received. */
export class InboundMailDto extends ResourceDto {
  @Field.constant('inbound_mail')
  object: string;

  @Field.uuid({
    description: 'Project of the mailbox.',
    example: EXAMPLE.project,
  })
  project_id: string;

  @Field.uuid({
    description: 'The mailbox.',
    example: EXAMPLE.mailbox,
  })
  mailbox_id: string;

  @Field.string({
    description: 'Its Message-ID. Null until it was read.',
    example: '<a1@customer.example>',
    nullable: true,
  })
  message_id: string | null;

  @Field.oneOf(INBOUND_MAIL_STATUSES, {
    description: 'processed: it became a ticket or a message; filed: it was kept without any effect.',
    example: 'filed',
  })
  status: InboundMailStatus;

  @Field.string({
    description: 'Why it was filed or could not be read.',
    example: 'out_of_office',
    nullable: true,
  })
  reason: string | null;

  @Field.uuid({
    description: 'The ticket to which it belongs.',
    example: EXAMPLE.ticket,
    nullable: true,
  })
  ticket_id: string | null;

  @Field.uuid({
    description: 'The message that it became.',
    example: EXAMPLE.message,
    nullable: true,
  })
  ticket_message_id: string | null;

  @Field.string({
    description: 'The earlier mails that it quoted at its end, which its message omits.',
    example: 'On Monday, Help wrote:\n> Which number does your order have?',
    nullable: true,
  })
  quoted_text: string | null;

  static from(this: void, mail: InboundMailRow): InboundMailDto {
    const { id, project_id, mailbox_id, message_id, status, reason, ticket_id, ticket_message_id, quoted_text, version } = mail;
    return {
      object: 'inbound_mail',
      id,
      project_id,
      mailbox_id,
      message_id,
      status,
      reason,
      ticket_id,
      ticket_message_id,
      quoted_text,
      version,
      created_at: mail.created_at.toISOString(),
      updated_at: mail.updated_at.toISOString(),
    };
  }
}

@Listing({
  sort: ['created_at'],
  defaultSort: '-created_at',
})
export class InboundMailsQuery extends ListQuery {
  @Filter.uuid({
    description: 'Only of these projects.',
    example: [EXAMPLE.project],
  })
  project_id?: string[];

  @Filter.uuid({
    description: 'Only of these tickets.',
    example: [EXAMPLE.ticket],
  })
  ticket_id?: string[];

  @Filter.oneOf(INBOUND_MAIL_STATUSES, {
    description: 'Only with these statuses.',
    example: ['filed'],
  })
  status?: InboundMailStatus[];
}
