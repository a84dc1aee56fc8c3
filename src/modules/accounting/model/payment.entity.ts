import { Check, Column, Entity, ForeignKey, Index, Unique, VirtualColumn } from 'typeorm';
import { BusinessEntity, TimeColumn, type Actor, type Decimal } from '../../../kit/index.js';
import { REFERENCE } from './reference.js';
import { LedgerAccount } from './account.entity.js';
import { AccountingCustomer } from './customer.entity.js';
import { AccountingInvoice } from './invoice.entity.js';
import { JournalEntry } from './journal-entry.entity.js';

export const PAYMENT_METHODS = ['bank_transfer', 'card', 'cash', 'direct_debit', 'check', 'other'] as const;
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];

/** The part of a payment that settles one invoice. */
export interface PaymentAllocation {
  invoice_id: string;
  amount: number;
  applied_on: string;
}

const MOST = '9007199254740991';
const ALLOCATIONS = (payment: string) => `
  SELECT json_agg(json_build_object('invoice_id', a.invoice_id, 'amount', a.amount, 'applied_on', a.applied_on) ORDER BY a.id)
  FROM accounting_allocations a WHERE a.payment_id = ${payment}.id AND a.ended_at IS NULL`;

/** Money received from a customer, in the currency of the invoice that it was recorded for. */
@Entity('accounting_payments')
@Unique('accounting_payments_reference_key', REFERENCE)
@ForeignKey(() => AccountingCustomer, ['organization_id', 'project_id', 'mode', 'customer_id'], REFERENCE, {
  name: 'accounting_payments_customer_id_fkey',
})
@ForeignKey(() => AccountingInvoice, ['organization_id', 'project_id', 'mode', 'invoice_id'], REFERENCE, {
  name: 'accounting_payments_invoice_id_fkey',
})
@ForeignKey(() => JournalEntry, ['organization_id', 'project_id', 'mode', 'journal_entry_id'], REFERENCE, {
  name: 'accounting_payments_journal_entry_id_fkey',
})
@ForeignKey(() => LedgerAccount, ['organization_id', 'project_id', 'account_id'], ['organization_id', 'project_id', 'id'], {
  name: 'accounting_payments_account_id_fkey',
})
@Index('accounting_payments_created_at_idx', ['organization_id', 'mode', 'created_at', 'id', 'project_id'])
@Index('accounting_payments_updated_at_idx', ['organization_id', 'mode', 'updated_at', 'id', 'project_id'])
@Index('accounting_payments_customer_id_idx', ['customer_id', 'created_at', 'id'])
@Index('accounting_payments_invoice_id_idx', ['invoice_id'])
@Index('accounting_payments_account_id_idx', ['account_id'])
@Index('accounting_payments_journal_entry_id_idx', ['journal_entry_id'])
@Index('accounting_payments_reference_idx', ['organization_id', 'mode', 'reference', 'created_at', 'id'], {
  where: 'reference IS NOT NULL',
})
@Index('accounting_payments_provider_reference_key', ['organization_id', 'project_id', 'mode', 'provider', 'reference'], {
  unique: true,
  where: 'provider IS NOT NULL',
})
@Index('accounting_payments_unallocated_idx', ['organization_id', 'mode', 'created_at', 'id', 'project_id'], {
  where: 'unallocated_amount > 0',
})
@Check('accounting_payments_mode_check', `mode IN ('live', 'test')`)
@Check('accounting_payments_amount_check', `amount BETWEEN 1 AND ${MOST}`)
@Check('accounting_payments_currency_check', `currency ~ '^[A-Z]{3}$'`)
@Check('accounting_payments_exchange_rate_check', 'exchange_rate > 0')
@Check('accounting_payments_base_amount_check', `base_amount BETWEEN 0 AND ${MOST}`)
@Check('accounting_payments_method_check', `method IN ('bank_transfer', 'card', 'cash', 'direct_debit', 'check', 'other')`)
@Check('accounting_payments_reference_check', 'length(reference) BETWEEN 1 AND 255')
@Check('accounting_payments_provider_check', 'provider IS NULL OR (length(provider) BETWEEN 1 AND 64 AND reference IS NOT NULL)')
@Check('accounting_payments_unallocated_amount_check', 'unallocated_amount BETWEEN 0 AND amount')
@Check('accounting_payments_base_unallocated_amount_check', 'base_unallocated_amount BETWEEN 0 AND base_amount')
@Check(
  'accounting_payments_reversed_at_check',
  '(reversed_at IS NULL) = (reversal_reason IS NULL) AND (reversed_at IS NULL OR unallocated_amount = 0)',
)
@Check('accounting_payments_reversed_on_check', '(reversed_on IS NULL) = (reversed_at IS NULL) AND reversed_on >= paid_on')
export class AccountingPayment extends BusinessEntity {
  @Column('uuid')
  customer_id: string;

  /** The invoice that it was recorded for. */
  @Column('uuid')
  invoice_id: string;

  @Column('bigint')
  amount: number;

  @Column('text')
  currency: string;

  /** Base currency per unit of the currency on the day of the payment. */
  @Column('numeric', {
    precision: 20,
    scale: 10,
  })
  exchange_rate: Decimal;

  @Column('bigint')
  base_amount: number;

  @Column('date')
  paid_on: string;

  @Column('text')
  method: PaymentMethod;

  @Column('text', { nullable: true })
  reference: string | null;

  /** Whose reference it is, of which a second one is refused, also after a reversal; null: references can repeat. */
  @Column('text', { nullable: true })
  provider: string | null;

  @Column('uuid')
  account_id: string;

  /** The part that settles no invoice: the customer's credit. */
  @Column('bigint')
  unallocated_amount: number;

  @Column('bigint')
  base_unallocated_amount: number;

  @TimeColumn({ nullable: true })
  reversed_at: Date | null;

  /** The date of the reversal in the books. */
  @Column('date', { nullable: true })
  reversed_on: string | null;

  @Column('text', { nullable: true })
  reversal_reason: string | null;

  @Column('uuid')
  journal_entry_id: string;

  @Column('jsonb')
  created_by: Actor;

  @VirtualColumn({
    type: 'json',
    query: ALLOCATIONS,
  })
  readonly allocations?: PaymentAllocation[] | null;

  @VirtualColumn({
    type: 'json',
    select: false,
    query: (row) => `SELECT json_build_object('customer_name', c.name, 'invoice_number', i.number)
      FROM accounting_customers c, accounting_invoices i WHERE c.id = ${row}.customer_id AND i.id = ${row}.invoice_id`,
  })
  readonly names?: { customer_name: string; invoice_number: string };
}
