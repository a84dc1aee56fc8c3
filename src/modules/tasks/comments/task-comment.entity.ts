import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { BusinessEntity, type Actor } from '../../../kit/index.js';
import { Task } from '../task/task.entity.js';

/** A comment on a task; deleted with the task. */
@Entity('task_comments')
@ForeignKey(() => Task, ['organization_id', 'project_id', 'mode', 'task_id'], ['organization_id', 'project_id', 'mode', 'id'], {
  name: 'task_comments_task_id_fkey',
  onDelete: 'CASCADE',
})
@Index('task_comments_created_at_idx', ['task_id', 'created_at', 'id'])
@Check('task_comments_mode_check', `mode IN ('live', 'test')`)
@Check('task_comments_body_check', 'length(body) BETWEEN 1 AND 10000')
export class TaskComment extends BusinessEntity {
  @Column('uuid')
  task_id: string;

  @Column('text')
  body: string;

  @Column('jsonb')
  author: Actor;
}
