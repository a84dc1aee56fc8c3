import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { ConfigurationEntity, TimeColumn } from '../../kit/index.js';
import { Organization } from '../people/model/organization.entity.js';
import { Project } from '../people/model/project.entity.js';

/** A field that administrators added to a resource, in one project or in all. Its values are in the rows of the resource. */
@Entity('custom_fields')
@ForeignKey(() => Organization, ['organization_id'], ['id'], { name: 'custom_fields_organization_fkey' })
@ForeignKey(() => Project, ['organization_id', 'project_id'], ['organization_id', 'id'], { name: 'custom_fields_project_id_fkey' })
@Index('custom_fields_key_key', { synchronize: false })
@Index('custom_fields_position_idx', ['organization_id', 'position', 'id'])
@Index('custom_fields_created_at_idx', ['organization_id', 'created_at', 'id'])
@Index('custom_fields_deleted_at_idx', ['deleted_at'], { where: 'deleted_at IS NOT NULL' })
@Check('custom_fields_key_check', `key ~ '^[a-z][a-z0-9_]{0,62}$'`)
@Check('custom_fields_label_check', 'length(label) BETWEEN 1 AND 100')
@Check('custom_fields_description_check', 'length(description) <= 500')
@Check('custom_fields_options_check', `(cardinality(options) > 0) = (type IN ('choice', 'choices')) AND cardinality(options) <= 200`)
@Check('custom_fields_currency_check', `(currency IS NOT NULL) = (type = 'money')`)
@Check('custom_fields_group_check', 'length("group") BETWEEN 1 AND 100')
@Check('custom_fields_unique_check', 'filterable OR NOT "unique"')
export class CustomField extends ConfigurationEntity {
  @Column('text')
  resource: string;

  /** The key in `custom_fields`; never changes. */
  @Column('text')
  key: string;

  @Column('text')
  label: string;

  @Column('text', { nullable: true })
  description: string | null;

  @Column('text')
  type: string;

  @Column('text', {
    array: true,
    default: '{}',
  })
  options: string[];

  @Column('text', { nullable: true })
  currency: string | null;

  @Column('boolean', { default: false })
  required: boolean;

  @Column('boolean', { default: false })
  unique: boolean;

  @Column('boolean', { default: false })
  filterable: boolean;

  @Column('jsonb', { nullable: true })
  default_value: unknown;

  @Column('text', { nullable: true })
  group: string | null;

  @Column('integer')
  position: number;

  /** An inactive field is unknown to changes of records, which keep and show their values. */
  @Column('boolean', { default: true })
  active: boolean;

  /** Until it is purged, records keep the values, which nobody sees, and the field can be restored. */
  @TimeColumn({ nullable: true })
  deleted_at: Date | null;
}
