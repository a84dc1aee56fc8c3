import { Check, Column, Entity, ForeignKey, Unique } from 'typeorm';
import { BaseEntity, Scoped } from '../../../kit/index.js';
import type { CustomFieldResource, CustomFieldType } from './custom-fields.js';

/** A field that a project adds to its leads, contacts or deals. */
@Scoped('configuration')
@Entity('crm_custom_fields')
@ForeignKey('projects', ['organization_id', 'project_id'], ['organization_id', 'id'], { name: 'crm_custom_fields_project_id_fkey' })
@Unique('crm_custom_fields_key_key', ['project_id', 'resource', 'key'])
@Check('crm_custom_fields_key_check', `key ~ '^[a-z][a-z0-9_]{0,62}$'`)
@Check('crm_custom_fields_label_check', 'length(label) BETWEEN 1 AND 100')
@Check('crm_custom_fields_resource_check', `resource IN ('lead', 'contact', 'deal')`)
@Check('crm_custom_fields_type_check', `type IN ('text', 'number', 'boolean', 'date', 'select', 'multi_select', 'url')`)
@Check(
  'crm_custom_fields_options_check',
  `(cardinality(options) > 0) = (type IN ('select', 'multi_select')) AND cardinality(options) <= 200`,
)
export class CrmCustomField extends BaseEntity {
  @Column('uuid')
  project_id: string;

  @Column('text')
  resource: CustomFieldResource;

  /** The key in `custom_fields`; never changes. */
  @Column('text')
  key: string;

  @Column('text')
  label: string;

  @Column('text')
  type: CustomFieldType;

  /** The values of select and multi_select; empty for other types. */
  @Column('text', {
    array: true,
    default: '{}',
  })
  options: string[];

  @Column('boolean', { default: false })
  required: boolean;

  /** An inactive field is unknown to changes of records, which keep their values. */
  @Column('boolean', { default: true })
  active: boolean;
}
