import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { Scoped } from '../../../kit/index.js';
import { Configured } from './configured.entity.js';

/** A queue of tickets, such as Billing. */
@Scoped('configuration')
@Entity('desk_queues')
@Unique('desk_queues_reference_key', ['organization_id', 'project_id', 'id'])
@ForeignKey('projects', ['organization_id', 'project_id'], ['organization_id', 'id'], { name: 'desk_queues_project_id_fkey' })
@Index('desk_queues_name_key', { synchronize: false })
@Index('desk_queues_is_default_key', ['project_id'], {
  unique: true,
  where: 'is_default',
})
@Index('desk_queues_position_idx', ['organization_id', 'position', 'id', 'project_id'])
@Index('desk_queues_created_at_idx', ['organization_id', 'created_at', 'id', 'project_id'])
@Check('desk_queues_project_id_check', 'project_id IS NOT NULL')
@Check('desk_queues_name_check', 'length(name) BETWEEN 1 AND 100')
@Check('desk_queues_is_default_check', 'active OR NOT is_default')
export class DeskQueue extends Configured {
  @Column('text')
  name: string;

  /** Whether tickets created without a queue are put into it; each project has one such queue. */
  @Column('boolean', { default: false })
  is_default: boolean;

  /** Position in the list, from 1. */
  @Column('integer')
  position: number;

  @Column('boolean', { default: true })
  active: boolean;
}
