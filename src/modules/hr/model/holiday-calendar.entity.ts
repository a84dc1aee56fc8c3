import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { ConfigurationEntity } from '../../../kit/index.js';

/** The holidays of a location. */
@Entity('hr_holiday_calendars')
@ForeignKey('projects', ['organization_id', 'project_id'], ['organization_id', 'id'], { name: 'hr_holiday_calendars_project_id_fkey' })
@Unique('hr_holiday_calendars_reference_key', ['organization_id', 'project_id', 'id'])
@Index('hr_holiday_calendars_name_key', { synchronize: false })
@Check('hr_holiday_calendars_project_id_check', 'project_id IS NOT NULL')
@Check('hr_holiday_calendars_name_check', 'length(name) BETWEEN 1 AND 100')
export class HolidayCalendar extends ConfigurationEntity {
  declare project_id: string;

  @Column('text')
  name: string;
}

/** A day on which people with the calendar do not work, or only in the morning. */
@Entity('hr_holidays')
@ForeignKey(() => HolidayCalendar, ['organization_id', 'project_id', 'calendar_id'], ['organization_id', 'project_id', 'id'], {
  name: 'hr_holidays_calendar_id_fkey',
  onDelete: 'CASCADE',
})
@Unique('hr_holidays_on_key', ['calendar_id', 'on'])
@Index('hr_holidays_on_idx', ['organization_id', 'on', 'id', 'project_id'])
@Check('hr_holidays_project_id_check', 'project_id IS NOT NULL')
@Check('hr_holidays_name_check', 'length(name) BETWEEN 1 AND 100')
export class Holiday extends ConfigurationEntity {
  declare project_id: string;

  @Column('uuid')
  calendar_id: string;

  @Column('date')
  on: string;

  @Column('text')
  name: string;

  /** Only the afternoon is free. */
  @Column('boolean', { default: false })
  half_day: boolean;
}
