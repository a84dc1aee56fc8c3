import { Check, Column, Entity, ForeignKey, Unique } from 'typeorm';
import { ConfigurationEntity } from '../../../kit/index.js';

export const ORDER_INVOICING = ['off', 'paid', 'fulfilled'] as const;
export type OrderInvoicing = (typeof ORDER_INVOICING)[number];

/** Who issues the invoices. Name and address are required to issue one. */
export interface Seller {
  name?: string | null;
  address?: string | null;
  tax_id_number?: string | null;
  email?: string | null;
}

/** A reminder of an overdue invoice. */
export interface DunningStep {
  /** Days after the due date. */
  after_days: number;
  subject: string;
  text: string;
}

/** One row per project. */
@Entity('accounting_settings')
@ForeignKey('projects', ['organization_id', 'project_id'], ['organization_id', 'id'], { name: 'accounting_settings_project_id_fkey' })
@Unique('accounting_settings_project_id_key', ['project_id'])
@Check('accounting_settings_project_id_check', 'project_id IS NOT NULL')
@Check('accounting_settings_currency_check', `currency ~ '^[A-Z]{3}$'`)
@Check('accounting_settings_seller_check', `jsonb_typeof(seller) = 'object'`)
@Check('accounting_settings_dunning_steps_check', `jsonb_typeof(dunning_steps) = 'array'`)
@Check('accounting_settings_order_invoicing_check', `order_invoicing IN ('off', 'paid', 'fulfilled')`)
export class AccountingSettings extends ConfigurationEntity {
  declare project_id: string;

  /** ISO 4217; the base currency of the books. */
  @Column('text')
  currency: string;

  @Column('jsonb')
  seller: Seller;

  /** With `{YYYY}` and `{SEQ}`; a series starts again each year. */
  @Column('text')
  invoice_number_pattern: string;

  @Column('text')
  credit_note_number_pattern: string;

  @Column('jsonb')
  dunning_steps: DunningStep[];

  @Column('text')
  order_invoicing: OrderInvoicing;

  /** Whether a won deal creates a customer. */
  @Column('boolean')
  deal_customers: boolean;
}
