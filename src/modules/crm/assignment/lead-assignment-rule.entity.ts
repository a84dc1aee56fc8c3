import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { BaseEntity, Scoped } from '../../../kit/index.js';
import type { AssignmentCondition, AssignmentMethod } from './assignment-rules.js';

/** Chooses the owner of a new lead when its conditions hold. The round-robin counter belongs to the project and mode. */
@Scoped('configuration')
@Entity('lead_assignment_rules')
@ForeignKey('projects', ['organization_id', 'project_id'], ['organization_id', 'id'], { name: 'lead_assignment_rules_project_id_fkey' })
@Index('lead_assignment_rules_position_idx', ['project_id', 'position', 'id'])
@Check('lead_assignment_rules_name_check', 'length(name) BETWEEN 1 AND 100')
@Check('lead_assignment_rules_conditions_check', `jsonb_typeof(conditions) = 'array'`)
@Check('lead_assignment_rules_assign_check', `assign IN ('user', 'round_robin', 'least_open')`)
@Check(
  'lead_assignment_rules_member_ids_check',
  `cardinality(member_ids) BETWEEN 1 AND 100 AND (assign <> 'user' OR cardinality(member_ids) = 1)`,
)
export class LeadAssignmentRule extends BaseEntity {
  @Column('uuid')
  project_id: string;

  @Column('text')
  name: string;

  /** Rules are tried in ascending order. */
  @Column('integer')
  position: number;

  @Column('boolean', { default: true })
  active: boolean;

  /** All must hold; an empty list matches every lead. */
  @Column('jsonb')
  conditions: AssignmentCondition[];

  @Column('text')
  assign: AssignmentMethod;

  /** The members to choose from, in round-robin order; inactive members are skipped. */
  @Column('uuid', { array: true })
  member_ids: string[];
}
