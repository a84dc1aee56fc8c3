import {
  projectDay,
  ScheduledJob,
  sql,
  Store,
  table,
  type Ctx,
  type DueRow,
  type ScheduledJobHandler,
  type Sql,
} from '../../../kit/index.js';
import { readLines, invoiceView } from '../invoices/invoice-views.js';
import { InvoiceEvents } from '../invoices/invoices.events.js';
import { AccountingInvoice } from '../model/invoice.entity.js';
import { isOpen } from './open-invoices.js';

/** Marks an invoice as overdue, once, when its due date has passed in the project's time zone. */
@ScheduledJob({
  name: 'accounting.find_overdue',
  everySeconds: 900,
})
export class FindOverdue implements ScheduledJobHandler {
  constructor(private readonly store: Store) {}

  due(now: Date): Sql {
    return sql.unscoped('due rows of all organizations')`
      SELECT i.id, i.organization_id, i.project_id, i.mode FROM ${table(AccountingInvoice)} i
      WHERE i.type = 'invoice' AND i.status IN ('issued', 'partially_paid') AND i.overdue_at IS NULL
        AND i.due_on < ${projectDay('i', now)}`;
  }

  handle(ctx: Ctx, { id }: DueRow, now: Date): Promise<void> {
    return this.store.write(ctx, async (tx) => {
      const invoice = await tx.lock(AccountingInvoice, id);
      if (!isOpen(invoice) || invoice.overdue_at !== null) return;
      const changed = await tx.update(invoice, { overdue_at: now });
      const object = invoiceView(changed, await readLines(tx, changed));
      tx.emit(InvoiceEvents.invoiceOverdue, { object, projectId: invoice.project_id });
    });
  }
}
