import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { BusinessEntity } from '../../../../kit/index.js';
import { Document } from './document.entity.js';

/** `waiting`: not yet its turn; `invited`: a mail with its link was written; `viewed`: opened it. */
export const PARTY_STATUSES = ['waiting', 'invited', 'viewed', 'signed', 'declined', 'cancelled'] as const;
export type PartyStatus = (typeof PARTY_STATUSES)[number];

/** What a party gave on the signing page: its name typed, or a drawing as PNG. */
export type Signature = { kind: 'typed'; text: string } | { kind: 'drawn'; png: string };

/** Somebody asked to sign a document that was sent. */
@Entity('signature_parties')
@ForeignKey(() => Document, ['organization_id', 'project_id', 'mode', 'document_id'], ['organization_id', 'project_id', 'mode', 'id'], {
  name: 'signature_parties_document_id_fkey',
  onDelete: 'CASCADE',
})
@Index('signature_parties_document_id_idx', ['document_id', 'revision', 'turn', 'id'])
@Index('signature_parties_token_hash_key', ['token_hash'], { unique: true, where: 'token_hash IS NOT NULL' })
@Index('signature_parties_copy_token_hash_key', ['copy_token_hash'], { unique: true, where: 'copy_token_hash IS NOT NULL' })
@Check('signature_parties_mode_check', `mode IN ('live', 'test')`)
@Index('signature_parties_sending_idx', ['mail_id'], { where: `invitation = 'sending'` })
@Check('signature_parties_invitation_check', `invitation IN ('sending', 'accepted', 'failed')`)
@Check('signature_parties_status_check', `status IN ('waiting', 'invited', 'viewed', 'signed', 'declined', 'cancelled')`)
export class SignatureParty extends BusinessEntity {
  @Column('uuid')
  document_id: string;

  /** The document's revision that was sent. */
  @Column('integer')
  revision: number;

  @Column('text')
  key: string;

  @Column('text')
  label: string;

  @Column('integer')
  turn: number;

  @Column('text')
  kind: 'internal' | 'external';

  @Column('boolean')
  required: boolean;

  @Column('text')
  auth: 'link' | 'otp';

  @Column('text')
  name: string;

  @Column('text')
  email: string;

  @Column('text', { default: 'waiting' })
  status: PartyStatus;

  /** SHA-256 of the link's token, hexadecimal. */
  @Column('text', { nullable: true })
  token_hash: string | null;

  /** The same of the link mailed once the document was executed: of the first one no token is known any more. */
  @Column('text', { nullable: true })
  copy_token_hash: string | null;

  /** The invitation, by which its way to the mail server can be followed. */
  @Column('uuid', { nullable: true })
  mail_id: string | null;

  /** How far that mail came: on its way, taken by the mail server (or kept, where none is meant to leave), or refused for good. */
  @Column('text', { nullable: true })
  invitation: 'sending' | 'accepted' | 'failed' | null;

  @Column('text', { nullable: true })
  otp_hash: string | null;

  @Column({
    type: 'timestamptz',
    precision: 3,
    nullable: true,
  })
  otp_expires_at: Date | null;

  /** Of all codes since the link was mailed. */
  @Column('integer', { default: 0 })
  otp_failures: number;

  @Column({
    type: 'timestamptz',
    precision: 3,
    nullable: true,
  })
  viewed_at: Date | null;

  @Column({
    type: 'timestamptz',
    precision: 3,
    nullable: true,
  })
  signed_at: Date | null;

  @Column({
    type: 'timestamptz',
    precision: 3,
    nullable: true,
  })
  declined_at: Date | null;

  @Column('text', { nullable: true })
  decline_reason: string | null;

  @Column('jsonb', { nullable: true })
  signature: Signature | null;

  @Column('text', { nullable: true })
  consent_text: string | null;

  @Column('text', { nullable: true })
  address: string | null;

  @Column('text', { nullable: true })
  user_agent: string | null;

  /** SHA-256 over the evidence before and this party's facts, hexadecimal. */
  @Column('text', { nullable: true })
  evidence_sha256: string | null;
}

/** What a party's status is to others: nobody is invited by a mail that no mail server has taken. */
export function shownStatus({ status, invitation }: SignatureParty): PartyStatus {
  return status === 'invited' && invitation !== 'accepted' ? 'waiting' : status;
}
