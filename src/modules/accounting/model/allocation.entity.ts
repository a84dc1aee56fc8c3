import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { BusinessEntity, TimeColumn } from '../../../kit/index.js';
import { REFERENCE } from './reference.js';
import { AccountingInvoice } from './invoice.entity.js';
import { JournalEntry } from './journal-entry.entity.js';
import { AccountingPayment } from './payment.entity.js';

const MOST = '9007199254740991';

/**
 * A part of a payment or credit note that settles an invoice, until the payment is reversed; or a part of a credit note that was paid
 * out.
 */
@Entity('accounting_allocations')
@ForeignKey(() => AccountingInvoice, ['organization_id', 'project_id', 'mode', 'invoice_id'], REFERENCE, {
  name: 'accounting_allocations_invoice_id_fkey',
})
@ForeignKey(() => AccountingPayment, ['organization_id', 'project_id', 'mode', 'payment_id'], REFERENCE, {
  name: 'accounting_allocations_payment_id_fkey',
})
@ForeignKey(() => AccountingInvoice, ['organization_id', 'project_id', 'mode', 'credit_note_id'], REFERENCE, {
  name: 'accounting_allocations_credit_note_id_fkey',
})
@ForeignKey(() => JournalEntry, ['organization_id', 'project_id', 'mode', 'journal_entry_id'], REFERENCE, {
  name: 'accounting_allocations_journal_entry_id_fkey',
})
@ForeignKey(() => JournalEntry, ['organization_id', 'project_id', 'mode', 'exchange_entry_id'], REFERENCE, {
  name: 'accounting_allocations_exchange_entry_id_fkey',
})
@Index('accounting_allocations_invoice_id_idx', ['invoice_id'])
@Index('accounting_allocations_payment_id_idx', ['payment_id'], { where: 'payment_id IS NOT NULL' })
@Index('accounting_allocations_credit_note_id_idx', ['credit_note_id'], { where: 'credit_note_id IS NOT NULL' })
@Index('accounting_allocations_journal_entry_id_idx', ['journal_entry_id'], { where: 'journal_entry_id IS NOT NULL' })
@Index('accounting_allocations_exchange_entry_id_idx', ['exchange_entry_id'], { where: 'exchange_entry_id IS NOT NULL' })
@Check('accounting_allocations_mode_check', `mode IN ('live', 'test')`)
@Check('accounting_allocations_amount_check', `amount BETWEEN 1 AND ${MOST}`)
@Check('accounting_allocations_base_amount_check', `base_amount BETWEEN 0 AND ${MOST}`)
@Check('accounting_allocations_base_credit_amount_check', `base_credit_amount BETWEEN 0 AND ${MOST}`)
@Check('accounting_allocations_ended_at_check', '(ended_at IS NULL) = (ended_on IS NULL)')
@Check('accounting_allocations_refund_check', 'invoice_id IS NOT NULL OR (credit_note_id IS NOT NULL AND journal_entry_id IS NOT NULL)')
@Check('accounting_allocations_source_check', 'num_nonnulls(payment_id, credit_note_id) = 1')
export class Allocation extends BusinessEntity {
  /** Null if the amount was paid out to the customer. */
  @Column('uuid', { nullable: true })
  invoice_id: string | null;

  @Column('uuid', { nullable: true })
  payment_id: string | null;

  @Column('uuid', { nullable: true })
  credit_note_id: string | null;

  @Column('bigint')
  amount: number;

  /** In the base currency at the rate of the invoice. */
  @Column('bigint')
  base_amount: number;

  /** In the base currency at the rate of the payment or credit note. */
  @Column('bigint')
  base_credit_amount: number;

  @Column('date')
  applied_on: string;

  @Column('date', { nullable: true })
  ended_on: string | null;

  @TimeColumn({ nullable: true })
  ended_at: Date | null;

  /** The entry that moved a customer's credit or paid it out; the entry of a payment is the payment's. */
  @Column('uuid', { nullable: true })
  journal_entry_id: string | null;

  /** The entry of the exchange difference, if there is one. */
  @Column('uuid', { nullable: true })
  exchange_entry_id: string | null;
}
