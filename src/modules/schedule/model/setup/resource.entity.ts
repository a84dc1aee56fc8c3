import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { ConfigurationEntity } from '../../../../kit/index.js';
import { Calendar } from './calendar.entity.js';

export const RESOURCE_KINDS = ['room', 'equipment', 'person', 'vehicle', 'other'] as const;
export type ResourceKind = (typeof RESOURCE_KINDS)[number];

/** Something that events use and that can be used a limited number of times at once. */
@Entity('schedule_resources')
@ForeignKey(() => Calendar, ['organization_id', 'project_id', 'calendar_id'], ['organization_id', 'project_id', 'id'], {
  name: 'schedule_resources_calendar_id_fkey',
})
@ForeignKey('members', ['organization_id', 'member_id'], ['organization_id', 'id'], { name: 'schedule_resources_member_id_fkey' })
@Unique('schedule_resources_reference_key', ['organization_id', 'project_id', 'id'])
@Index('schedule_resources_name_key', { synchronize: false })
@Index('schedule_resources_name_idx', ['calendar_id', 'name', 'id'])
@Index('schedule_resources_created_at_idx', ['calendar_id', 'created_at', 'id'])
@Index('schedule_resources_member_id_idx', ['member_id', 'project_id'], { where: 'member_id IS NOT NULL' })
@Check('schedule_resources_project_id_check', 'project_id IS NOT NULL')
@Check('schedule_resources_name_check', 'length(name) BETWEEN 1 AND 100')
@Check('schedule_resources_kind_check', `kind IN ('room', 'equipment', 'person', 'vehicle', 'other')`)
@Check('schedule_resources_capacity_check', 'capacity BETWEEN 1 AND 1000')
@Check('schedule_resources_seats_check', 'seats BETWEEN 1 AND 100000')
@Check('schedule_resources_buffer_before_minutes_check', 'buffer_before_minutes BETWEEN 0 AND 1440')
@Check('schedule_resources_buffer_after_minutes_check', 'buffer_after_minutes BETWEEN 0 AND 1440')
@Check('schedule_resources_member_id_check', `member_id IS NULL OR kind = 'person'`)
export class Resource extends ConfigurationEntity {
  declare project_id: string;

  @Column('uuid')
  calendar_id: string;

  @Column('text')
  name: string;

  @Column('text')
  kind: ResourceKind;

  /** The number of simultaneous uses, not of seats. */
  @Column('integer', { default: 1 })
  capacity: number;

  /** For information only. */
  @Column('integer', { nullable: true })
  seats: number | null;

  @Column('integer', { default: 0 })
  buffer_before_minutes: number;

  @Column('integer', { default: 0 })
  buffer_after_minutes: number;

  @Column('boolean', { default: true })
  active: boolean;

  /** The member that a person is: the events of their personal calendars, and all their appointments, make the resource busy. */
  @Column('uuid', { nullable: true })
  member_id: string | null;
}
