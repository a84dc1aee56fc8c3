import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { Scoped } from '../../../kit/index.js';
import { DeskBusinessHours } from './business-hours.entity.js';
import { Configured } from './configured.entity.js';
import type { Priority, Targets } from './values.js';

/** How fast tickets are answered and solved. The first active policy in order that matches a ticket applies to it. */
@Scoped('configuration')
@Entity('desk_sla_policies')
@Unique('desk_sla_policies_reference_key', ['organization_id', 'project_id', 'id'])
@ForeignKey('projects', ['organization_id', 'project_id'], ['organization_id', 'id'], { name: 'desk_sla_policies_project_id_fkey' })
@ForeignKey(() => DeskBusinessHours, ['organization_id', 'project_id', 'business_hours_id'], ['organization_id', 'project_id', 'id'], {
  name: 'desk_sla_policies_business_hours_id_fkey',
})
@Index('desk_sla_policies_name_key', { synchronize: false })
@Index('desk_sla_policies_position_idx', ['organization_id', 'position', 'id', 'project_id'])
@Index('desk_sla_policies_created_at_idx', ['organization_id', 'created_at', 'id', 'project_id'])
@Index('desk_sla_policies_business_hours_id_idx', ['business_hours_id'], { where: 'business_hours_id IS NOT NULL' })
@Check('desk_sla_policies_project_id_check', 'project_id IS NOT NULL')
@Check('desk_sla_policies_name_check', 'length(name) BETWEEN 1 AND 100')
@Check('desk_sla_policies_targets_check', `jsonb_typeof(targets) = 'object'`)
export class DeskSlaPolicy extends Configured {
  @Column('text')
  name: string;

  /** Position in the order, from 1. */
  @Column('integer')
  position: number;

  /** The queues whose tickets match; empty: all. */
  @Column('uuid', {
    array: true,
    default: '{}',
  })
  queue_ids: string[];

  /** Tickets with any of these tags match; empty: all. */
  @Column('text', {
    array: true,
    default: '{}',
  })
  tags: string[];

  /** Null: around the clock. */
  @Column('uuid', { nullable: true })
  business_hours_id: string | null;

  @Column('jsonb')
  targets: Record<Priority, Targets>;

  /** Whether clocks pause while a ticket is on hold; they always do while it is pending. */
  @Column('boolean', { default: false })
  pause_on_hold: boolean;

  @Column('boolean', { default: true })
  active: boolean;
}
