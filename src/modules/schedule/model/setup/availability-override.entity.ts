import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { ConfigurationEntity } from '../../../../kit/index.js';
import type { DayWindow } from '../core/weekly-hours.js';
import { Availability } from './availability.entity.js';

/** Replaces the rules on one local day. */
@Entity('schedule_availability_overrides')
@ForeignKey(() => Availability, ['organization_id', 'project_id', 'availability_id'], ['organization_id', 'project_id', 'id'], {
  name: 'schedule_availability_overrides_availability_id_fkey',
  onDelete: 'CASCADE',
})
@Index('schedule_availability_overrides_on_key', ['availability_id', 'on'], { unique: true })
@Check('schedule_availability_overrides_project_id_check', 'project_id IS NOT NULL')
@Check('schedule_availability_overrides_windows_check', `jsonb_typeof(windows) = 'array'`)
export class AvailabilityOverride extends ConfigurationEntity {
  declare project_id: string;

  @Column('uuid')
  availability_id: string;

  @Column('date')
  on: string;

  /** Empty: closed. */
  @Column('jsonb')
  windows: DayWindow[];
}
