import { Check, Entity, ForeignKey, Index } from 'typeorm';
import { DifferenceEntity } from '../../../kit/index.js';

export const DIFFERENCE_SUBJECTS = ['account_balance', 'invoice_settled', 'payment_unallocated', 'entry_balance'] as const;
export type DifferenceSubject = (typeof DIFFERENCE_SUBJECTS)[number];

/** A stored figure that differs from what the entries and allocations add up to; found by the nightly recount. */
@Entity('accounting_differences')
@ForeignKey('projects', ['organization_id', 'project_id'], ['organization_id', 'id'], { name: 'accounting_differences_project_id_fkey' })
@Index('accounting_differences_subject_key', ['subject_id', 'subject'], {
  unique: true,
  where: 'resolved_at IS NULL',
})
@Index('accounting_differences_created_at_idx', ['organization_id', 'mode', 'created_at', 'id', 'project_id'])
@Check('accounting_differences_mode_check', `mode IN ('live', 'test')`)
@Check('accounting_differences_subject_check', `subject IN ('account_balance', 'invoice_settled', 'payment_unallocated', 'entry_balance')`)
export class AccountingDifference extends DifferenceEntity {
  /** Its row is the account, invoice, payment or entry. */
  declare subject: DifferenceSubject;
}
