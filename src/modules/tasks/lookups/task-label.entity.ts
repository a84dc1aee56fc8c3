import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { ConfigurationEntity } from '../../../kit/index.js';

/** A label of one project, or of the whole organization if `project_id` is null. */
@Entity('task_labels')
@ForeignKey('organizations', ['organization_id'], ['id'], { name: 'task_labels_organization_id_fkey' })
@ForeignKey('projects', ['organization_id', 'project_id'], ['organization_id', 'id'], { name: 'task_labels_project_id_fkey' })
@Index('task_labels_name_key', { synchronize: false })
@Check('task_labels_name_check', 'length(name) BETWEEN 1 AND 50')
@Check('task_labels_color_check', `color ~ '^#[0-9a-f]{6}$'`)
export class TaskLabel extends ConfigurationEntity {
  @Column('text')
  name: string;

  /** `#rrggbb`, lowercase. */
  @Column('text')
  color: string;
}
