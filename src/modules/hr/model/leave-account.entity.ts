import { Check, Column, Entity, ForeignKey, Index, Unique, VirtualColumn } from 'typeorm';
import { BusinessEntity } from '../../../kit/index.js';
import { Employee } from './employee.entity.js';
import { LeaveType } from './leave-type.entity.js';

/** The row that is locked for changes of the ledger of one employee and type. It has no figures of its own. */
@Entity('hr_leave_accounts')
@ForeignKey(() => Employee, ['organization_id', 'project_id', 'mode', 'employee_id'], ['organization_id', 'project_id', 'mode', 'id'], {
  name: 'hr_leave_accounts_employee_id_fkey',
  onDelete: 'CASCADE',
})
@ForeignKey(() => LeaveType, ['organization_id', 'project_id', 'leave_type_id'], ['organization_id', 'project_id', 'id'], {
  name: 'hr_leave_accounts_leave_type_id_fkey',
})
@Unique('hr_leave_accounts_reference_key', ['organization_id', 'project_id', 'mode', 'id'])
@Unique('hr_leave_accounts_employee_id_key', ['employee_id', 'leave_type_id'])
@Index('hr_leave_accounts_leave_type_id_idx', ['leave_type_id'])
@Index('hr_leave_accounts_created_at_idx', ['organization_id', 'mode', 'created_at', 'id', 'project_id'])
@Index('hr_leave_accounts_updated_at_idx', ['organization_id', 'mode', 'updated_at', 'id', 'project_id'])
@Index('hr_leave_accounts_shown_idx', ['shown_leave_type_id', 'mode', 'created_at', 'id'], { where: 'shown_leave_type_id IS NOT NULL' })
@Index('hr_leave_accounts_next_expiry_on_idx', ['next_expiry_on'], { where: 'next_expiry_on IS NOT NULL' })
@Check('hr_leave_accounts_mode_check', `mode IN ('live', 'test')`)
export class LeaveAccount extends BusinessEntity {
  @Column('uuid')
  employee_id: string;

  @Column('uuid')
  leave_type_id: string;

  /** Null if the type is hidden; all that keys see and filter by. Maintained by triggers. */
  @Column({
    type: 'uuid',
    nullable: true,
    insert: false,
    update: false,
  })
  shown_leave_type_id: string | null;

  /** The first day of unposted expiries; null if there are none. */
  @Column('date', { nullable: true })
  next_expiry_on: string | null;

  @VirtualColumn({
    type: 'json',
    select: false,
    query: (row) => `SELECT json_build_object('employee_name', e.name, 'leave_type_name', l.name)
      FROM hr_employees e, hr_leave_types l WHERE e.id = ${row}.employee_id AND l.id = ${row}.leave_type_id`,
  })
  readonly names?: { employee_name: string; leave_type_name: string };
}
