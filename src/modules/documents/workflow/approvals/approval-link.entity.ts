import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { BusinessEntity, TimeColumn } from '../../../../kit/index.js';
import { Document } from '../../model/records/document.entity.js';

/** A link from a mail to an approver. It shows the member the document, and lets them decide while they are asked. */
@Entity('approval_links')
@ForeignKey(() => Document, ['organization_id', 'project_id', 'mode', 'document_id'], ['organization_id', 'project_id', 'mode', 'id'], {
  name: 'approval_links_document_id_fkey',
  onDelete: 'CASCADE',
})
@ForeignKey('members', ['organization_id', 'member_id'], ['organization_id', 'id'], { name: 'approval_links_member_id_fkey' })
@Unique('approval_links_token_hash_key', ['token_hash'])
@Index('approval_links_document_id_idx', ['document_id'])
@Check('approval_links_mode_check', `mode IN ('live', 'test')`)
export class ApprovalLink extends BusinessEntity {
  @Column('uuid')
  document_id: string;

  @Column('uuid')
  member_id: string;

  /** Hexadecimal SHA-256 of the token. */
  @Column('text')
  token_hash: string;

  @TimeColumn()
  expires_at: Date;
}
