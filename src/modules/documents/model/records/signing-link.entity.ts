import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { BusinessEntity, TimeColumn, type Actor } from '../../../../kit/index.js';
import { Document } from './document.entity.js';

/**
 * `earlier`: of an earlier mail to the same person, who may open any of them; `passed_on`: of a person who no longer signs; `embed`: opens
 * a page in a frame once; `session`: what an `embed` link was exchanged for.
 */
export type SigningLinkKind = 'earlier' | 'passed_on' | 'embed' | 'session';

/** A link to the page of a party, besides the current one, whose token the party's row has. */
@Entity('signing_links')
@ForeignKey(() => Document, ['organization_id', 'project_id', 'mode', 'document_id'], ['organization_id', 'project_id', 'mode', 'id'], {
  name: 'signing_links_document_id_fkey',
  onDelete: 'CASCADE',
})
@Unique('signing_links_token_hash_key', ['token_hash'])
@Index('signing_links_document_id_idx', ['document_id', 'party_id'])
@Check('signing_links_mode_check', `mode IN ('live', 'test')`)
@Check('signing_links_kind_check', `kind IN ('earlier', 'passed_on', 'embed', 'session')`)
export class SigningLinkRow extends BusinessEntity {
  @Column('uuid')
  document_id: string;

  /** The party may be gone: an earlier link then shows what became of the document. */
  @Column('uuid')
  party_id: string;

  /** Hexadecimal SHA-256 of the token. */
  @Column('text')
  token_hash: string;

  @Column('text')
  kind: SigningLinkKind;

  /** The person to whom it was mailed; null for links for a frame, and for links from before this was recorded. */
  @Column('text', { nullable: true })
  owner_name: string | null;

  @Column('text', { nullable: true })
  owner_email: string | null;

  /** The key or member that made a link for a frame. */
  @Column('jsonb', { nullable: true })
  made_by: Actor | null;

  @TimeColumn({ nullable: true })
  expires_at: Date | null;

  @TimeColumn({ nullable: true })
  used_at: Date | null;
}
