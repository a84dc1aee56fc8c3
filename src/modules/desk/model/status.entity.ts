import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { Scoped } from '../../../kit/index.js';
import { Configured } from './configured.entity.js';
import type { StatusCategory } from './values.js';

/** A label of the organization's own for a category, which decides what tickets of the status may do. */
@Scoped('configuration')
@Entity('desk_statuses')
@Unique('desk_statuses_reference_key', ['organization_id', 'project_id', 'id'])
@ForeignKey('projects', ['organization_id', 'project_id'], ['organization_id', 'id'], { name: 'desk_statuses_project_id_fkey' })
@Index('desk_statuses_name_key', { synchronize: false })
@Index('desk_statuses_is_default_key', ['project_id', 'category'], {
  unique: true,
  where: 'is_default',
})
@Index('desk_statuses_position_idx', ['organization_id', 'position', 'id', 'project_id'])
@Index('desk_statuses_created_at_idx', ['organization_id', 'created_at', 'id', 'project_id'])
@Check('desk_statuses_project_id_check', 'project_id IS NOT NULL')
@Check('desk_statuses_name_check', 'length(name) BETWEEN 1 AND 100')
@Check('desk_statuses_category_check', `category IN ('new', 'open', 'pending', 'on_hold', 'solved', 'closed')`)
@Check('desk_statuses_is_default_check', 'active OR NOT is_default')
export class DeskStatus extends Configured {
  @Column('text')
  name: string;

  /** Never changes. */
  @Column('text')
  category: StatusCategory;

  /** Whether tickets get it when the suite moves them to its category; each category has one such status. */
  @Column('boolean', { default: false })
  is_default: boolean;

  /** Position in the list, from 1. */
  @Column('integer')
  position: number;

  @Column('boolean', { default: true })
  active: boolean;
}
