import { Check, Entity, ForeignKey } from 'typeorm';
import { BusinessEntity, EncryptedColumn } from '../../../kit/index.js';
import { Employee } from './employee.entity.js';

/** Data that only members with `hr.private.manage` see. Its id is that of the employee. */
@Entity('hr_employee_private_data')
@ForeignKey(() => Employee, ['organization_id', 'project_id', 'mode', 'id'], ['organization_id', 'project_id', 'mode', 'id'], {
  name: 'hr_employee_private_data_id_fkey',
  onDelete: 'CASCADE',
})
@Check('hr_employee_private_data_mode_check', `mode IN ('live', 'test')`)
export class PrivateData extends BusinessEntity {
  /** JSON, encrypted with the suite's key. */
  @EncryptedColumn()
  sealed: string;
}
