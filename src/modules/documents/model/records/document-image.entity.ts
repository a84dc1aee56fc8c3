import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { BusinessEntity, ObjectColumn, TimeColumn } from '../../../../kit/index.js';

/** A picture that values of documents name, as it was read anew: without metadata, and of a size that pages need. */
@Entity('document_images')
@ForeignKey('projects', ['organization_id', 'project_id'], ['organization_id', 'id'], { name: 'document_images_project_id_fkey' })
@Unique('document_images_sha256_key', ['project_id', 'mode', 'sha256'])
@ForeignKey('objects', ['organization_id', 'bytes_object_id'], ['organization_id', 'id'], { name: 'document_images_bytes_object_id_fkey' })
@Index('document_images_bytes_object_id_idx', ['bytes_object_id'], { where: 'bytes_object_id IS NOT NULL' })
@Index('document_images_kept_until_idx', ['kept_until'])
@Check('document_images_mode_check', `mode IN ('live', 'test')`)
@Check('document_images_media_type_check', `media_type IN ('image/png', 'image/jpeg')`)
export class DocumentImage extends BusinessEntity {
  /** Of the file as it was sent. */
  @Column('text')
  sha256: string;

  @Column('text')
  media_type: 'image/png' | 'image/jpeg';

  /** In pixels. */
  @Column('integer')
  width: number;

  @Column('integer')
  height: number;

  @ObjectColumn()
  bytes_object_id: string | null;

  /** Of rows from before objects were introduced. */
  @Column('bytea', { nullable: true })
  bytes: Buffer | null;

  /** When it is deleted if nothing names it. */
  @TimeColumn()
  kept_until: Date;
}
