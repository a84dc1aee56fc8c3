import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { BaseEntity, Scoped } from '../../../kit/index.js';
import type { StatusGroup } from './task-status.js';

/** A status of a project's tasks: a column of its board. */
@Scoped('configuration')
@Entity('task_statuses')
@ForeignKey('projects', ['organization_id', 'project_id'], ['organization_id', 'id'], { name: 'task_statuses_project_id_fkey' })
@Unique('task_statuses_reference_key', ['organization_id', 'project_id', 'group', 'id'])
@Index('task_statuses_name_key', { synchronize: false })
@Index('task_statuses_default_key', ['project_id'], {
  unique: true,
  where: 'is_default',
})
@Check('task_statuses_name_check', 'length(name) BETWEEN 1 AND 50')
@Check('task_statuses_group_check', `"group" IN ('backlog', 'unstarted', 'started', 'completed', 'cancelled')`)
export class TaskStatus extends BaseEntity {
  @Column('uuid')
  project_id: string;

  @Column('text')
  name: string;

  @Column('text')
  group: StatusGroup;

  /** Position on the board, from 1. */
  @Column('integer')
  position: number;

  /** Whether tasks created without a status get this one; one per project. */
  @Column('boolean', { default: false })
  is_default: boolean;
}
