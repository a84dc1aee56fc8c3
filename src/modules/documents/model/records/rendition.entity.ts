import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { BusinessEntity } from '../../../../kit/index.js';
import type { PlacedField } from '../core/placed-fields.js';
import { Document } from './document.entity.js';

/** A frozen rendition: `final` as finalized, `executed` with the certificate pages and the seal. */
@Entity('document_renditions')
@ForeignKey(() => Document, ['organization_id', 'project_id', 'mode', 'document_id'], ['organization_id', 'project_id', 'mode', 'id'], {
  name: 'document_renditions_document_id_fkey',
  onDelete: 'CASCADE',
})
@Unique('document_renditions_kind_key', ['document_id', 'revision', 'kind'])
@Index('document_renditions_sha256_idx', ['sha256'])
@Check('document_renditions_mode_check', `mode IN ('live', 'test')`)
@Check('document_renditions_kind_check', `kind IN ('final', 'executed')`)
export class Rendition extends BusinessEntity {
  @Column('uuid')
  document_id: string;

  @Column('integer')
  revision: number;

  @Column('text')
  kind: 'final' | 'executed';

  @Column('bytea')
  pdf: Buffer;

  @Column('text')
  html: string;

  /** Hexadecimal, of the PDF. */
  @Column('text')
  sha256: string;

  /** Where the parties sign on the pages of a template; those of a file belong to the file. */
  @Column('jsonb', { default: '[]' })
  fields: PlacedField[];
}
