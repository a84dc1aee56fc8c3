import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { BusinessEntity, TimeColumn, type Actor } from '../../../../kit/index.js';
import { Document } from '../../model/records/document.entity.js';

/** A link that lets people without an account read a document. */
@Entity('document_share_links')
@ForeignKey(() => Document, ['organization_id', 'project_id', 'mode', 'document_id'], ['organization_id', 'project_id', 'mode', 'id'], {
  name: 'document_share_links_document_id_fkey',
  onDelete: 'CASCADE',
})
@Unique('document_share_links_token_hash_key', ['token_hash'])
@Index('document_share_links_document_id_idx', ['document_id', 'created_at', 'id'])
@Check('document_share_links_mode_check', `mode IN ('live', 'test')`)
export class ShareLink extends BusinessEntity {
  @Column('uuid')
  document_id: string;

  /** SHA-256 of the link's token, hexadecimal. */
  @Column('text')
  token_hash: string;

  @TimeColumn()
  expires_at: Date;

  /** argon2id; null for a link without a passcode. */
  @Column('text', { nullable: true })
  passcode_hash: string | null;

  @Column('boolean')
  allow_download: boolean;

  @Column('jsonb')
  created_by: Actor;

  /** The person who got it by mail with a copy of the document; null for links that a caller made. */
  @Column('uuid', { nullable: true })
  copy_id: string | null;

  @TimeColumn({ nullable: true })
  revoked_at: Date | null;

  /** Wrong passcodes since the link was created. */
  @Column('integer', { default: 0 })
  failures: number;

  /** Wrong passcodes since `failing_since`. */
  @Column('integer', { default: 0 })
  recent_failures: number;

  @TimeColumn({ nullable: true })
  failing_since: Date | null;
}
