import { Check, Column, Entity, ForeignKey, Unique } from 'typeorm';
import { OrganizationEntity, type Actor } from '../../../../kit/index.js';
import { DocumentType } from './document-type.entity.js';
import type { FurtherTypeFile, TypeFile } from './type-file.js';
import type { TypeDefinition } from './type-definition.js';

/** A published version of a type. A database trigger rejects every change. */
@Entity('document_type_versions')
@ForeignKey(() => DocumentType, ['organization_id', 'type_id'], ['organization_id', 'id'], { name: 'document_type_versions_type_id_fkey' })
@Unique('document_type_versions_number_key', ['organization_id', 'type_id', 'number'])
@Check('document_type_versions_number_check', 'number >= 1')
@Check('document_type_versions_definition_check', 'definition::jsonb IS NOT NULL')
export class DocumentTypeVersion extends OrganizationEntity {
  @Column('uuid')
  type_id: string;

  @Column('integer')
  number: number;

  /** The type's name when it was published. */
  @Column('text')
  name: string;

  /** `json`, which keeps the order of the fields. */
  @Column('json')
  definition: TypeDefinition;

  /** The PDF that documents consist of; null for the text of the template. */
  @Column('jsonb', { nullable: true })
  file: TypeFile | null;

  /** That are signed with its documents, after their own content. */
  @Column('jsonb', { default: '[]' })
  files: FurtherTypeFile[];

  @Column('jsonb')
  published_by: Actor;
}
