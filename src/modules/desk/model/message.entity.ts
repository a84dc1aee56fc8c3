import { Check, Column, Entity, ForeignKey, Index, Unique, VirtualColumn } from 'typeorm';
import { BusinessEntity, type Actor } from '../../../kit/index.js';
import { Ticket } from './ticket.entity.js';
import type { AuthorType, MessageKind } from './values.js';

/** What a message shows of an attachment. */
export interface ShownAttachment {
  id: string;
  file_name: string;
  media_type: string;
  size_bytes: number;
}

/** A message of a ticket. Triggers reject changes; a merge moves it to the other ticket. */
@Entity('desk_messages')
@Unique('desk_messages_reference_key', ['organization_id', 'project_id', 'mode', 'id'])
@ForeignKey(() => Ticket, ['organization_id', 'project_id', 'mode', 'ticket_id'], ['organization_id', 'project_id', 'mode', 'id'], {
  name: 'desk_messages_ticket_id_fkey',
  onDelete: 'CASCADE',
})
@Index('desk_messages_ticket_id_idx', ['ticket_id', 'created_at', 'id'])
@Index('desk_messages_mail_id_idx', ['mail_id'], { where: 'mail_id IS NOT NULL' })
@Check('desk_messages_mode_check', `mode IN ('live', 'test')`)
@Check('desk_messages_kind_check', `kind IN ('public', 'internal', 'system')`)
@Check('desk_messages_author_type_check', `author_type IN ('requester', 'agent', 'system')`)
@Check('desk_messages_body_check', 'length(body) BETWEEN 1 AND 100000')
export class TicketMessage extends BusinessEntity {
  @Column('uuid')
  ticket_id: string;

  /** The ticket that it was written to, if that was merged into this one. */
  @Column('uuid', { nullable: true })
  original_ticket_id: string | null;

  @Column('text')
  kind: MessageKind;

  @Column('text')
  author_type: AuthorType;

  @Column('text', { nullable: true })
  author_email: string | null;

  @Column('text', { nullable: true })
  author_name: string | null;

  @Column('text')
  body: string;

  /** Sanitized HTML. */
  @Column('text', { nullable: true })
  body_html: string | null;

  /** The mail to the requester, in the outbox; null if none was sent. */
  @Column('uuid', { nullable: true })
  mail_id: string | null;

  @Column('jsonb')
  created_by: Actor;

  /** Read with the message, not by lists. */
  @VirtualColumn({
    type: 'json',
    query: (message) =>
      `SELECT json_agg(shown) FROM (SELECT id, file_name, media_type, size_bytes FROM desk_attachments
         WHERE message_id = ${message}.id ORDER BY id) shown`,
  })
  readonly attachments?: ShownAttachment[] | null;
}
