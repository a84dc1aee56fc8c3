import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { ConfigurationEntity } from '../../../../kit/index.js';
import type { AvailabilityRule } from '../core/weekly-hours.js';
import { Calendar } from './calendar.entity.js';
import { Resource } from './resource.entity.js';

/** When a calendar, or one of its resources, can be booked. A resource without one has its calendar's. */
@Entity('schedule_availabilities')
@ForeignKey(() => Calendar, ['organization_id', 'project_id', 'calendar_id'], ['organization_id', 'project_id', 'id'], {
  name: 'schedule_availabilities_calendar_id_fkey',
  onDelete: 'CASCADE',
})
@ForeignKey(() => Resource, ['organization_id', 'project_id', 'resource_id'], ['organization_id', 'project_id', 'id'], {
  name: 'schedule_availabilities_resource_id_fkey',
  onDelete: 'CASCADE',
})
@Unique('schedule_availabilities_reference_key', ['organization_id', 'project_id', 'id'])
@Index('schedule_availabilities_calendar_key', ['calendar_id'], {
  unique: true,
  where: 'resource_id IS NULL',
})
@Index('schedule_availabilities_resource_key', ['resource_id'], {
  unique: true,
  where: 'resource_id IS NOT NULL',
})
@Index('schedule_availabilities_calendar_id_idx', ['calendar_id'])
@Check('schedule_availabilities_project_id_check', 'project_id IS NOT NULL')
@Check('schedule_availabilities_rules_check', `jsonb_typeof(rules) = 'array'`)
@Check('schedule_availabilities_slot_minutes_check', 'slot_minutes BETWEEN 5 AND 1440')
@Check('schedule_availabilities_buffer_before_check', 'buffer_before BETWEEN 0 AND 1440')
@Check('schedule_availabilities_buffer_after_check', 'buffer_after BETWEEN 0 AND 1440')
@Check('schedule_availabilities_min_notice_minutes_check', 'min_notice_minutes BETWEEN 0 AND 525600')
@Check('schedule_availabilities_horizon_days_check', 'horizon_days BETWEEN 1 AND 730')
@Check('schedule_availabilities_daily_limit_check', 'daily_limit BETWEEN 1 AND 1000')
export class Availability extends ConfigurationEntity {
  declare project_id: string;

  @Column('uuid')
  calendar_id: string;

  /** Null for the calendar's own. */
  @Column('uuid', { nullable: true })
  resource_id: string | null;

  @Column('jsonb')
  rules: AvailabilityRule[];

  /** Distance between the starts of two slots. */
  @Column('integer', { default: 30 })
  slot_minutes: number;

  /** Minutes kept free before each event, in addition to the resource's. */
  @Column('integer', { default: 0 })
  buffer_before: number;

  @Column('integer', { default: 0 })
  buffer_after: number;

  @Column('integer', { default: 120 })
  min_notice_minutes: number;

  @Column('integer', { default: 60 })
  horizon_days: number;

  /** Most bookings on one local day of the calendar; null for no limit. */
  @Column('integer', { nullable: true })
  daily_limit: number | null;
}
