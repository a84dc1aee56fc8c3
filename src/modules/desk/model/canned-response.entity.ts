import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { Scoped } from '../../../kit/index.js';
import { Configured } from './configured.entity.js';

/** A prepared answer. */
@Scoped('configuration')
@Entity('desk_canned_responses')
@Unique('desk_canned_responses_reference_key', ['organization_id', 'project_id', 'id'])
@ForeignKey('projects', ['organization_id', 'project_id'], ['organization_id', 'id'], { name: 'desk_canned_responses_project_id_fkey' })
@Index('desk_canned_responses_name_key', { synchronize: false })
@Index('desk_canned_responses_name_idx', ['organization_id', 'name', 'id', 'project_id'])
@Index('desk_canned_responses_created_at_idx', ['organization_id', 'created_at', 'id', 'project_id'])
@Check('desk_canned_responses_project_id_check', 'project_id IS NOT NULL')
@Check('desk_canned_responses_name_check', 'length(name) BETWEEN 1 AND 100')
@Check('desk_canned_responses_body_check', 'length(body) BETWEEN 1 AND 20000')
export class CannedResponse extends Configured {
  @Column('text')
  name: string;

  /** Text with `{{ticket.number}}` and the like. */
  @Column('text')
  body: string;

  @Column('boolean', { default: true })
  active: boolean;
}
