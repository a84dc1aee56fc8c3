import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { BusinessEntity, type Actor, type Decimal } from '../../../kit/index.js';
import { LeaveAccount } from './leave-account.entity.js';
import type { EntryKind } from './values.js';

/** A change of a balance. A trigger rejects updates and deletes. */
@Entity('hr_leave_ledger')
@ForeignKey(() => LeaveAccount, ['organization_id', 'project_id', 'mode', 'account_id'], ['organization_id', 'project_id', 'mode', 'id'], {
  name: 'hr_leave_ledger_account_id_fkey',
  onDelete: 'CASCADE',
})
@Index('hr_leave_ledger_account_id_idx', ['account_id', 'on', 'id'])
@Index('hr_leave_ledger_employee_id_idx', ['employee_id', 'created_at', 'id'])
@Index('hr_leave_ledger_request_id_idx', ['request_id'], { where: 'request_id IS NOT NULL' })
@Index('hr_leave_ledger_created_at_idx', ['organization_id', 'mode', 'created_at', 'id', 'project_id'])
@Check('hr_leave_ledger_mode_check', `mode IN ('live', 'test')`)
@Check('hr_leave_ledger_kind_check', `kind IN ('grant', 'carry_over', 'use', 'expiry', 'adjustment')`)
@Check('hr_leave_ledger_days_check', 'days <> 0')
@Check('hr_leave_ledger_expires_on_check', `expires_on >= "on" OR kind = 'expiry'`)
@Check('hr_leave_ledger_lot_on_check', `(lot_on IS NOT NULL) = (kind = 'expiry')`)
@Check('hr_leave_ledger_request_id_check', `(request_id IS NOT NULL) = (kind = 'use')`)
@Check('hr_leave_ledger_note_check', 'length(note) BETWEEN 1 AND 1000')
export class LedgerEntry extends BusinessEntity {
  @Column('uuid')
  account_id: string;

  @Column('uuid')
  employee_id: string;

  @Column('uuid')
  leave_type_id: string;

  @Column('text')
  kind: EntryKind;

  /** The day on which it takes effect: the day of leave for a use, the day after the last one for an expiry. */
  @Column('date')
  on: string;

  @Column('numeric', {
    precision: 7,
    scale: 2,
  })
  days: Decimal;

  /** The last day on which the days can be taken; for an expiry, the last day of the expired days. */
  @Column('date', { nullable: true })
  expires_on: string | null;

  /** For an expiry: the first day on which the expired days could be taken. */
  @Column('date', { nullable: true })
  lot_on: string | null;

  @Column('uuid', { nullable: true })
  request_id: string | null;

  /** Whether it was posted by a rule and not by a member. */
  @Column('boolean')
  automatic: boolean;

  @Column('text', { nullable: true })
  note: string | null;

  @Column('jsonb')
  created_by: Actor;
}
