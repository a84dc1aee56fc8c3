import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { NotAudited, OrganizationEntity, type Actor } from '../../../../kit/index.js';

export const CREDIT_ENTRY_KINDS = ['grant', 'reserve', 'capture', 'release'] as const;
export type CreditEntryKind = (typeof CREDIT_ENTRY_KINDS)[number];

/** An entry of the credit ledger. Append-only: a trigger rejects every change. */
@Entity('ai_credit_entries')
@NotAudited()
@ForeignKey('organizations', ['organization_id'], ['id'], { name: 'ai_credit_entries_organization_id_fkey' })
@Index('ai_credit_entries_created_at_idx', ['organization_id', 'created_at', 'id'])
@Check('ai_credit_entries_kind_check', `kind IN ('grant', 'reserve', 'capture', 'release')`)
@Check('ai_credit_entries_amount_check', 'amount >= 1')
export class AiCreditEntry extends OrganizationEntity {
  @Column('text')
  kind: CreditEntryKind;

  @Column('integer')
  amount: number;

  /** The run that the entry belongs to; null for a grant. */
  @Column('uuid', { nullable: true })
  run_id: string | null;

  /** The document that was analyzed. It may have been deleted since. */
  @Column('uuid', { nullable: true })
  document_id: string | null;

  /** The account's balance and reserved credits after the entry. */
  @Column('integer')
  balance: number;

  @Column('integer')
  reserved: number;

  @Column('jsonb')
  actor: Actor;

  @Column('text', { nullable: true })
  note: string | null;
}
