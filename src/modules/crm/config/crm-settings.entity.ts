import { Check, Column, Entity, ForeignKey, Unique } from 'typeorm';
import { BaseEntity, Scoped } from '../../../kit/index.js';

/** CRM settings of a project; one row per project. */
@Scoped('configuration')
@Entity('crm_settings')
@ForeignKey('projects', ['organization_id', 'project_id'], ['organization_id', 'id'], { name: 'crm_settings_project_id_fkey' })
@Unique('crm_settings_project_id_key', ['project_id'])
@Check('crm_settings_default_country_check', `default_country ~ '^[A-Z]{2}$'`)
export class CrmSettings extends BaseEntity {
  @Column('uuid')
  project_id: string;

  /** ISO 3166-1 alpha-2; the country of phone numbers without a country code. */
  @Column('text', { nullable: true })
  default_country: string | null;
}
