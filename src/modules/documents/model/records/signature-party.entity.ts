import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { BusinessEntity, TimeColumn, type Actor } from '../../../../kit/index.js';
import { Document } from './document.entity.js';

/** `waiting`: not yet reached in the signing order; `invited`: its mail was created; `viewed`: it opened the link. */
export const PARTY_STATUSES = ['waiting', 'invited', 'viewed', 'signed', 'declined', 'cancelled'] as const;
export type PartyStatus = (typeof PARTY_STATUSES)[number];

/** Of the latest mail with a link: in flight, accepted by the mail server (or held, where mails do not leave), or rejected for good. */
export const INVITATIONS = ['sending', 'accepted', 'failed'] as const;
export type Invitation = (typeof INVITATIONS)[number];

/** The type in which a name is set besides that of the text: handwriting with a pen, or a formal script. */
export const FACES = ['pen', 'script'] as const;
export type Face = (typeof FACES)[number];

/** The signature: a typed name, or a drawing or an uploaded picture as PNG in Base64. */
export type Signature = { kind: 'typed'; text: string; face?: Face } | { kind: 'drawn' | 'uploaded'; png: string };

/**
 * How a party was authenticated: by the link that was mailed to it, or by the one-time link that a key made for a page in a frame;
 * each with or without a code from a second mail.
 */
export const AUTHENTICATIONS = ['mailed_link', 'mailed_link_and_code', 'embedded_link', 'embedded_link_and_code'] as const;
export type Authentication = (typeof AUTHENTICATIONS)[number];

/** A person whom another one replaced as the signer of a party, or an earlier name of the signer. */
export interface EarlierSigner {
  name: string;
  email: string;
  /** `party`: they passed the document on themselves; `sender`: the organization changed the party. */
  replaced_by: 'party' | 'sender';
  /** RFC 3339, UTC. */
  replaced_at: string;
}

/** The most per party: responses, pages and the certificate list them. */
export const MOST_EARLIER_SIGNERS = 500;

/** A party asked to sign a document. */
@Entity('signature_parties')
@ForeignKey(() => Document, ['organization_id', 'project_id', 'mode', 'document_id'], ['organization_id', 'project_id', 'mode', 'id'], {
  name: 'signature_parties_document_id_fkey',
  onDelete: 'CASCADE',
})
@Index('signature_parties_document_id_idx', ['document_id', 'revision', 'turn', 'id'])
@Index('signature_parties_token_hash_key', ['token_hash'], {
  unique: true,
  where: 'token_hash IS NOT NULL',
})
@Index('signature_parties_copy_token_hash_key', ['copy_token_hash'], {
  unique: true,
  where: 'copy_token_hash IS NOT NULL',
})
@Check('signature_parties_mode_check', `mode IN ('live', 'test')`)
@Index('signature_parties_sending_idx', ['mail_id'], { where: `invitation = 'sending'` })
@Index('signature_parties_failed_idx', ['mail_id'], { where: `invitation = 'failed'` })
@Index('signature_parties_invited_at_idx', ['invited_at'], { where: `status IN ('invited', 'viewed') AND invited_at IS NOT NULL` })
@Check(
  'signature_parties_authentication_check',
  `authentication IN ('mailed_link', 'mailed_link_and_code', 'embedded_link', 'embedded_link_and_code')`,
)
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

  /** Whether the party may pass the document on to another person. */
  @Column('boolean', { default: false })
  may_delegate: boolean;

  @Column('text')
  name: string;

  @Column('text')
  email: string;

  /** The signers before this one, the earliest first: the frozen text of the document may name them. */
  @Column('jsonb', { default: '[]' })
  earlier_signers: EarlierSigner[];

  @Column('text', { default: 'waiting' })
  status: PartyStatus;

  /** Hexadecimal SHA-256 of the token of the signing link. */
  @Column('text', { nullable: true })
  token_hash: string | null;

  /** The same for the link to the executed document. The token of the signing link is not stored, so it cannot be mailed again. */
  @Column('text', { nullable: true })
  copy_token_hash: string | null;

  /** The mail of the invitation, for its delivery status. */
  @Column('uuid', { nullable: true })
  mail_id: string | null;

  /** Status of that mail. */
  @Column('text', { nullable: true })
  invitation: Invitation | null;

  /** When the latest link was mailed. */
  @TimeColumn({ nullable: true })
  invited_at: Date | null;

  /** Automatic reminders sent so far. */
  @Column('integer', { default: 0 })
  reminders: number;

  @Column('text', { nullable: true })
  otp_hash: string | null;

  @TimeColumn({ nullable: true })
  otp_expires_at: Date | null;

  /** Wrong codes since the link was mailed. */
  @Column('integer', { default: 0 })
  otp_failures: number;

  @TimeColumn({ nullable: true })
  viewed_at: Date | null;

  /** When it was last opened before the party signed. */
  @TimeColumn({ nullable: true })
  last_viewed_at: Date | null;

  /** Of the first opening. */
  @Column('text', { nullable: true })
  viewed_address: string | null;

  @Column('text', { nullable: true })
  viewed_user_agent: string | null;

  @TimeColumn({ nullable: true })
  signed_at: Date | null;

  @TimeColumn({ nullable: true })
  declined_at: Date | null;

  @Column('text', { nullable: true })
  decline_reason: string | null;

  @Column('jsonb', { nullable: true })
  signature: Signature | null;

  /** Null if they follow from the name. */
  @Column('jsonb', { nullable: true })
  initials: Signature | null;

  /** The texts that the party has entered, by key of the placed field. */
  @Column('jsonb', { default: '{}' })
  field_values: Record<string, string>;

  @Column('text', { nullable: true })
  consent_text: string | null;

  @Column('text', { nullable: true })
  address: string | null;

  @Column('text', { nullable: true })
  user_agent: string | null;

  /** Null for a party that has not signed, and for signatures from before this was recorded. */
  @Column('text', { nullable: true })
  authentication: Authentication | null;

  /** Who made the link for a frame with which the party signed. */
  @Column('jsonb', { nullable: true })
  link_made_by: Actor | null;

  /** Hexadecimal SHA-256 over the previous party's evidence and this party's facts. */
  @Column('text', { nullable: true })
  evidence_sha256: string | null;
}

/** The status that is shown: a party is not `invited` before a mail server has accepted its mail. */
export function shownStatus({ status, invitation }: SignatureParty): PartyStatus {
  return status === 'invited' && invitation !== 'accepted' ? 'waiting' : status;
}

/** The parties that signed, in the order in which they signed. */
export function signersOf(parties: readonly SignatureParty[]): SignatureParty[] {
  const at = ({ signed_at }: SignatureParty) => signed_at?.getTime() ?? 0;
  return parties.filter(({ status }) => status === 'signed').sort((one, other) => at(one) - at(other));
}

/** What the parties that signed filled in, by key of the field. */
export function filledInBy(signers: readonly SignatureParty[]): Record<string, string> {
  return Object.assign(Object.create(null), ...signers.map(({ field_values }) => field_values)) as Record<string, string>;
}

/** Whether the party itself can pass the document on to another person. */
export function canDelegate({ may_delegate, earlier_signers }: SignatureParty): boolean {
  return may_delegate && earlier_signers.length < MOST_EARLIER_SIGNERS;
}
