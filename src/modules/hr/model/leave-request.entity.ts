import { Check, Column, Entity, Exclusion, ForeignKey, Index, Unique, VirtualColumn } from 'typeorm';
import { BusinessEntity, EncryptedColumn, TimeColumn, type Actor, type Decimal } from '../../../kit/index.js';
import { Employee } from './employee.entity.js';
import { LeaveType } from './leave-type.entity.js';
import type { HalfDay, LeaveStatus, WorkingWeek } from './values.js';

@Entity('hr_leave_requests')
@ForeignKey(() => Employee, ['organization_id', 'project_id', 'mode', 'employee_id'], ['organization_id', 'project_id', 'mode', 'id'], {
  name: 'hr_leave_requests_employee_id_fkey',
  onDelete: 'CASCADE',
})
@ForeignKey(() => LeaveType, ['organization_id', 'project_id', 'leave_type_id'], ['organization_id', 'project_id', 'id'], {
  name: 'hr_leave_requests_leave_type_id_fkey',
})
@Unique('hr_leave_requests_reference_key', ['organization_id', 'project_id', 'mode', 'id'])
@Exclusion(
  'hr_leave_requests_half_days_excl',
  `USING gist (employee_id WITH =, half_days WITH &&) WHERE (status IN ('pending', 'approved'))`,
)
@Index('hr_leave_requests_created_at_idx', ['organization_id', 'mode', 'created_at', 'id', 'project_id'])
@Index('hr_leave_requests_updated_at_idx', ['organization_id', 'mode', 'updated_at', 'id', 'project_id'])
@Index('hr_leave_requests_starts_on_idx', ['organization_id', 'mode', 'starts_on', 'id', 'project_id'])
@Index('hr_leave_requests_status_idx', ['organization_id', 'mode', 'status', 'starts_on', 'id', 'project_id'])
@Index('hr_leave_requests_employee_id_idx', ['employee_id', 'starts_on', 'id'])
@Index('hr_leave_requests_shown_idx', ['shown_leave_type_id', 'mode', 'starts_on', 'id'], { where: 'shown_leave_type_id IS NOT NULL' })
@Index('hr_leave_requests_leave_type_id_idx', ['leave_type_id'])
@Index('hr_leave_requests_absences_idx', ['organization_id', 'mode', 'ends_on', 'id', 'starts_on', 'project_id', 'employee_id'], {
  where: `status = 'approved'`,
})
@Index('hr_leave_requests_project_absences_idx', ['project_id', 'mode', 'ends_on', 'id', 'starts_on'], { where: `status = 'approved'` })
@Index('hr_leave_requests_department_id_idx', ['department_id', 'ends_on', 'id', 'starts_on'], {
  where: `status = 'approved' AND department_id IS NOT NULL`,
})
@Index('hr_leave_requests_recompute_idx', ['id'], { where: 'recompute' })
@Check('hr_leave_requests_mode_check', `mode IN ('live', 'test')`)
@Check('hr_leave_requests_ends_on_check', 'ends_on BETWEEN starts_on AND starts_on + 366')
@Check('hr_leave_requests_half_day_check', `half_day IN ('start', 'end')`)
@Check('hr_leave_requests_half_days_check', 'NOT isempty(half_days)')
@Check('hr_leave_requests_days_check', 'days >= 0')
@Check('hr_leave_requests_working_week_check', `cardinality(working_week) = 7 AND working_week <@ '{0,1,2}'`)
@Check('hr_leave_requests_status_check', `status IN ('pending', 'approved', 'rejected', 'cancelled')`)
export class LeaveRequest extends BusinessEntity {
  @Column('uuid')
  employee_id: string;

  /** That of the employee. Maintained by triggers. */
  @Column({
    type: 'uuid',
    nullable: true,
    insert: false,
    update: false,
  })
  department_id: string | null;

  @Column('uuid')
  leave_type_id: string;

  /** Null if the type is hidden: the column that keys see and filter by. Maintained by triggers. */
  @Column({
    type: 'uuid',
    nullable: true,
    insert: false,
    update: false,
  })
  shown_leave_type_id: string | null;

  @Column('date')
  starts_on: string;

  @Column('date')
  ends_on: string;

  @Column('text', { nullable: true })
  half_day: HalfDay | null;

  /** The half days from start to end, numbered from 1970-01-01; weekends and holidays are included. */
  @Column({ type: 'int8range' })
  half_days: string;

  @Column('numeric', {
    precision: 6,
    scale: 2,
  })
  days: Decimal;

  /** Of the employee when it was approved; null before. Holidays change the days of approved leave, a changed week does not. */
  @Column('smallint', {
    array: true,
    nullable: true,
  })
  working_week: WorkingWeek | null;

  @Column('text')
  status: LeaveStatus;

  @TimeColumn({ nullable: true })
  decided_at: Date | null;

  @Column('jsonb', { nullable: true })
  decided_by: Actor | null;

  /** The reason, encrypted because it may be about the employee's health. */
  @EncryptedColumn({ nullable: true })
  sealed_reason: string | null;

  /** The decider's note; encrypted. */
  @EncryptedColumn({ nullable: true })
  sealed_note: string | null;

  /** Whether a holiday or the working week has changed since the days were counted. */
  @Column('boolean', { default: false })
  recompute: boolean;

  @Column('jsonb')
  created_by: Actor;

  @VirtualColumn({
    type: 'json',
    select: false,
    query: (row) => `SELECT json_build_object('employee_name', e.name, 'leave_type_name', l.name)
      FROM hr_employees e, hr_leave_types l WHERE e.id = ${row}.employee_id AND l.id = ${row}.leave_type_id`,
  })
  readonly names?: { employee_name: string; leave_type_name: string };
}
