import { Check, Column, Entity, ForeignKey, Unique } from 'typeorm';
import { ConfigurationEntity } from '../../../kit/index.js';

/** One row per project. */
@Entity('inventory_settings')
@ForeignKey('projects', ['organization_id', 'project_id'], ['organization_id', 'id'], { name: 'inventory_settings_project_id_fkey' })
@Unique('inventory_settings_project_id_key', ['project_id'])
@Unique('inventory_settings_currency_key', ['organization_id', 'project_id', 'currency'])
@Check('inventory_settings_project_id_check', 'project_id IS NOT NULL')
@Check('inventory_settings_currency_check', `currency ~ '^[A-Z]{3}$'`)
export class InventorySettings extends ConfigurationEntity {
  declare project_id: string;

  /** ISO 4217. Items refer to it, so it cannot change once the project has one. */
  @Column('text')
  currency: string;
}
