import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { ConfigurationEntity } from '../../../../kit/index.js';
import type { FieldSchema } from '../../model/core/field-schema.js';
import { DocumentType } from '../../model/types/document-type.entity.js';

/** A form that anyone may fill in at `/f/{slug}`. */
@Entity('intake_forms')
@ForeignKey('projects', ['organization_id', 'project_id'], ['organization_id', 'id'], { name: 'intake_forms_project_id_fkey' })
@ForeignKey(() => DocumentType, ['organization_id', 'document_type_id'], ['organization_id', 'id'], {
  name: 'intake_forms_document_type_id_fkey',
})
@Unique('intake_forms_organization_id_id_key', ['organization_id', 'id'])
@Index('intake_forms_slug_key', ['slug'], { unique: true })
@Index('intake_forms_created_at_idx', ['organization_id', 'created_at', 'id'])
@Check('intake_forms_slug_check', `slug ~ '^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$'`)
@Check('intake_forms_project_id_check', 'project_id IS NOT NULL')
@Check('intake_forms_fields_check', 'fields::jsonb IS NOT NULL')
export class IntakeForm extends ConfigurationEntity {
  /** Unique across all organizations, because the URL does not contain the organization. */
  @Column('text')
  slug: string;

  @Column('text')
  title: string;

  @Column('text', { nullable: true })
  description: string | null;

  /** Of the page's own texts, BCP 47. */
  @Column('text', { default: 'en' })
  language: string;

  /** `json`, which keeps the order of the fields. */
  @Column('json')
  fields: FieldSchema;

  /** The type whose filled-in PDFs visitors may upload. */
  @Column('uuid', { nullable: true })
  document_type_id: string | null;

  @Column('text', { nullable: true })
  success_message: string | null;

  @Column('boolean', { default: true })
  active: boolean;
}
