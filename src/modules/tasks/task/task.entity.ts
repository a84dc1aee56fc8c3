import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { BusinessEntity, CustomFields, TimeColumn, type Actor, type CustomFieldValues } from '../../../kit/index.js';
import { TaskStatus } from '../lookups/task-status.entity.js';
import type { StatusGroup } from '../lookups/task-status.js';

/** A piece of work. The row contains everything that a list shows, so that reads need no join. */
@Entity('tasks')
@Unique('tasks_key_key', ['organization_id', 'key'])
@Unique('tasks_reference_key', ['organization_id', 'project_id', 'mode', 'id'])
@ForeignKey(
  () => TaskStatus,
  ['organization_id', 'project_id', 'status_group', 'status_id'],
  ['organization_id', 'project_id', 'group', 'id'],
  { name: 'tasks_status_id_fkey' },
)
@ForeignKey(() => Task, ['organization_id', 'project_id', 'mode', 'parent_id'], ['organization_id', 'project_id', 'mode', 'id'], {
  name: 'tasks_parent_id_fkey',
})
@Index('tasks_created_at_idx', ['organization_id', 'mode', 'created_at', 'id'])
@Index('tasks_project_created_at_idx', ['organization_id', 'mode', 'project_id', 'created_at', 'id'])
@Index('tasks_updated_at_idx', ['organization_id', 'mode', 'updated_at', 'id', 'project_id'])
@Index('tasks_due_on_asc_idx', { synchronize: false })
@Index('tasks_due_on_desc_idx', { synchronize: false })
@Index('tasks_priority_idx', ['organization_id', 'mode', 'priority', 'id', 'project_id'])
@Index('tasks_position_idx', ['organization_id', 'mode', 'project_id', 'position', 'id'])
@Index('tasks_status_id_idx', ['status_id'])
@Index('tasks_status_group_idx', ['organization_id', 'mode', 'status_group'])
@Index('tasks_parent_id_idx', ['parent_id'], { where: 'parent_id IS NOT NULL' })
@Index('tasks_assignee_ids_idx', { synchronize: false })
@Index('tasks_label_ids_idx', { synchronize: false })
@Index('tasks_search_idx', { synchronize: false })
@Check('tasks_mode_check', `mode IN ('live', 'test')`)
@Check('tasks_title_check', 'length(title) BETWEEN 1 AND 255')
@Check('tasks_description_check', 'length(description) <= 20000')
@Check('tasks_priority_check', 'priority BETWEEN 0 AND 4')
@Check('tasks_assignee_ids_check', 'cardinality(assignee_ids) <= 20')
@Check('tasks_label_ids_check', 'cardinality(label_ids) <= 50')
@Check('tasks_parent_id_check', 'parent_id <> id')
@Check('tasks_due_on_check', 'due_on >= start_on')
@Check('tasks_custom_fields_check', `jsonb_typeof(custom_fields) = 'object'`)
@Check('tasks_completed_at_check', `(completed_at IS NOT NULL) = (status_group IN ('completed', 'cancelled'))`)
export class Task extends BusinessEntity {
  /** Such as `ENG-42`, or `TEST-ENG-1` in test mode. Never reused. */
  @Column('text')
  key: string;

  @Column('text')
  title: string;

  @Column('text', { nullable: true })
  description: string | null;

  @Column('uuid')
  status_id: string;

  /** The status's group; the foreign key keeps both consistent. */
  @Column('text')
  status_group: StatusGroup;

  /** Index in `PRIORITIES`. */
  @Column('smallint')
  priority: number;

  /** Member ids; a trigger rejects unknown ones. */
  @Column('uuid', {
    array: true,
    default: '{}',
  })
  assignee_ids: string[];

  /** Label ids; a trigger rejects unknown ones. */
  @Column('uuid', {
    array: true,
    default: '{}',
  })
  label_ids: string[];

  @Column('uuid', { nullable: true })
  parent_id: string | null;

  @Column('date', { nullable: true })
  start_on: string | null;

  @Column('date', { nullable: true })
  due_on: string | null;

  @Column('double precision')
  position: number;

  @TimeColumn({ nullable: true })
  completed_at: Date | null;

  @Column('jsonb')
  created_by: Actor;

  @CustomFields('task')
  custom_fields: CustomFieldValues;

  /** Search vector of key, title and description; maintained by a trigger. */
  @Column({
    type: 'tsvector',
    nullable: true,
    select: false,
    insert: false,
    update: false,
  })
  search: string | null;
}
