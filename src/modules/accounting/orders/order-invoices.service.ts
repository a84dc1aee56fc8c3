import { Injectable } from '@nestjs/common';
import {
  CommonErrors,
  Contexts,
  DomainError,
  plusDays,
  Store,
  type Ctx,
  type Decimal,
  type InternalEvent,
  type Page,
  type Tx,
} from '../../../kit/index.js';
import { AccountingConfig, accountWith } from '../config/accounting-config.service.js';
import { AccountingCustomers } from '../customers/customers.service.js';
import { InvoiceDrafts, snapshotOf } from '../invoices/invoice-drafts.service.js';
import { InvoiceIssue } from '../invoices/invoice-issue.service.js';
import { AccountingCustomer } from '../model/customer.entity.js';
import { AccountingInvoice } from '../model/invoice.entity.js';
import { OrderPosting, type InvoicedPart } from '../model/order-posting.entity.js';
import type { AccountingSettings } from '../model/settings.entity.js';
import { CreditNotes } from '../settlement/credit-notes.service.js';
import type { RecordPaymentDto } from '../settlement/payments.dto.js';
import { Payments } from '../settlement/payments.service.js';
import type { OrderPostingsQuery, RetryOrderPostingDto } from './order-postings.dto.js';
import { creditContent, creditLines, invoiceContent, type CreditedPart } from './sold-content.js';
import { addressText, type SoldOrder } from './sold-order.js';

const INVOICE_AFTER = { paid: 'order.paid', fulfilled: 'order.fulfilled' } as const;

type OrderPayment = Pick<RecordPaymentDto, 'amount' | 'reference' | 'paid_on'>;

/**
 * Creates invoices from orders and credit notes from their refunds. Each event has one posting, which records a failure and can be
 * retried.
 */
@Injectable()
export class OrderInvoices {
  constructor(
    private readonly store: Store,
    private readonly contexts: Contexts,
    private readonly config: AccountingConfig,
    private readonly customers: AccountingCustomers,
    private readonly drafts: InvoiceDrafts,
    private readonly issuing: InvoiceIssue,
    private readonly payments: Payments,
    private readonly creditNotes: CreditNotes,
  ) {}

  page(ctx: Ctx, query: OrderPostingsQuery): Promise<Page<OrderPosting>> {
    return this.store.page(ctx, OrderPosting, query);
  }

  async handle(ctx: Ctx, event: InternalEvent): Promise<void> {
    const { project_id: projectId } = event;
    if (projectId === null) return;
    const suite = this.contexts.system({ organizationId: ctx.organizationId, projectId, mode: ctx.mode });
    const { settings } = await this.config.read(suite, projectId);
    const order = event.data as SoldOrder;
    if (!(await this.concerns(suite, settings, event, order))) return;
    try {
      await this.store.write(suite, (tx) => this.post(suite, tx, projectId, event, order));
    } catch (error) {
      if (!(error instanceof DomainError) || error.spec.status >= 500) throw error;
      await this.store.write(suite, (tx) => this.recordFailure(tx, projectId, event, order, error));
    }
  }

  /**
   * Whether the event needs a posting or settles one. Refunds of orders that have one need it even if orders are no longer invoiced.
   */
  private async concerns(ctx: Ctx, { order_invoicing }: AccountingSettings, { type }: InternalEvent, { id }: SoldOrder): Promise<boolean> {
    if (type === 'order.cancelled') return (await this.store.list(ctx, OrderPosting, { order_id: id, status: 'waiting' })).length > 0;
    if (order_invoicing !== 'off') return type === 'order.refunded' || type === INVOICE_AFTER[order_invoicing];
    return type === 'order.refunded' && (await this.store.list(ctx, OrderPosting, { order_id: id })).length > 0;
  }

