import { Check, Column, Entity, ForeignKey, Index, Unique, VirtualColumn } from 'typeorm';
import {
  BusinessEntity,
  CustomFields,
  projectDay,
  sql,
  TimeColumn,
  type Actor,
  type CustomFieldValues,
  type Decimal,
} from '../../../kit/index.js';
import { REFERENCE } from './reference.js';
import { AccountingCustomer } from './customer.entity.js';
import type { InvoiceStatus } from './invoice-status.js';
import { JournalEntry } from './journal-entry.entity.js';
import type { Seller } from './settings.entity.js';
import type { TaxCategory } from './tax.entity.js';

export const INVOICE_TYPES = ['invoice', 'credit_note'] as const;
export type InvoiceType = (typeof INVOICE_TYPES)[number];

/** A copy of the customer's data, refreshed until the invoice is issued. */
export interface CustomerSnapshot {
  name: string;
  email: string | null;
  tax_id_number: string | null;
  address: string | null;
}

/** The sums of all lines with the same category and rate. */
export interface TaxTotal {
  tax_id: string;
  code: string;
  category: TaxCategory;
  rate: Decimal;
  exemption_reason: string | null;
  net_amount: number;
  tax_amount: number;
}

/** A line as it is stored in `accounting_invoice_lines`. */
export interface InvoiceLine {
  id: string;
  description: string;
  quantity: Decimal;
  unit_amount: number;
  per_quantity: Decimal;
  discount_percent: Decimal;
  tax_id: string;
  account_id: string;
  /** After the discount: with tax if the prices include it. */
  amount: number;
  net_amount: number;
  /** Of a credit note: the line that it credits. */
  credits_line_id: string | null;
}

const MOST = '9007199254740991';

/** Lines, `l`, as JSON. */
export const LINES = sql`json_agg(json_build_object('id', l.id, 'description', l.description, 'quantity', trim_scale(l.quantity)::text,
  'unit_amount', l.unit_amount, 'per_quantity', trim_scale(l.per_quantity)::text,
  'discount_percent', trim_scale(l.discount_percent)::text, 'tax_id', l.tax_id, 'account_id', l.account_id, 'amount', l.amount,
  'net_amount', l.net_amount, 'credits_line_id', l.credits_line_id) ORDER BY l.position)`;

/** Whether an invoice, `t`, is open and its due date has passed in the project's time zone. */
export const IS_OVERDUE = sql`(t.type = 'invoice' AND t.status IN ('issued', 'partially_paid') AND t.due_on < ${projectDay('t')})`;

/** The same for the invoice `i`, which TypeORM names. */
function isOverdue(i: string): string {
  return `(${i}.type = 'invoice' AND ${i}.status IN ('issued', 'partially_paid')
    AND ${i}.due_on < (SELECT (now() AT TIME ZONE p.timezone)::date FROM projects p WHERE p.id = ${i}.project_id))`;
}

/** An invoice or a credit note. Once it is issued, only custom fields and the columns that depend on payments change. */
@Entity('accounting_invoices')
@Unique('accounting_invoices_reference_key', REFERENCE)
@Unique('accounting_invoices_number_key', ['project_id', 'mode', 'type', 'number'])
@ForeignKey('projects', ['organization_id', 'project_id'], ['organization_id', 'id'], { name: 'accounting_invoices_project_id_fkey' })
@ForeignKey(() => AccountingCustomer, ['organization_id', 'project_id', 'mode', 'customer_id'], REFERENCE, {
  name: 'accounting_invoices_customer_id_fkey',
})
@ForeignKey(() => AccountingInvoice, ['organization_id', 'project_id', 'mode', 'credits_id'], REFERENCE, {
  name: 'accounting_invoices_credits_id_fkey',
})
@ForeignKey(() => JournalEntry, ['organization_id', 'project_id', 'mode', 'journal_entry_id'], REFERENCE, {
  name: 'accounting_invoices_journal_entry_id_fkey',
})
@Index('accounting_invoices_number_idx', ['organization_id', 'mode', 'number'], { where: 'number IS NOT NULL' })
@Index('accounting_invoices_created_at_idx', ['organization_id', 'mode', 'created_at', 'id', 'project_id'])
@Index('accounting_invoices_updated_at_idx', ['organization_id', 'mode', 'updated_at', 'id', 'project_id'])
@Index('accounting_invoices_due_on_asc_idx', { synchronize: false })
@Index('accounting_invoices_due_on_desc_idx', { synchronize: false })
@Index('accounting_invoices_status_idx', ['organization_id', 'mode', 'status', 'created_at', 'id', 'project_id'])
@Index('accounting_invoices_customer_id_idx', ['customer_id', 'created_at', 'id'])
@Index('accounting_invoices_external_id_key', ['project_id', 'mode', 'external_id'], {
  unique: true,
  where: 'external_id IS NOT NULL',
})
@Index('accounting_invoices_credits_id_idx', ['credits_id'], { where: 'credits_id IS NOT NULL' })
@Index('accounting_invoices_journal_entry_id_idx', ['journal_entry_id'], { where: 'journal_entry_id IS NOT NULL' })
@Index('accounting_invoices_series_idx', ['project_id', 'mode', 'type', 'issued_on'], { where: 'number IS NOT NULL' })
@Index('accounting_invoices_open_idx', ['due_on', 'id'], { where: `type = 'invoice' AND status IN ('issued', 'partially_paid')` })
@Index('accounting_invoices_aged_idx', { synchronize: false })
@Index('accounting_invoices_search_idx', { synchronize: false })
@Check('accounting_invoices_mode_check', `mode IN ('live', 'test')`)
@Check('accounting_invoices_type_check', `type IN ('invoice', 'credit_note')`)
@Check('accounting_invoices_status_check', `status IN ('draft', 'issued', 'partially_paid', 'paid', 'void')`)
@Check('accounting_invoices_currency_check', `currency ~ '^[A-Z]{3}$'`)
@Check('accounting_invoices_exchange_rate_check', 'exchange_rate > 0')
@Check('accounting_invoices_due_on_check', 'due_on >= issued_on')
@Check('accounting_invoices_memo_check', 'length(memo) BETWEEN 1 AND 2000')
@Check('accounting_invoices_external_id_check', 'length(external_id) BETWEEN 1 AND 255')
@Check('accounting_invoices_credits_id_check', `(credits_id IS NOT NULL) = (type = 'credit_note')`)
@Check('accounting_invoices_source_id_check', '(source_id IS NULL) = (source_type IS NULL)')
@Check('accounting_invoices_net_amount_check', `net_amount BETWEEN 0 AND ${MOST}`)
@Check('accounting_invoices_tax_amount_check', `tax_amount BETWEEN 0 AND ${MOST}`)
@Check('accounting_invoices_gross_amount_check', `gross_amount = net_amount + tax_amount AND gross_amount <= ${MOST}`)
@Check('accounting_invoices_settled_amount_check', 'settled_amount BETWEEN 0 AND gross_amount')
@Check('accounting_invoices_base_gross_amount_check', `base_gross_amount BETWEEN 0 AND ${MOST}`)
@Check('accounting_invoices_base_settled_amount_check', 'base_settled_amount BETWEEN 0 AND base_gross_amount')
@Check('accounting_invoices_taxes_check', `jsonb_typeof(taxes) = 'array'`)
@Check('accounting_invoices_custom_fields_check', `jsonb_typeof(custom_fields) = 'object'`)
@Check('accounting_invoices_void_check', `status <> 'void' OR settled_amount = 0`)
@Check('accounting_invoices_closed_on_check', `(closed_on IS NOT NULL) = (status IN ('paid', 'void'))`)
@Check('accounting_invoices_number_check', `status = 'void' OR (number IS NULL) = (status = 'draft')`)
@Check('accounting_invoices_issued_on_check', `status IN ('draft', 'void') OR (issued_on IS NOT NULL AND seller_snapshot IS NOT NULL)`)
@Check(
  'accounting_invoices_paid_check',
  `status NOT IN ('issued', 'partially_paid', 'paid')
    OR status = CASE WHEN settled_amount = gross_amount THEN 'paid' WHEN settled_amount > 0 THEN 'partially_paid' ELSE 'issued' END`,
)
export class AccountingInvoice extends BusinessEntity {
  @Column('text')
  type: InvoiceType;

