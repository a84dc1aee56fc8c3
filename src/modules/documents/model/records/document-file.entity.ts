import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { BusinessEntity, ObjectColumn, TimeColumn } from '../../../../kit/index.js';
import type { EarlierSignature, FormField, PlacedField, PlacedValue } from '../core/placed-fields.js';
import { Document, type FurtherFile } from './document.entity.js';

/** A PDF that a document consists of: instead of the text of its type's template, or besides it. */
@Entity('document_files')
@ForeignKey(() => Document, ['organization_id', 'project_id', 'mode', 'document_id'], ['organization_id', 'project_id', 'mode', 'id'], {
  name: 'document_files_document_id_fkey',
  onDelete: 'CASCADE',
})
@Index('document_files_main_key', ['document_id'], {
  unique: true,
  where: 'is_main',
})
@Index('document_files_document_id_idx', ['document_id'])
@Index('document_files_removed_at_idx', ['removed_at'], { where: 'removed_at IS NOT NULL' })
@ForeignKey('objects', ['organization_id', 'pdf_object_id'], ['organization_id', 'id'], { name: 'document_files_pdf_object_id_fkey' })
@Index('document_files_pdf_object_id_idx', ['pdf_object_id'], { where: 'pdf_object_id IS NOT NULL' })
@Check('document_files_mode_check', `mode IN ('live', 'test')`)
@Check('document_files_pdf_check', 'length(pdf) <= 10485760')
@Check('document_files_removed_check', '(removed_at IS NULL) = (removed_as IS NULL)')
export class DocumentFile extends BusinessEntity {
  @Column('uuid')
  document_id: string;

  /** Whether it is the document's own content. The others are those of `files` of the document, which has their order. */
  @Column('boolean', { default: true })
  is_main: boolean;

  /** Of rows from before objects were introduced. */
  @Column('bytea', { nullable: true })
  pdf: Buffer | null;

  @ObjectColumn()
  pdf_object_id: string | null;

  /** Hexadecimal, of the PDF. */
  @Column('text')
  sha256: string;

  /** The lines of each page, for readers who do not open the PDF. */
  @Column('jsonb')
  page_texts: string[][];

  @Column('jsonb', { default: '[]' })
  fields: PlacedField[];

  @Column('jsonb', { default: '[]' })
  form_fields: FormField[];

  /** Of a type whose documents consist of the file. */
  @Column('jsonb', { default: '[]' })
  values: PlacedValue[];

  /** In the order in which they were added. */
  @Column('jsonb', { default: '[]' })
  earlier_signatures: EarlierSignature[];

  /** When it was removed from the document, which can be undone; null while the document has it. */
  @TimeColumn({ nullable: true })
  removed_at: Date | null;

  /** What the document said about it until then. */
  @Column('jsonb', { nullable: true })
  removed_as: FurtherFile | null;
}
