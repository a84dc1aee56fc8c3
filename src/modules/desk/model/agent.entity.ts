import { Check, Column, Entity, ForeignKey, Index, Unique, VirtualColumn } from 'typeorm';
import { Scoped } from '../../../kit/index.js';
import { Configured } from './configured.entity.js';

/** What is shown of an agent's member. */
export interface ShownMember {
  name: string;
  email: string;
  status: 'active' | 'inactive';
}

/** A member who answers tickets of a project. */
@Scoped('configuration')
@Entity('desk_agents')
@Unique('desk_agents_reference_key', ['organization_id', 'project_id', 'id'])
@Unique('desk_agents_member_id_key', ['project_id', 'member_id'])
@ForeignKey('projects', ['organization_id', 'project_id'], ['organization_id', 'id'], { name: 'desk_agents_project_id_fkey' })
@ForeignKey('members', ['organization_id', 'member_id'], ['organization_id', 'id'], { name: 'desk_agents_member_id_fkey' })
@Index('desk_agents_created_at_idx', ['organization_id', 'created_at', 'id', 'project_id'])
@Check('desk_agents_project_id_check', 'project_id IS NOT NULL')
export class DeskAgent extends Configured {
  @Column('uuid')
  member_id: string;

  /** The queues that they work on; empty means all. For information only: it restricts nothing. */
  @Column('uuid', {
    array: true,
    default: '{}',
  })
  queue_ids: string[];

  @Column('boolean', { default: true })
  active: boolean;

  /** Read with the agent, not by lists. */
  @VirtualColumn({
    type: 'json',
    query: (agent) =>
      `SELECT json_build_object('name', m.name, 'email', m.email, 'status', m.status)
         FROM members m WHERE m.organization_id = ${agent}.organization_id AND m.id = ${agent}.member_id`,
  })
  readonly member?: ShownMember | null;
}
