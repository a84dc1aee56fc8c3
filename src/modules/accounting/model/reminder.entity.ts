import { Check, Column, Entity, ForeignKey, Unique } from 'typeorm';
import { BusinessEntity } from '../../../kit/index.js';
import { AccountingInvoice } from './invoice.entity.js';

/** A reminder that was sent: each step at most once. */
@Entity('accounting_reminders')
@Unique('accounting_reminders_step_key', ['invoice_id', 'step'])
@ForeignKey(
  () => AccountingInvoice,
  ['organization_id', 'project_id', 'mode', 'invoice_id'],
  ['organization_id', 'project_id', 'mode', 'id'],
  {
    name: 'accounting_reminders_invoice_id_fkey',
    onDelete: 'CASCADE',
  },
)
@Check('accounting_reminders_mode_check', `mode IN ('live', 'test')`)
@Check('accounting_reminders_step_check', 'step BETWEEN 1 AND 10')
export class InvoiceReminder extends BusinessEntity {
  @Column('uuid')
  invoice_id: string;

  /** From 1, in the order of the settings. */
  @Column('integer')
  step: number;

  @Column('uuid')
  mail_id: string;
}
