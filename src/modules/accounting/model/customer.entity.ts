import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { BusinessEntity, CustomFields, type Actor, type CustomFieldValues } from '../../../kit/index.js';
import { REFERENCE } from './reference.js';

/** Whom invoices are addressed to. */
@Entity('accounting_customers')
@Unique('accounting_customers_reference_key', REFERENCE)
@Unique('accounting_customers_source_event_id_key', ['source_event_id'])
@ForeignKey('projects', ['organization_id', 'project_id'], ['organization_id', 'id'], { name: 'accounting_customers_project_id_fkey' })
@ForeignKey('contacts', ['organization_id', 'project_id', 'mode', 'contact_id'], REFERENCE, {
  name: 'accounting_customers_contact_id_fkey',
})
@Index('accounting_customers_created_at_idx', ['organization_id', 'mode', 'created_at', 'id', 'project_id'])
@Index('accounting_customers_updated_at_idx', ['organization_id', 'mode', 'updated_at', 'id', 'project_id'])
@Index('accounting_customers_name_idx', ['organization_id', 'mode', 'name', 'id', 'project_id'])
@Index('accounting_customers_external_id_key', ['project_id', 'mode', 'external_id'], {
  unique: true,
  where: 'external_id IS NOT NULL',
})
@Index('accounting_customers_contact_id_idx', ['contact_id'], { where: 'contact_id IS NOT NULL' })
@Index('accounting_customers_email_idx', { synchronize: false })
@Index('accounting_customers_search_idx', { synchronize: false })
@Check('accounting_customers_mode_check', `mode IN ('live', 'test')`)
@Check('accounting_customers_name_check', 'length(name) BETWEEN 1 AND 255')
@Check('accounting_customers_email_check', 'length(email) <= 254')
@Check('accounting_customers_tax_id_number_check', 'length(tax_id_number) BETWEEN 1 AND 50')
@Check('accounting_customers_address_check', 'length(address) BETWEEN 1 AND 1000')
@Check('accounting_customers_currency_check', `currency ~ '^[A-Z]{3}$'`)
@Check('accounting_customers_payment_terms_days_check', 'payment_terms_days BETWEEN 0 AND 365')
@Check('accounting_customers_custom_fields_check', `jsonb_typeof(custom_fields) = 'object'`)
@Check('accounting_customers_external_id_check', 'length(external_id) BETWEEN 1 AND 255')
export class AccountingCustomer extends BusinessEntity {
  @Column('text')
  name: string;

  @Column('text', { nullable: true })
  email: string | null;

  @Column('text', { nullable: true })
  tax_id_number: string | null;

  @Column('text', { nullable: true })
  address: string | null;

  /** ISO 4217; of new invoices. */
  @Column('text')
  currency: string;

  @Column('integer')
  payment_terms_days: number;

  /** A contact of the CRM. */
  @Column('uuid', { nullable: true })
  contact_id: string | null;

  @Column('text', { nullable: true })
  external_id: string | null;

  /** The event that created it, so that handling the event again creates nothing. */
  @Column('uuid', { nullable: true })
  source_event_id: string | null;

  @Column('jsonb')
  created_by: Actor;

  @CustomFields('customer')
  custom_fields: CustomFieldValues;

  /** Maintained by a trigger. */
  @Column({
    type: 'tsvector',
    nullable: true,
    select: false,
    insert: false,
    update: false,
  })
  search: string | null;
}
