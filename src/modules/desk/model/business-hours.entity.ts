import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { Scoped } from '../../../kit/index.js';
import { Configured } from './configured.entity.js';

/**
 * A part of a weekday (ISO 8601: 1 is Monday) in local time, from `HH:MM` until `HH:MM`, at most `24:00` and exclusive. A day may have
 * several, which may touch or overlap.
 */
export interface Window {
  weekday: number;
  start: string;
  end: string;
}

/** When somebody answers. */
@Scoped('configuration')
@Entity('desk_business_hours')
@Unique('desk_business_hours_reference_key', ['organization_id', 'project_id', 'id'])
@ForeignKey('projects', ['organization_id', 'project_id'], ['organization_id', 'id'], { name: 'desk_business_hours_project_id_fkey' })
@Index('desk_business_hours_name_key', { synchronize: false })
@Index('desk_business_hours_name_idx', ['organization_id', 'name', 'id', 'project_id'])
@Index('desk_business_hours_created_at_idx', ['organization_id', 'created_at', 'id', 'project_id'])
@Check('desk_business_hours_project_id_check', 'project_id IS NOT NULL')
@Check('desk_business_hours_name_check', 'length(name) BETWEEN 1 AND 100')
@Check('desk_business_hours_windows_check', `jsonb_typeof(windows) = 'array'`)
export class DeskBusinessHours extends Configured {
  @Column('text')
  name: string;

  /** IANA name. */
  @Column('text')
  timezone: string;

  @Column('jsonb')
  windows: Window[];

  /** Dates on which nobody works. */
  @Column('date', {
    array: true,
    default: '{}',
  })
  holidays: string[];
}
