import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { BusinessEntity, TimeColumn } from '../../../../kit/index.js';
import type { CopyTime } from '../core/copy-times.js';
import { Document } from './document.entity.js';

/** A person who gets a copy of a document that was sent, without signing it. */
@Entity('document_copies')
@ForeignKey(() => Document, ['organization_id', 'project_id', 'mode', 'document_id'], ['organization_id', 'project_id', 'mode', 'id'], {
  name: 'document_copies_document_id_fkey',
  onDelete: 'CASCADE',
})
@Index('document_copies_document_id_idx', ['document_id', 'revision'])
@Check('document_copies_mode_check', `mode IN ('live', 'test')`)
@Check('document_copies_copy_when_check', `copy_when IN ('sent', 'completed')`)
export class DocumentCopy extends BusinessEntity {
  @Column('uuid')
  document_id: string;

  @Column('integer')
  revision: number;

  @Column('text')
  name: string;

  @Column('text')
  email: string;

  @Column('text')
  copy_when: CopyTime;

  /** When the link to the document was mailed, while others sign it. */
  @TimeColumn({ nullable: true })
  sent_at: Date | null;

  /** When the signed file was mailed. */
  @TimeColumn({ nullable: true })
  completed_at: Date | null;
}