  /** Retries a failed posting; throws the error of this attempt. */
  async retry(ctx: Ctx, id: string, { exchange_rate }: RetryOrderPostingDto): Promise<OrderPosting> {
    return this.store.write(ctx, async (tx) => {
      const { status, project_id, event_id, event_type, payload } = await tx.target(OrderPosting, id);
      if (status !== 'failed')
        throw CommonErrors.resourceConflict({ message: `The posting is ${status}; only a failed one can be retried.` });
      const event = { id: event_id, type: event_type, project_id, data: payload };
      await this.post(ctx, tx, project_id, event, payload as SoldOrder, exchange_rate);
      return tx.get(OrderPosting, id);
    });
  }

  private async post(ctx: Ctx, tx: Tx, projectId: string, event: InternalEvent, order: SoldOrder, rate?: Decimal): Promise<void> {
    // events of one order may be handled at once
    await tx.mutex(`accounting order ${order.id}`);
    if (event.type === 'order.cancelled') return this.settleWaiting(tx, order);
    const [known] = await tx.lockWhere(OrderPosting, { event_id: event.id });
    if (known && known.status !== 'failed') return;
    const [invoiced] = await tx.lockWhere(
      OrderPosting,
      { order_id: order.id, status: 'done' },
      { sql: `t.event_type <> 'order.refunded' AND t.invoice_id IS NOT NULL`, values: {} },
    );
    const write = async (values: Partial<OrderPosting>) => {
      const posting = { status: 'done' as const, error: null, ...values };
      if (known) await tx.update(known, posting);
      else await tx.insert(OrderPosting, { ...rowOf(projectId, event, order), ...posting });
    };
    if (event.type !== 'order.refunded') {
      if (invoiced) return;
      const { invoice_id, parts } = await this.invoice(ctx, tx, projectId, order, rate);
      return write({ invoice_id, parts: await this.creditEarlier(ctx, tx, invoice_id, order, parts) });
    }
    if (!invoiced) return write({ status: order.state === 'cancelled' ? 'done' : 'waiting' });
    const { lines, parts } = creditLines(order, invoiced.parts);
    const invoice_id = lines.length > 0 ? await this.credit(ctx, tx, invoiced.invoice_id as string, order, lines) : null;
    await tx.update(invoiced, { parts });
    await write({ invoice_id });
  }

  /** A cancelled order gets no invoice for which its refunds could wait. */
  private async settleWaiting(tx: Tx, { id }: SoldOrder): Promise<void> {
    const waiting = await tx.lockWhere(OrderPosting, { order_id: id, status: 'waiting' });
    for (const posting of waiting) await tx.update(posting, { status: 'done' });
  }

  /** Credits the refunds before the invoice, also those of an order that has been cancelled since it was paid. */
  private async creditEarlier(ctx: Ctx, tx: Tx, invoiceId: string, order: SoldOrder, charged: InvoicedPart[]): Promise<InvoicedPart[]> {
    const earlier = await tx.lockWhere(OrderPosting, { order_id: order.id, event_type: 'order.refunded', status: ['waiting', 'done'] });
    const refunds = [order, ...earlier.map(({ payload }) => payload as SoldOrder)].flatMap((one) => one.refunds);
    const all = { ...order, refunds: [...new Map(refunds.map((refund) => [refund.id, refund])).values()] };
    const { lines, parts } = creditLines(all, charged);
    const invoice_id = lines.length > 0 ? await this.credit(ctx, tx, invoiceId, all, lines) : null;
    for (const posting of earlier) await tx.update(posting, { status: 'done', invoice_id });
    return parts;
  }

