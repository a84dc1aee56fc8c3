import { Check, Column, Entity, ForeignKey, Unique } from 'typeorm';
import { Scoped } from '../../../kit/index.js';
import { Configured } from './configured.entity.js';

/** The settings of a project; each has one row. */
@Scoped('configuration')
@Entity('desk_settings')
@Unique('desk_settings_project_id_key', ['project_id'])
@ForeignKey('projects', ['organization_id', 'project_id'], ['organization_id', 'id'], { name: 'desk_settings_project_id_fkey' })
@Check('desk_settings_project_id_check', 'project_id IS NOT NULL')
@Check('desk_settings_close_after_days_check', 'close_after_days BETWEEN 1 AND 28')
export class DeskSettings extends Configured {
  /** Days from solving to closing a ticket. */
  @Column('integer', { default: 4 })
  close_after_days: number;

  /** Whether requesters are asked to rate solved tickets. */
  @Column('boolean', { default: true })
  ask_for_rating: boolean;
}