  @Column('uuid')
  customer_id: string;

  /** From the date of issue on. */
  @Column('text', { nullable: true })
  number: string | null;

  @Column('text')
  status: InvoiceStatus;

  @Column('text')
  currency: string;

  /** Base currency per unit of the currency. */
  @Column('numeric', {
    precision: 20,
    scale: 10,
  })
  exchange_rate: Decimal;

  /** Null in a draft: the day on which it is issued. */
  @Column('date', { nullable: true })
  issued_on: string | null;

  @Column('date', { nullable: true })
  due_on: string | null;

  @Column('date', { nullable: true })
  supply_on: string | null;

  @Column('boolean')
  prices_include_tax: boolean;

  @Column('text', { nullable: true })
  memo: string | null;

  @Column('text', { nullable: true })
  external_id: string | null;

  /** The invoice that the credit note credits. */
  @Column('uuid', { nullable: true })
  credits_id: string | null;

  @Column('text', { nullable: true })
  source_type: string | null;

  @Column('text', { nullable: true })
  source_id: string | null;

  @Column('jsonb')
  customer_snapshot: CustomerSnapshot;

  @Column('jsonb', { nullable: true })
  seller_snapshot: Seller | null;

  @Column('bigint')
  net_amount: number;

  @Column('bigint')
  tax_amount: number;

  @Column('bigint')
  gross_amount: number;

  /** The amount settled by payments and credits; for a credit note, the amount that it has settled. */
  @Column('bigint', { default: 0 })
  settled_amount: number;

  /** In the base currency at the rate of the invoice. */
  @Column('bigint')
  base_gross_amount: number;

  @Column('bigint', { default: 0 })
  base_settled_amount: number;

  @Column('jsonb')
  taxes: TaxTotal[];

  @Column('integer', { default: 0 })
  reminders_sent: number;

  /** When it became overdue, as found by the scheduled job. */
  @TimeColumn({ nullable: true })
  overdue_at: Date | null;

  /** The day on which it was fully settled. */
  @Column('date', { nullable: true })
  closed_on: string | null;

  @Column('text', { nullable: true })
  void_reason: string | null;

  @Column('uuid', { nullable: true })
  journal_entry_id: string | null;

  @CustomFields('invoice')
  custom_fields: CustomFieldValues;

  @Column('jsonb')
  created_by: Actor;

  /** Maintained by a trigger. */
  @Column({
    type: 'tsvector',
    nullable: true,
    select: false,
    insert: false,
    update: false,
  })
  search: string | null;

  @VirtualColumn({
    type: 'json',
    query: (invoice) => `SELECT ${LINES.texts[0]} FROM accounting_invoice_lines l WHERE l.invoice_id = ${invoice}.id`,
  })
  readonly lines?: InvoiceLine[] | null;

  @VirtualColumn({
    type: 'boolean',
    query: (invoice) => `SELECT ${isOverdue(invoice)} IS TRUE`,
  })
  readonly overdue?: boolean;
}