  private async invoice(
    ctx: Ctx,
    tx: Tx,
    project_id: string,
    order: SoldOrder,
    rate: Decimal | undefined,
  ): Promise<{ invoice_id: string; parts: InvoicedPart[] }> {
    const customer = await this.customerOf(ctx, tx, project_id, order);
    const content = await this.config.decide(tx, project_id, (books) => invoiceContent(books, order, rate));
    const today = await this.issuing.todayIn(ctx, project_id);
    // before the series is locked, because it locks their months
    const payments = await this.paymentsOf(ctx, tx, project_id, order, today);
    const header = { project_id, external_id: null, memo: `Order ${order.number}`, issued_on: null, due_on: null, supply_on: null };
    const source = { source_type: 'order', source_id: order.id };
    const draft = await this.drafts.insert(ctx, tx, { ...header, ...source }, customer.id, snapshotOf(customer), content);
    const dated = { issued_on: today, due_on: plusDays(today, customer.payment_terms_days), customer_snapshot: snapshotOf(customer) };
    const invoice = await this.issuing.issueIn(ctx, tx, draft.invoice, draft.lines, dated);
    await this.recordPayments(ctx, tx, invoice, payments, rate);
    const parts = order.invoice_lines.map(({ line_id, total_amount, tax_amount }, index): InvoicedPart => {
      const whole = line_id === null ? order.shipping?.total_amount : order.lines.find(({ id }) => id === line_id)?.total_amount;
      const cancelled_amount = (whole ?? total_amount) - total_amount;
      return {
        order_line_id: line_id,
        invoice_line_id: draft.lines[index].id,
        total_amount,
        tax_amount,
        cancelled_amount,
        credited_amount: 0,
      };
    });
    return { invoice_id: invoice.id, parts };
  }

  private async paymentsOf(ctx: Ctx, tx: Tx, projectId: string, { payments }: SoldOrder, today: string): Promise<OrderPayment[]> {
    const succeeded: OrderPayment[] = [];
    for (const { amount, status, reference, on } of payments)
      if (status === 'succeeded') {
        const paid_on = await this.payments.openDay(ctx, tx, projectId, on, today);
        succeeded.push({ amount, reference, paid_on });
      }
    return succeeded;
  }

  /** Records the order's payments on the clearing account, up to the invoice's amount, so that customers who have paid get no reminders. */
  private async recordPayments(
    ctx: Ctx,
    tx: Tx,
    invoice: AccountingInvoice,
    payments: readonly OrderPayment[],
    exchange_rate: Decimal | undefined,
  ): Promise<void> {
    let open = invoice.gross_amount;
    const account_id = accountWith(await this.config.of(tx, invoice.project_id), 'clearing').id;
    for (const payment of payments) {
      const amount = Math.min(payment.amount, open);
      if (amount === 0) continue;
      // not as the target: an If-Match is about the posting
      const locked = await tx.lock(AccountingInvoice, invoice.id);
      await this.payments.recordIn(ctx, tx, locked, { ...payment, amount, account_id, exchange_rate });
      open -= amount;
    }
  }

  private credit(ctx: Ctx, tx: Tx, invoiceId: string, order: SoldOrder, lines: readonly CreditedPart[]): Promise<string> {
    const reason = order.refund?.reason ?? `Refund of order ${order.number}`;
    return this.creditNotes.createRefunded(ctx, tx, invoiceId, reason, (books, invoiced) => creditContent(books, invoiced, lines));
  }

  private async customerOf(ctx: Ctx, tx: Tx, project_id: string, order: SoldOrder): Promise<AccountingCustomer> {
    const { email, name, currency } = order;
    await tx.mutex(`accounting customer of orders ${project_id} ${ctx.mode} ${email?.toLowerCase()}`);
    const [known] = await tx.list(AccountingCustomer, { project_id }, { sql: 'lower(t.email) = lower(:email)', values: { email } });
    if (known) return known;
    const address = addressText(order.billing_address ?? order.shipping_address);
    return this.customers.createIn(ctx, tx, project_id, {
      name: name ?? order.billing_address?.name ?? email ?? order.number,
      email,
      currency,
      address,
    });
  }

  private async recordFailure(
    tx: Tx,
    projectId: string,
    event: InternalEvent,
    order: SoldOrder,
    { spec, occurrence, message }: DomainError,
  ) {
    const error = { code: spec.code, param: occurrence.param ?? null, message };
    const [known] = await tx.lockWhere(OrderPosting, { event_id: event.id });
    if (known) await tx.update(known, { status: 'failed', error });
    else await tx.insert(OrderPosting, { ...rowOf(projectId, event, order), status: 'failed', error, invoice_id: null, parts: [] });
  }
}

function rowOf(project_id: string, event: InternalEvent, order: SoldOrder): Partial<OrderPosting> {
  return { project_id, event_id: event.id, event_type: event.type, order_id: order.id, order_number: order.number, payload: order };
}
