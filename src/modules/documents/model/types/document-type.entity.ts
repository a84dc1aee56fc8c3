import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { ConfigurationEntity } from '../../../../kit/index.js';
import type { FurtherTypeFile, TypeFile } from './type-file.js';
import type { TypeDefinition } from './type-definition.js';

/** A kind of document. Documents follow its published versions; `draft` becomes the next one. */
@Entity('document_types')
@ForeignKey('projects', ['organization_id', 'project_id'], ['organization_id', 'id'], { name: 'document_types_project_id_fkey' })
@Unique('document_types_organization_id_id_key', ['organization_id', 'id'])
@Unique('document_types_code_key', ['organization_id', 'code'])
@Index('document_types_created_at_idx', ['organization_id', 'created_at', 'id'])
@Check('document_types_code_check', `code ~ '^[a-z][a-z0-9_]{1,62}$'`)
@Check('document_types_name_check', 'length(name) BETWEEN 1 AND 100')
@Check('document_types_published_version_check', 'published_version >= 1')
@Check('document_types_draft_check', 'draft::jsonb IS NOT NULL')
export class DocumentType extends ConfigurationEntity {
  /** Never changes. */
  @Column('text')
  code: string;

  @Column('text')
  name: string;

  @Column('text', { nullable: true })
  description: string | null;

  /** The latest published version, or null. */
  @Column('integer', { nullable: true })
  published_version: number | null;

  /** `json`, which keeps the order of the fields. */
  @Column('json')
  draft: TypeDefinition;

  /** The PDF that documents consist of from the next version on; null for the text of the template. */
  @Column('jsonb', { nullable: true })
  file: TypeFile | null;

  /** That are signed with the documents of the next version, after their own content. */
  @Column('jsonb', { default: '[]' })
  files: FurtherTypeFile[];
}
