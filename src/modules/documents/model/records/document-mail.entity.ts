import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { BusinessEntity } from '../../../../kit/index.js';
import { Document } from './document.entity.js';

/** What a mail is for: a copy to read, the file that all have signed, or a decision. */
export type MailPurpose = 'copy' | 'executed' | 'decision' | 'code';

/** A mail about a document that is on its way. The row is deleted once the mail was delivered or rejected. */
@Entity('document_mails')
@ForeignKey(() => Document, ['organization_id', 'project_id', 'mode', 'document_id'], ['organization_id', 'project_id', 'mode', 'id'], {
  name: 'document_mails_document_id_fkey',
  onDelete: 'CASCADE',
})
@Index('document_mails_document_id_idx', ['document_id'])
@Check('document_mails_mode_check', `mode IN ('live', 'test')`)
@Check('document_mails_purpose_check', `purpose IN ('copy', 'executed', 'decision', 'code')`)
export class DocumentMail extends BusinessEntity {
  @Column('uuid')
  document_id: string;

  @Column('uuid')
  mail_id: string;

  @Column('text')
  purpose: MailPurpose;

  /** The recipient. */
  @Column('text')
  name: string;

  @Column('text')
  email: string;
}
