import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { BusinessEntity, ObjectColumn, TimeColumn, type MailStatus } from '../../../kit/index.js';
import { DeskMailbox } from './mailbox.entity.js';
import { Ticket } from './ticket.entity.js';

const OF_TICKET = ['organization_id', 'project_id', 'mode', 'ticket_id'] as const;
const IN_MODE = ['organization_id', 'project_id', 'mode', 'id'] as const;

/** `filed`: kept without any effect, such as an automatic reply. */
export const INBOUND_MAIL_STATUSES = ['received', 'processed', 'filed', 'failed'] as const;
export type InboundMailStatus = (typeof INBOUND_MAIL_STATUSES)[number];

/**
 * A mail that a gateway posted. It becomes a ticket or a message once, however often it is delivered. A Message-ID names no single mail:
 * programs use one again.
 */
@Entity('desk_inbound_mails')
@Index('desk_inbound_mails_fingerprint_key', ['mailbox_id', 'message_id', 'fingerprint'], {
  unique: true,
  where: `status IN ('received', 'processed')`,
})
@Index('desk_inbound_mails_kept_message_id_idx', ['mailbox_id', 'message_id'], { where: `status IN ('filed', 'failed')` })
@Index('desk_inbound_mails_raw_until_at_idx', ['raw_until_at'], { where: 'raw_until_at IS NOT NULL' })
@Index('desk_inbound_mails_mailbox_id_idx', ['mailbox_id', 'mode', 'created_at', 'id'])
@ForeignKey(() => DeskMailbox, ['organization_id', 'project_id', 'mailbox_id'], ['organization_id', 'project_id', 'id'], {
  name: 'desk_inbound_mails_mailbox_id_fkey',
})
@ForeignKey(() => Ticket, OF_TICKET, IN_MODE, {
  name: 'desk_inbound_mails_ticket_id_fkey',
  onDelete: 'CASCADE',
})
@ForeignKey('objects', ['organization_id', 'content_object_id'], ['organization_id', 'id'], {
  name: 'desk_inbound_mails_content_object_id_fkey',
})
@Index('desk_inbound_mails_content_object_id_idx', ['content_object_id'], { where: 'content_object_id IS NOT NULL' })
@Index('desk_inbound_mails_received_idx', ['updated_at'], { where: `status = 'received'` })
@Index('desk_inbound_mails_created_at_idx', ['organization_id', 'mode', 'created_at', 'id', 'project_id'])
@Index('desk_inbound_mails_ticket_id_idx', ['ticket_id'], { where: 'ticket_id IS NOT NULL' })
@Check('desk_inbound_mails_mode_check', `mode IN ('live', 'test')`)
@Check('desk_inbound_mails_message_id_check', 'length(message_id) BETWEEN 1 AND 998')
@Check('desk_inbound_mails_status_check', `status IN ('received', 'processed', 'filed', 'failed')`)
export class InboundMailRow extends BusinessEntity {
  @Column('uuid')
  mailbox_id: string;

  /** With angle brackets; null until the mail was read. */
  @Column('text', { nullable: true })
  message_id: string | null;

  /** The hash of all that its program wrote, without what servers on its way add; null for mails from before it was introduced. */
  @Column('text', { nullable: true })
  fingerprint: string | null;

  /** The sender by the header From, and the subject; null until the mail was read. */
  @Column('text', { nullable: true })
  from_email: string | null;

  @Column('text', { nullable: true })
  from_name: string | null;

  @Column('text', { nullable: true })
  subject: string | null;

  /** The raw mail. It is erased as soon as all of it is part of a ticket, otherwise at `raw_until_at`. */
  @ObjectColumn()
  content_object_id: string | null;

  /** Of rows from before objects were introduced. Read by SQL, where it is needed. */
  @Column('bytea', {
    nullable: true,
    select: false,
  })
  content: Buffer | null;

  /** How long the raw mail is kept after it was read; null if it is not. */
  @TimeColumn({ nullable: true })
  raw_until_at: Date | null;

  @Column('text', { default: 'received' })
  status: InboundMailStatus;

  /** Why it was filed, or the error. */
  @Column('text', { nullable: true })
  reason: string | null;

  @Column('uuid', { nullable: true })
  ticket_id: string | null;

  /** The message it became. */
  @Column('uuid', { nullable: true })
  ticket_message_id: string | null;

  /** What it quoted at its end, which is not part of the message. */
  @Column('text', { nullable: true })
  quoted_text: string | null;
}

/** A mail that was sent about a ticket. Replies to its Message-ID belong to the ticket, or to the one that it was merged into. */
@Entity('desk_outbound_mails')
@ForeignKey(() => Ticket, OF_TICKET, IN_MODE, {
  name: 'desk_outbound_mails_ticket_id_fkey',
  onDelete: 'CASCADE',
})
@Index('desk_outbound_mails_message_id_idx', ['organization_id', 'mode', 'message_id'])
@Index('desk_outbound_mails_ticket_id_idx', ['ticket_id', 'created_at', 'id'])
@Index('desk_outbound_mails_queued_idx', ['mail_id'], { where: `status = 'queued'` })
@Index('desk_outbound_mails_message_idx', ['ticket_message_id', 'id'], { where: 'ticket_message_id IS NOT NULL' })
@Index('desk_outbound_mails_recipient_idx', ['organization_id', 'mode', 'recipient', 'created_at'], {
  where: `kind = 'acknowledgement'`,
})
@Check('desk_outbound_mails_mode_check', `mode IN ('live', 'test')`)
@Check('desk_outbound_mails_kind_check', `kind IN ('reply', 'acknowledgement', 'rating')`)
@Check('desk_outbound_mails_status_check', `status IN ('queued', 'sent', 'failed', 'held', 'suppressed')`)
@Check('desk_outbound_mails_recipient_check', 'length(recipient) BETWEEN 3 AND 254')
@Check('desk_outbound_mails_message_id_check', 'length(message_id) BETWEEN 1 AND 998')
export class OutboundMailRow extends BusinessEntity {
  @Column('uuid')
  ticket_id: string;

  /** The message that it carries. */
  @Column('uuid', { nullable: true })
  ticket_message_id: string | null;

  @Column('text')
  kind: 'reply' | 'acknowledgement' | 'rating';

  @Column('text')
  recipient: string;

  /** With angle brackets. */
  @Column('text')
  message_id: string;

  /** Its row in the outbox. */
  @Column('uuid', { nullable: true })
  mail_id: string | null;

  /** That of the mail in the outbox, which is kept for a limited time; `failed` also if a server returned it later. */
  @Column('text')
  status: MailStatus;

  /** Why it failed. */
  @Column('text', { nullable: true })
  error: string | null;
}
