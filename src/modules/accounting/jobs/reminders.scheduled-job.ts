import {
  amountText,
  dayIn,
  dayText,
  Mails,
  plusDays,
  projectDay,
  Projects,
  ScheduledJob,
  sql,
  Store,
  table,
  type Ctx,
  type DueRow,
  type ScheduledJobHandler,
  type Sql,
} from '../../../kit/index.js';
import { AccountingConfig } from '../config/accounting-config.service.js';
import { AccountingCustomer } from '../model/customer.entity.js';
import { AccountingInvoice } from '../model/invoice.entity.js';
import { InvoiceReminder } from '../model/reminder.entity.js';
import { AccountingSettings } from '../model/settings.entity.js';
import { isOpen } from './open-invoices.js';
import { overdueMail } from './overdue-mail.js';

/**
 * Reminds customers of overdue invoices by the steps of the settings. If several steps are due, only the last of them is sent. The
 * invoice is locked, so payments in the meantime are taken into account.
 */
@ScheduledJob({
  name: 'accounting.send_reminders',
  everySeconds: 900,
})
export class SendInvoiceReminders implements ScheduledJobHandler {
  constructor(
    private readonly store: Store,
    private readonly projects: Projects,
    private readonly config: AccountingConfig,
    private readonly mails: Mails,
  ) {}

  due(now: Date): Sql {
    return sql.unscoped('due rows of all organizations')`
      SELECT i.id, i.organization_id, i.project_id, i.mode FROM ${table(AccountingInvoice)} i
      JOIN ${table(AccountingSettings)} s ON s.project_id = i.project_id
      JOIN ${table(AccountingCustomer)} c ON c.id = i.customer_id
      WHERE i.type = 'invoice' AND i.status IN ('issued', 'partially_paid') AND c.email IS NOT NULL
        AND i.due_on + (s.dunning_steps -> i.reminders_sent ->> 'after_days')::integer <= ${projectDay('i', now)}`;
  }

  async handle(ctx: Ctx, { id, project_id }: DueRow, now: Date): Promise<void> {
    const { timezone = 'UTC' } = (await this.projects.reach(ctx, project_id as string)) ?? {};
    const { settings } = await this.config.read(ctx, project_id as string);
    const today = dayIn(timezone, now);
    await this.store.write(ctx, async (tx) => {
      const invoice = await tx.lock(AccountingInvoice, id);
      const steps = settings.dunning_steps.filter(({ after_days }) => plusDays(invoice.due_on as string, after_days) <= today);
      const { email, name } = await tx.get(AccountingCustomer, invoice.customer_id);
      if (!isOpen(invoice) || steps.length <= invoice.reminders_sent || email === null) return;
      const values = {
        NUMBER: invoice.number as string,
        BALANCE: amountText(invoice.gross_amount - invoice.settled_amount, invoice.currency),
        DUE_ON: dayText(invoice.due_on as string),
        CUSTOMER: name,
      };
      const mail_id = await this.mails.send(ctx, tx, overdueMail(email, steps[steps.length - 1], values, settings.seller));
      await tx.insert(InvoiceReminder, { project_id: invoice.project_id, invoice_id: id, step: steps.length, mail_id });
      await tx.update(invoice, { reminders_sent: steps.length });
    });
  }
}
