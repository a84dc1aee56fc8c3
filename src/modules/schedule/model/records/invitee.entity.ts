import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { BusinessEntity, EncryptedColumn, TimeColumn } from '../../../../kit/index.js';
import { ScheduleEvent } from './event.entity.js';

export const INVITEE_ROLES = ['required', 'optional'] as const;
export const RESPONSES = ['needs_action', 'accepted', 'declined', 'tentative'] as const;

export const INVITATION_STATUSES = ['queued', 'sent', 'failed', 'suppressed'] as const;

export type InvitationStatus = (typeof INVITATION_STATUSES)[number];
export type InviteeRole = (typeof INVITEE_ROLES)[number];
export type InviteeResponse = (typeof RESPONSES)[number];

/** A person who is invited to an event, or to all instances of a series. */
@Entity('schedule_invitees')
@ForeignKey(() => ScheduleEvent, ['organization_id', 'project_id', 'mode', 'event_id'], ['organization_id', 'project_id', 'mode', 'id'], {
  name: 'schedule_invitees_event_id_fkey',
  onDelete: 'CASCADE',
})
@Index('schedule_invitees_email_key', { synchronize: false })
@Index('schedule_invitees_event_id_idx', ['event_id', 'created_at', 'id'])
@Index('schedule_invitees_token_hash_key', ['token_hash'], { unique: true })
@Index('schedule_invitees_queued_idx', ['mail_id'], { where: `invitation_status = 'queued'` })
@Index('schedule_invitees_failed_idx', ['mail_id'], { where: `invitation_status = 'failed'` })
@Check('schedule_invitees_invitation_status_check', `invitation_status IN ('queued', 'sent', 'failed', 'suppressed')`)
@Check('schedule_invitees_mode_check', `mode IN ('live', 'test')`)
@Check('schedule_invitees_name_check', 'length(name) <= 255')
@Check('schedule_invitees_role_check', `role IN ('required', 'optional')`)
@Check('schedule_invitees_response_check', `response IN ('needs_action', 'accepted', 'declined', 'tentative')`)
export class Invitee extends BusinessEntity {
  @Column('uuid')
  event_id: string;

  /** Unique in the event, in any case. */
  @Column('text')
  email: string;

  @Column('text', { nullable: true })
  name: string | null;

  @Column('text', { default: 'required' })
  role: InviteeRole;

  @Column('text', { default: 'needs_action' })
  response: InviteeResponse;

  @TimeColumn({ nullable: true })
  responded_at: Date | null;

  /** SHA-256 of the token in the answer link, hexadecimal; null until a mail was written. */
  @Column('text', { nullable: true })
  token_hash: string | null;

  /** The token, encrypted, so that later mails have the same link. */
  @EncryptedColumn({ nullable: true })
  token_sealed: string | null;

  /** The latest invitation mail. */
  @Column('uuid', { nullable: true })
  mail_id: string | null;

  /** The delivery status of the latest invitation mail; `sent` once the mail server has accepted it. */
  @Column('text', { default: 'queued' })
  invitation_status: InvitationStatus;

  @TimeColumn({ nullable: true })
  invitation_sent_at: Date | null;

  /** Why the mail server rejected it. */
  @Column('text', { nullable: true })
  invitation_error: string | null;
}
