import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { ConfigurationEntity, type Decimal } from '../../../kit/index.js';

@Entity('hr_leave_types')
@ForeignKey('projects', ['organization_id', 'project_id'], ['organization_id', 'id'], { name: 'hr_leave_types_project_id_fkey' })
@Unique('hr_leave_types_reference_key', ['organization_id', 'project_id', 'id'])
@Index('hr_leave_types_name_key', { synchronize: false })
@Check('hr_leave_types_project_id_check', 'project_id IS NOT NULL')
@Check('hr_leave_types_name_check', 'length(name) BETWEEN 1 AND 100')
@Check('hr_leave_types_days_per_year_check', 'days_per_year BETWEEN 0 AND 366')
@Check('hr_leave_types_carry_over_days_check', 'carry_over_days BETWEEN 0 AND 366')
@Check('hr_leave_types_carry_over_expires_check', `carry_over_expires ~ '^[0-9]{2}-[0-9]{2}$'`)
export class LeaveType extends ConfigurationEntity {
  declare project_id: string;

  @Column('text')
  name: string;

  @Column('boolean')
  paid: boolean;

  /** Null if nothing is granted automatically. */
  @Column('numeric', {
    precision: 5,
    scale: 2,
    nullable: true,
  })
  days_per_year: Decimal | null;

  @Column('boolean')
  requires_approval: boolean;

  @Column('boolean')
  allow_negative: boolean;

  /** Null: without limit. */
  @Column('numeric', {
    precision: 5,
    scale: 2,
    nullable: true,
  })
  carry_over_days: Decimal | null;

  /** `MM-DD`, the last day; null: the end of the year. */
  @Column('text', { nullable: true })
  carry_over_expires: string | null;

  /** API keys see only the absence, never the type. A trigger copies the value to requests and accounts. */
  @Column('boolean')
  hidden: boolean;

  @Column('boolean', { default: true })
  active: boolean;
}
