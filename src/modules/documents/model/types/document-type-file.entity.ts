import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { OrganizationEntity } from '../../../../kit/index.js';
import type { EarlierSignature, FormField } from '../core/placed-fields.js';
import { DocumentType } from './document-type.entity.js';

/** A PDF that the documents of a type consist of. Its type and versions refer to it; it never changes. */
@Entity('document_type_files')
@ForeignKey(() => DocumentType, ['organization_id', 'type_id'], ['organization_id', 'id'], { name: 'document_type_files_type_id_fkey' })
@Index('document_type_files_type_id_idx', ['organization_id', 'type_id'])
@Check('document_type_files_pdf_check', 'length(pdf) <= 10485760')
export class DocumentTypeFile extends OrganizationEntity {
  @Column('uuid')
  type_id: string;

  @Column('bytea')
  pdf: Buffer;

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
