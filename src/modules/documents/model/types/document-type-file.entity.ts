import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { OrganizationEntity, ObjectColumn } from '../../../../kit/index.js';
import type { EarlierSignature, FormField } from '../core/placed-fields.js';
import { DocumentType } from './document-type.entity.js';

/** A PDF that the documents of a type consist of. Its type and versions refer to it; it never changes. */
@Entity('document_type_files')
@ForeignKey(() => DocumentType, ['organization_id', 'type_id'], ['organization_id', 'id'], { name: 'document_type_files_type_id_fkey' })
@Index('document_type_files_type_id_idx', ['organization_id', 'type_id'])
@ForeignKey('objects', ['organization_id', 'pdf_object_id'], ['organization_id', 'id'], { name: 'document_type_files_pdf_object_id_fkey' })
@Index('document_type_files_pdf_object_id_idx', ['pdf_object_id'], { where: 'pdf_object_id IS NOT NULL' })
@Check('document_type_files_pdf_check', 'length(pdf) <= 10485760')
export class DocumentTypeFile extends OrganizationEntity {
  @Column('uuid')
  type_id: string;

  /** Of rows from before objects were introduced. */
  @Column('bytea', { nullable: true })
  pdf: Buffer | null;

  @ObjectColumn()
  pdf_object_id: string | null;

  /** Hexadecimal, of the PDF. */
  @Column('text')
  sha256: string;

  /** The lines of each page. */
  @Column('jsonb')
  page_texts: string[][];

  @Column('jsonb')
  form_fields: FormField[];

  @Column('jsonb')
  earlier_signatures: EarlierSignature[];
}
