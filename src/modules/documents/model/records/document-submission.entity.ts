import { Check, Column, Entity, ForeignKey, Unique } from 'typeorm';
import { BusinessEntity } from '../../../../kit/index.js';
import { Document } from './document.entity.js';

/** What approvers were asked to approve with one submission. The next one shows them what has changed since. */
@Entity('document_submissions')
@ForeignKey(() => Document, ['organization_id', 'project_id', 'mode', 'document_id'], ['organization_id', 'project_id', 'mode', 'id'], {
  name: 'document_submissions_document_id_fkey',
  onDelete: 'CASCADE',
})
@Unique('document_submissions_round_key', ['document_id', 'round'])
@Check('document_submissions_mode_check', `mode IN ('live', 'test')`)
export class DocumentSubmission extends BusinessEntity {
  @Column('uuid')
  document_id: string;

  /** `approval_round` of the document. */
  @Column('integer')
  round: number;

  @Column('text')
  title: string;

  @Column('jsonb')
  data_values: Record<string, unknown>;

  /** Of the PDF that the document consists of, if it is not made from a template; of several files a hash over all of them. */
  @Column('text', { nullable: true })
  file_sha256: string | null;

  /** The note of the submitter. */
  @Column('text', { nullable: true })
  comment: string | null;
}
