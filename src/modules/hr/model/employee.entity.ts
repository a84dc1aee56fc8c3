import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { BusinessEntity, CustomFields, TimeColumn, type Actor, type CustomFieldValues } from '../../../kit/index.js';
import { Department } from './department.entity.js';
import { HolidayCalendar } from './holiday-calendar.entity.js';
import type { EmployeeStatus, EmploymentType, WorkingWeek } from './values.js';

const PRESENT = { where: `status <> 'left'` };

/** A current, future or former employee. Private data is in `PrivateData`. */
@Entity('hr_employees')
@ForeignKey('projects', ['organization_id', 'project_id'], ['organization_id', 'id'], { name: 'hr_employees_project_id_fkey' })
@ForeignKey(() => Department, ['organization_id', 'project_id', 'mode', 'department_id'], ['organization_id', 'project_id', 'mode', 'id'], {
  name: 'hr_employees_department_id_fkey',
})
@ForeignKey(
  () => Employee,
  ['organization_id', 'manager_project_id', 'mode', 'manager_id'],
  ['organization_id', 'project_id', 'mode', 'id'],
  {
    name: 'hr_employees_manager_id_fkey',
  },
)
@ForeignKey('members', ['organization_id', 'member_id'], ['organization_id', 'id'], { name: 'hr_employees_member_id_fkey' })
@ForeignKey(() => HolidayCalendar, ['organization_id', 'project_id', 'holiday_calendar_id'], ['organization_id', 'project_id', 'id'], {
  name: 'hr_employees_holiday_calendar_id_fkey',
})
@Unique('hr_employees_reference_key', ['organization_id', 'project_id', 'mode', 'id'])
@Unique('hr_employees_number_key', ['organization_id', 'mode', 'number'])
@Index('hr_employees_member_id_key', ['organization_id', 'mode', 'member_id'], {
  unique: true,
  ...PRESENT,
})
@Index('hr_employees_work_email_key', { synchronize: false })
@Index('hr_employees_name_idx', ['organization_id', 'mode', 'name', 'id', 'project_id'], PRESENT)
@Index('hr_employees_number_idx', ['organization_id', 'mode', 'number', 'id', 'project_id'], PRESENT)
@Index('hr_employees_hired_on_idx', ['organization_id', 'mode', 'hired_on', 'id', 'project_id'], PRESENT)
@Index('hr_employees_status_idx', ['organization_id', 'mode', 'status', 'name', 'id', 'project_id'])
@Index('hr_employees_created_at_idx', ['organization_id', 'mode', 'created_at', 'id', 'project_id'])
@Index('hr_employees_updated_at_idx', ['organization_id', 'mode', 'updated_at', 'id', 'project_id'])
@Index('hr_employees_project_id_idx', ['project_id', 'mode', 'name', 'id'], PRESENT)
@Index('hr_employees_department_id_idx', ['department_id', 'name', 'id'], { where: 'department_id IS NOT NULL' })
@Index('hr_employees_manager_id_idx', ['manager_id', 'name', 'id'], { where: 'manager_id IS NOT NULL' })
@Index('hr_employees_reports_idx', ['manager_id', 'project_id'], { where: `manager_id IS NOT NULL AND status <> 'left'` })
@Index('hr_employees_roots_idx', ['organization_id', 'mode', 'project_id'], { where: 'manager_project_id IS DISTINCT FROM project_id' })
@Index('hr_employees_member_id_idx', ['member_id'], { where: 'member_id IS NOT NULL' })
@Index('hr_employees_work_email_idx', { synchronize: false })
@Index('hr_employees_search_idx', { synchronize: false })
@Index('hr_employees_upcoming_idx', ['hired_on'], { where: `status = 'upcoming'` })
@Index('hr_employees_leaving_idx', ['left_on'], { where: `status = 'active' AND left_on IS NOT NULL` })
@Index('hr_employees_holiday_calendar_id_idx', ['holiday_calendar_id'])
@Check('hr_employees_mode_check', `mode IN ('live', 'test')`)
@Check('hr_employees_number_check', 'length(number) BETWEEN 1 AND 32')
@Check('hr_employees_name_check', 'length(name) BETWEEN 1 AND 200')
@Check('hr_employees_work_email_check', 'length(work_email) BETWEEN 3 AND 254')
@Check('hr_employees_work_phone_check', 'length(work_phone) BETWEEN 1 AND 40')
@Check('hr_employees_position_check', 'length(position) BETWEEN 1 AND 100')
@Check('hr_employees_manager_id_check', 'manager_id <> id')
@Check('hr_employees_manager_project_id_check', '(manager_project_id IS NULL) = (manager_id IS NULL)')
@Check('hr_employees_status_check', `status IN ('upcoming', 'active', 'left')`)
@Check('hr_employees_employment_type_check', `employment_type IN ('full_time', 'part_time', 'contractor', 'intern', 'temporary')`)
@Check('hr_employees_left_on_check', 'left_on >= hired_on')
@Check('hr_employees_working_week_check', `cardinality(working_week) = 7 AND working_week <@ '{0,1,2}'`)
@Check('hr_employees_custom_fields_check', `jsonb_typeof(custom_fields) = 'object'`)
@Check('hr_employees_anonymized_at_check', `anonymized_at IS NULL OR status = 'left'`)
export class Employee extends BusinessEntity {
  /** Unique in the organization and mode. */
  @Column('text')
  number: string;

  @Column('text')
  name: string;

  @Column('text', { nullable: true })
  work_email: string | null;

  @Column('text', { nullable: true })
  work_phone: string | null;

  @Column('uuid', { nullable: true })
  department_id: string | null;

  @Column('text', { nullable: true })
  position: string | null;

  /** May be in another project; only keys of that project see it. */
  @Column('uuid', { nullable: true })
  manager_id: string | null;

  @Column('uuid', { nullable: true })
  manager_project_id: string | null;

  @Column('uuid', { nullable: true })
  member_id: string | null;

  @Column('text')
  status: EmployeeStatus;

  @Column('text')
  employment_type: EmploymentType;

  @Column('date')
  hired_on: string;

  /** The last day. */
  @Column('date', { nullable: true })
  left_on: string | null;

  @Column('smallint', { array: true })
  working_week: WorkingWeek;

  @Column('uuid', { nullable: true })
  holiday_calendar_id: string | null;

  @TimeColumn({ nullable: true })
  anonymized_at: Date | null;

  @Column('jsonb')
  created_by: Actor;

  /** Not private: keys with the scope see them. */
  @CustomFields('employee')
  custom_fields: CustomFieldValues;

  /** Search vector of name, number, work e-mail and position; maintained by a trigger. */
  @Column({
    type: 'tsvector',
    nullable: true,
    select: false,
    insert: false,
    update: false,
  })
  search: string | null;
}

/** Of a field that names somebody who is employed, or will be. */
export const NOT_LEFT = { where: ({ status }: Employee) => status !== 'left', message: 'must be an employee who has not left' };
