import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { BusinessEntity } from '../../../kit/index.js';
import { AccountingInvoice } from './invoice.entity.js';
import { REFERENCE } from './reference.js';

/** A refund waits for the invoice of its order: until the order is shipped, or the invoice that failed is retried. */
export const POSTING_STATUSES = ['done', 'waiting', 'failed'] as const;
export type PostingStatus = (typeof POSTING_STATUSES)[number];

/** A part of an order that an invoice charges: a line, or shipping. */
export interface InvoicedPart {
  /** Null: shipping. */
  order_line_id: string | null;
  invoice_line_id: string;
  total_amount: number;
  tax_amount: number;
  /** The amount cancelled before the invoice was issued. */
  cancelled_amount: number;
  /** What the order no longer charges, with tax. It has been credited: by these postings, or by hand. */
  credited_amount: number;
  /** The part of it that these postings have credited, if not all. */
  noted_amount?: number;
  noted_tax_amount?: number;
  /** By how much refunds of an amount have lowered the price. */
  reduced_amount?: number;
  /** The part of it that credit notes made by hand have credited of other lines instead. */
  covered_amount?: number;
}

/** How an event of an order was posted; a posting that failed or waits can be retried. */
@Entity('accounting_order_postings')
@Unique('accounting_order_postings_event_id_key', ['event_id'])
@ForeignKey('projects', ['organization_id', 'project_id'], ['organization_id', 'id'], { name: 'accounting_order_postings_project_id_fkey' })
@ForeignKey(() => AccountingInvoice, ['organization_id', 'project_id', 'mode', 'invoice_id'], REFERENCE, {
  name: 'accounting_order_postings_invoice_id_fkey',
})
@Index('accounting_order_postings_created_at_idx', ['organization_id', 'mode', 'created_at', 'id', 'project_id'])
@Index('accounting_order_postings_order_id_idx', ['order_id'])
@Index('accounting_order_postings_invoice_id_idx', ['invoice_id'], { where: 'invoice_id IS NOT NULL' })
@Check('accounting_order_postings_mode_check', `mode IN ('live', 'test')`)
@Check('accounting_order_postings_status_check', `status IN ('done', 'waiting', 'failed')`)
@Check('accounting_order_postings_error_check', `(error IS NOT NULL) = (status = 'failed')`)
export class OrderPosting extends BusinessEntity {
  @Column('uuid')
  event_id: string;

  @Column('text')
  event_type: string;

  @Column('uuid')
  order_id: string;

  @Column('text')
  order_number: string;

  @Column('text')
  status: PostingStatus;

  @Column('jsonb', { nullable: true })
  error: { code: string; param: string | null; message: string } | null;

  /** The invoice or credit note that was made or settled; null if none was needed. */
  @Column('uuid', { nullable: true })
  invoice_id: string | null;

  /** What the invoice charges. */
  @Column('jsonb', { default: [] })
  parts: InvoicedPart[];

  /** The order as the event shows it. */
  @Column('jsonb')
  payload: object;
}
