import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { Scoped } from '../../../kit/index.js';
import { Configured } from './configured.entity.js';
import type { Priority, StatusCategory } from './values.js';

/** Filters of list_tickets, by their names. */
export interface ViewFilters {
  status_category?: (StatusCategory | 'unsolved')[];
  status_id?: string[];
  queue_id?: string[];
  /** `none`: without an assignee. */
  assignee_id?: string[];
  priority?: Priority[];
  tag?: string[];
}

/** Stored filters of the list of tickets. */
@Scoped('configuration')
@Entity('desk_views')
@Unique('desk_views_reference_key', ['organization_id', 'project_id', 'id'])
@ForeignKey('projects', ['organization_id', 'project_id'], ['organization_id', 'id'], { name: 'desk_views_project_id_fkey' })
@Index('desk_views_name_key', { synchronize: false })
@Index('desk_views_position_idx', ['organization_id', 'position', 'id', 'project_id'])
@Index('desk_views_created_at_idx', ['organization_id', 'created_at', 'id', 'project_id'])
@Check('desk_views_project_id_check', 'project_id IS NOT NULL')
@Check('desk_views_name_check', 'length(name) BETWEEN 1 AND 100')
@Check('desk_views_filters_check', `jsonb_typeof(filters) = 'object'`)
export class DeskView extends Configured {
  @Column('text')
  name: string;

  @Column('jsonb')
  filters: ViewFilters;

  /** Position in the list, from 1. */
  @Column('integer')
  position: number;

  @Column('boolean', { default: true })
  active: boolean;
}
