import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { ObjectColumn, NotAudited, OrganizationEntity, TimeColumn, type MailStatus, type Mode } from '../../kit/index.js';
import { Organization } from '../people/model/organization.entity.js';
import type { ServerFault } from './smtp-faults.js';

/** A file of a mail. */
export interface MailFileEntry {
  sha256: string;
  file_name: string;
  media_type: string;
  size_bytes: number;
}

/** A mail to one person. Written in the transaction of the change that causes it. */
@Entity('mails')
@NotAudited()
@ForeignKey(() => Organization, ['organization_id'], ['id'], { name: 'mails_organization_fkey' })
@Check('mails_mode_check', `mode IN ('live', 'test')`)
@Check('mails_status_check', `status IN ('queued', 'sent', 'failed', 'held', 'suppressed')`)
@Index('mails_created_at_idx', ['organization_id', 'created_at', 'id'])
@Index('mails_denied_idx', ['denied_since'], { where: `status = 'queued' AND denied_since IS NOT NULL` })
@Index('mails_due_idx', ['due_at'], { where: `status = 'queued'` })
@Index('mails_resent_idx', ['updated_at'], { where: 'resent' })
@Index('mails_sequence_idx', ['sequence_key', 'recipient', 'position'], { where: `status = 'queued'` })
export class MailRow extends OrganizationEntity {
  /** The W3C trace context of what caused it; null without tracing. */
  @Column('text', {
    nullable: true,
    select: false,
  })
  traceparent: string | null;

  @Column('uuid', { nullable: true })
  project_id: string | null;

  @Column('text')
  mode: Mode;

  @Column('text')
  recipient: string;

  @Column('text')
  subject: string;

  @Column('text')
  text: string;

  @Column('text', { nullable: true })
  html: string | null;

  /** The headers To and Cc, if the recipient is not the only one whom they name. */
  @Column('text', { nullable: true })
  shown_to: string | null;

  @Column('text', {
    array: true,
    nullable: true,
  })
  cc: string[] | null;

  /** The files, whose contents are in `mail_files`. */
  @Column('jsonb', { nullable: true })
  files: MailFileEntry[] | null;

  /** The sender's name, if not that of MAIL_FROM. */
  @Column('text', { nullable: true })
  sender_name: string | null;

  /** The address that replies go to. */
  @Column('text', { nullable: true })
  reply_to: string | null;

  /** The Message-ID, if not one made of the id. */
  @Column('text', { nullable: true })
  message_id: string | null;

  /** The Message-IDs of the conversation, the oldest first. */
  @Column('text', {
    array: true,
    nullable: true,
  })
  reference_ids: string[] | null;

  /** The header Auto-Submitted. */
  @Column('text', { nullable: true })
  auto_submitted: string | null;

  @Column('text', { nullable: true })
  calendar_method: string | null;

  @Column('text', { nullable: true })
  calendar: string | null;

  /** Only the recipient may see the content, which is erased once it is sent. */
  @Column('boolean', { default: false })
  confidential: boolean;

  /** The permission that reading the content requires, in addition to that of the outbox. */
  @Column('text', { nullable: true })
  permission: string | null;

  /** The only member who may read the content, of what is private to them. */
  @Column('uuid', { nullable: true })
  only_reader_id: string | null;

  /** Mails to a recipient with the same key are sent in the order of their positions. */
  @Column('text', { nullable: true })
  sequence_key: string | null;

  /** Null for mails from before sequence keys were introduced. */
  @Column('bigint', {
    nullable: true,
    default: () => `nextval('mails_position_sequence')`,
  })
  position: string | null;

  @Column('text')
  status: MailStatus;

  @Column('smallint', { default: 0 })
  tries: number;

  @TimeColumn({ default: () => 'now()' })
  due_at: Date;

  /** Until when attempts that fail are repeated. */
  @TimeColumn({ default: () => `(now() + '5 days')` })
  give_up_at: Date;

  @TimeColumn({ nullable: true })
  leased_until: Date | null;

  /** The worker that has the lease. */
  @Column('uuid', { nullable: true })
  leased_by: string | null;

  /** The server rejected the recipient or the mail permanently. */
  @Column('boolean', { default: false })
  refused: boolean;

  /** Why the server did not take the recipient from us when it was last asked, and since when. */
  @Column('text', { nullable: true })
  denied_fault: ServerFault | null;

  @TimeColumn({ nullable: true })
  denied_since: Date | null;

  /** It was queued again after it had failed or was held. */
  @Column('boolean', { default: false })
  resent: boolean;

  @Column('text', { nullable: true })
  error: string | null;

  @TimeColumn({ nullable: true })
  sent_at: Date | null;
}

/** The content of files that mails carry, once for each organization. It is kept as long as the mails. */
@Entity('mail_files')
@ForeignKey(() => Organization, ['organization_id'], ['id'], { name: 'mail_files_organization_fkey' })
@ForeignKey('objects', ['organization_id', 'content_object_id'], ['organization_id', 'id'], { name: 'mail_files_content_object_id_fkey' })
@Index('mail_files_content_object_id_idx', ['content_object_id'], { where: 'content_object_id IS NOT NULL' })
@Index('mail_files_used_at_idx', ['used_at'])
export class MailFileRow {
  @PrimaryColumn('uuid')
  organization_id: string;

  @PrimaryColumn('text')
  sha256: string;

  @ObjectColumn()
  content_object_id: string | null;

  /** Of rows from before objects were introduced. */
  @Column('bytea', { nullable: true })
  content: Buffer | null;

  /** When a mail with it was last written or queued again. */
  @TimeColumn({ default: () => 'now()' })
  used_at: Date;
}
