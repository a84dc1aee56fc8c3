import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { BusinessEntity, ObjectColumn } from '../../../../kit/index.js';
import type { PlacedField } from '../core/placed-fields.js';
import { Document } from './document.entity.js';

/**
 * A frozen file of a document: `final` as finalized, `executed` as signed and sealed. The certificate of the signatures stands in the
 * executed file, or is a file of its own (`certificate`) if the document has several.
 */
@Entity('document_renditions')
@ForeignKey(() => Document, ['organization_id', 'project_id', 'mode', 'document_id'], ['organization_id', 'project_id', 'mode', 'id'], {
  name: 'document_renditions_document_id_fkey',
  onDelete: 'CASCADE',
})
@Unique('document_renditions_kind_key', ['document_id', 'revision', 'kind', 'position'])
@Index('document_renditions_sha256_idx', ['sha256'])
@ForeignKey('objects', ['organization_id', 'pdf_object_id'], ['organization_id', 'id'], { name: 'document_renditions_pdf_object_id_fkey' })
@Index('document_renditions_pdf_object_id_idx', ['pdf_object_id'], { where: 'pdf_object_id IS NOT NULL' })
@Check('document_renditions_mode_check', `mode IN ('live', 'test')`)
@Check('document_renditions_kind_check', `kind IN ('final', 'executed', 'certificate')`)
export class Rendition extends BusinessEntity {
  @Column('uuid')
  document_id: string;

  @Column('integer')
  revision: number;

  @Column('text')
  kind: 'final' | 'executed' | 'certificate';

  /** From 1, the document's own content. */
  @Column('integer', { default: 1 })
  position: number;

  /** Of the DocumentFile; null for the document's own content and the certificate. */
  @Column('uuid', { nullable: true })
  file_id: string | null;

  /** Null for the document's own content, whose name is the title. */
  @Column('text', { nullable: true })
  name: string | null;

  /** Of rows from before objects were introduced. */
  @Column('bytea', { nullable: true })
  pdf: Buffer | null;

  @ObjectColumn()
  pdf_object_id: string | null;

  @Column('text')
  html: string;

  /** Hexadecimal, of the PDF. */
  @Column('text')
  sha256: string;

  /** Where the parties sign; those of a file that is the document's own content belong to that file. */
  @Column('jsonb', { default: '[]' })
  fields: PlacedField[];
}
