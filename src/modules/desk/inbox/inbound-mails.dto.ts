import { Field, Filter, Listing, ProjectListQuery, ResourceDto, responseOf } from '../../../kit/index.js';
import { EXAMPLE } from '../model/example-ids.js';
import { INBOUND_MAIL_STATUSES, type InboundMailRow, type InboundMailStatus } from '../model/mails.entity.js';
import { FILING_REASONS, type FilingReason } from './filing-reasons.js';

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

  @Field.string({
    description: "The sender's address, by the header From; null until it was read, and if it has none.",
    example: 'ada@customer.example',
    nullable: true,
  })
  from_email: string | null;

  @Field.string({
    description: "The sender's name.",
    example: 'Ada Lovelace',
    nullable: true,
  })
  from_name: string | null;

  @Field.string({
    description: 'Its subject. Null until it was read.',
    example: 'Printer on fire',
    nullable: true,
  })
  subject: string | null;

  @Field.oneOf(INBOUND_MAIL_STATUSES, {
    description: 'processed: it became a ticket or a message; filed: it was kept without any effect.',
    example: 'filed',
  })
  status: InboundMailStatus;

  @Field.string({
    description: 'Why it was filed (see the filter reason) or could not be read.',
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

  @Field.dateTime({
    description: 'When the mailbox received it.',
    example: '2026-11-23T09:00:00.000Z',
  })
  received_at: string;

  @Field.dateTime({
    description: 'Until when it can be downloaded as it was received, and be turned into a ticket; null if it cannot.',
    example: '2027-02-21T09:00:00.000Z',
    nullable: true,
  })
  raw_until_at: string | null;

  static from(this: void, mail: InboundMailRow): InboundMailDto {
    return { ...responseOf(InboundMailDto, mail), received_at: mail.created_at.toISOString() };
  }
}

@Listing({
  sort: ['created_at'],
  defaultSort: '-created_at',
})
export class InboundMailsQuery extends ProjectListQuery {
  @Filter.uuid({
    description: 'Only of these mailboxes.',
    example: [EXAMPLE.mailbox],
  })
  mailbox_id?: string[];

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

  @Filter.oneOf(FILING_REASONS, {
    description:
      'Only filed for these reasons. bounce: a report of a mail server; receipt: a read receipt; own_mail: sent by the suite or a ' +
      'mailbox; repeated: another mailbox received it, too; ticket_closed: an agent answered a closed ticket.',
    example: ['list'],
  })
  reason?: FilingReason[];
}

export class OpenInboundMailDto {
  @Field.email({
    description: "Address of the requester, in place of the mail's sender; required if the mail has none.",
    example: 'ada@customer.example',
    required: false,
  })
  requester_email?: string;
}
