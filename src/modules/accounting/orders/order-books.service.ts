import { Injectable } from '@nestjs/common';
import { dayIn, own, plusDays, Projects, sql, sumOf, table, type Ctx, type Decimal, type Tx } from '../../../kit/index.js';
import { AccountingConfig, accountWith } from '../config/accounting-config.service.js';
import { AccountingCustomers } from '../customers/customers.service.js';
import { InvoiceDrafts, snapshotOf } from '../invoices/invoice-drafts.service.js';
import { InvoiceIssue } from '../invoices/invoice-issue.service.js';
import { readLines } from '../invoices/invoice-views.js';
import { Allocation } from '../model/allocation.entity.js';
import { AccountingCustomer } from '../model/customer.entity.js';
import { AccountingInvoice } from '../model/invoice.entity.js';
import type { InvoicedPart } from '../model/order-posting.entity.js';
import { CreditNotes } from '../settlement/credit-notes.service.js';
import { Payments } from '../settlement/payments.service.js';
import { balanceOf } from '../settlement/settlements.service.js';
import { creditContent, creditedByHand, creditLines, invoiceContent, ratesOf, type CreditedOrder } from './sold-content.js';
import { buyerOf, shippedAt, type SoldMoney, type SoldOrder, type SoldPayment } from './sold-order.js';

/** What a posting credits. */
export interface Crediting {
  /** The order as it is known last. */
  order: SoldOrder;
  parts: readonly InvoicedPart[];
  /** Credit notes that postings have made without a source, as earlier versions did. */
  earlierNotes: readonly string[];
  reason: string;
  money: SoldMoney;
  /** Whether money was paid back since the last posting, or the invoice is new. */
  isRefund: boolean;
}

/** What has settled an invoice: other than its own credit notes, those made by hand, and what all of its credit notes have paid out. */
const postedMoney = (invoiceId: string) => sql`
  WITH notes AS (SELECT n.id, n.settled_amount, n.source_type FROM ${table(AccountingInvoice)} n
      WHERE ${own('n')} AND n.credits_id = ${invoiceId} AND n.status <> 'void'),
    used AS (SELECT a.amount, a.invoice_id, n.source_type FROM ${table(Allocation)} a JOIN notes n ON n.id = a.credit_note_id
      WHERE ${own('a')} AND a.ended_on IS NULL AND a.invoice_id IS NOT NULL)
  SELECT i.settled_amount - coalesce((SELECT sum(amount) FROM used WHERE invoice_id = i.id), 0) AS settled,
    coalesce((SELECT sum(amount) FROM used WHERE invoice_id = i.id AND source_type IS NULL), 0) AS settled_by_hand,
    coalesce((SELECT sum(settled_amount) FROM notes), 0) - coalesce((SELECT sum(amount) FROM used), 0) AS paid_out
  FROM ${table(AccountingInvoice)} i WHERE ${own('i')} AND i.id = ${invoiceId}`;

/** Writes the invoices, payments and credit notes of orders. */
@Injectable()
export class OrderBooks {
  constructor(
    private readonly projects: Projects,
    private readonly config: AccountingConfig,
    private readonly customers: AccountingCustomers,
    private readonly drafts: InvoiceDrafts,
    private readonly issuing: InvoiceIssue,
    private readonly payments: Payments,
    private readonly creditNotes: CreditNotes,
  ) {}

  async invoice(
    ctx: Ctx,
    tx: Tx,
    project_id: string,
    order: SoldOrder,
    payments: readonly SoldPayment[],
    rate: Decimal | undefined,
  ): Promise<{ invoice_id: string; parts: InvoicedPart[] }> {
    const customer = await this.customerOf(ctx, tx, project_id, order);
    const content = await this.config.decide(tx, project_id, (books) => invoiceContent(books, order, rate));
    const [today, supply_on] = await Promise.all([this.issuing.todayIn(ctx, project_id), this.supplyDay(ctx, project_id, order)]);
    // before the series is locked, because it locks their months
    await this.openDays(tx, project_id, payments, today);
    const header = { project_id, external_id: null, memo: `Order ${order.number}`, issued_on: null, due_on: null, supply_on };
    const source = { source_type: 'order', source_id: order.id };
    const { name, address } = buyerOf(order);
    const known = snapshotOf(customer);
    const customer_snapshot = { ...known, name: name ?? known.name, address: address ?? known.address };
    const draft = await this.drafts.insert(ctx, tx, { ...header, ...source }, customer.id, customer_snapshot, content);
    const dated = { issued_on: today, due_on: plusDays(today, customer.payment_terms_days), customer_snapshot };
    const invoice = await this.issuing.issueIn(ctx, tx, draft.invoice, draft.lines, dated);
    await this.recordPayments(ctx, tx, invoice.id, payments, rate);
    const parts = order.invoice_lines.map(({ line_id, total_amount, tax_amount }, index): InvoicedPart => {
      const whole = line_id === null ? order.shipping?.total_amount : order.lines.find(({ id }) => id === line_id)?.total_amount;
      return {
        order_line_id: line_id,
        invoice_line_id: draft.lines[index].id,
        total_amount,
        tax_amount,
        cancelled_amount: (whole ?? total_amount) - total_amount,
        credited_amount: 0,
      };
    });
    return { invoice_id: invoice.id, parts };
  }

  /**
   * Records payments on the clearing account, up to what is open, so that customers who have paid get no reminders. What was paid in
   * excess is due back, and belongs to no invoice. Returns whether any was recorded.
   */
  async recordPayments(
    ctx: Ctx,
    tx: Tx,
    invoiceId: string,
    payments: readonly SoldPayment[],
    exchange_rate: Decimal | undefined,
  ): Promise<boolean> {
    if (payments.length === 0) return false;
    // not as the target: an If-Match is about the posting
    let invoice = await tx.lock(AccountingInvoice, invoiceId);
    const { project_id } = invoice;
    const account_id = accountWith(await this.config.of(tx, project_id), 'clearing').id;
    const days = await this.openDays(tx, project_id, payments, await this.issuing.todayIn(ctx, project_id));
    let isRecorded = false;
    for (const [index, payment] of payments.entries()) {
      const amount = Math.min(payment.amount, balanceOf(invoice));
      if (amount === 0) break;
      const { reference } = payment;
      const rate = exchange_rate ?? invoice.exchange_rate;
      await this.payments.recordIn(ctx, tx, invoice, { amount, reference, paid_on: days[index], account_id, exchange_rate: rate });
      isRecorded = true;
      invoice = await tx.lock(AccountingInvoice, invoiceId);
    }
    return isRecorded;
  }

  /**
   * Credits what the order no longer charges, except what was credited by hand. Money that was paid back settles the credit notes,
   * also those made by hand. Returns the credit note, and what was paid back although its credit note had been used for other invoices.
   */
  async credit(
    ctx: Ctx,
    tx: Tx,
    invoiceId: string,
    { order, parts: before, earlierNotes, reason, money, isRefund }: Crediting,
  ): Promise<{ invoice_id: string | null; parts: InvoicedPart[]; unpaid_amount: number }> {
    const invoice = await tx.lock(AccountingInvoice, invoiceId);
    const notes = await tx.list(AccountingInvoice, { credits_id: invoiceId });
    const made = notes.filter(({ id, status, source_type }) => status !== 'void' && source_type === null && !earlierNotes.includes(id));
    const byHand = await Promise.all(made.map(async (note) => ({ invoice: note, lines: await readLines(tx, note) })));
    const books = await this.config.of(tx, invoice.project_id);
    const rates = ratesOf(books, await readLines(tx, invoice));
    const credited = creditLines(order, before, creditedByHand(books, byHand), rates);
    const { lines, parts, released_amount } = credited;
    const note = lines.length
      ? await this.creditNotes.createOfOrder(ctx, tx, invoice, reason, (now, invoiced) => creditContent(now, invoiced, lines))
      : null;
    const paidOut = isRefund ? Math.min(released_amount, await this.paidOut(tx, invoiceId, credited, money)) : 0;
    const { used, left } = await this.creditNotes.payOut(ctx, tx, invoice, Math.max(0, paidOut), note);
    return { invoice_id: note ?? used[0] ?? null, parts, unpaid_amount: left };
  }

  /**
   * What was paid back of the money that settles the invoice, and is not posted yet. What was paid in excess of the invoice has never been
   * posted, also if it is in excess because a credit note made by hand has settled the invoice: its amount was not paid for as long as the
   * order charges it.
   */
  private async paidOut(
    tx: Tx,
    invoiceId: string,
    { parts, beyond_amount }: CreditedOrder,
    { paid, refunded }: SoldMoney,
  ): Promise<number> {
    const [posted] = await tx.sql<Record<'settled' | 'settled_by_hand' | 'paid_out', string>>(postedMoney(invoiceId));
    const charged = sumOf(parts.map(({ total_amount, credited_amount }) => total_amount - credited_amount));
    const settling = charged - Math.min(beyond_amount, Number(posted.settled_by_hand));
    const held = Number(posted.settled) - Number(posted.paid_out);
    return held - Math.min(paid - refunded, settling);
  }

  /** The days on which to record the payments; locks their months. */
  private async openDays(tx: Tx, projectId: string, payments: readonly SoldPayment[], today: string): Promise<string[]> {
    const days: string[] = [];
    for (const { on } of payments) days.push(await this.payments.openDay(tx, projectId, on, today));
    return days;
  }

  /** The day of the last parcel, if all is shipped. */
  private async supplyDay(ctx: Ctx, projectId: string, order: SoldOrder): Promise<string | null> {
    const at = shippedAt(order);
    return at && dayIn((await this.projects.reach(ctx, projectId))?.timezone ?? 'UTC', new Date(at));
  }

  /** The customer with the order's e-mail address, preferably with its name; the order's name and address are those of the invoice. */
  private async customerOf(ctx: Ctx, tx: Tx, project_id: string, order: SoldOrder): Promise<AccountingCustomer> {
    const { email, currency } = order;
    await tx.advanced.mutex(`accounting customer of orders ${project_id} ${ctx.mode} ${email?.toLowerCase()}`);
    const known = await tx.list(AccountingCustomer, { project_id }, sql`lower(t.email) = lower(${email})`);
    const { name, address } = buyerOf(order);
    known.sort((one, other) => (one.id < other.id ? -1 : 1));
    const found = known.find((one) => one.name.toLowerCase() === name?.toLowerCase()) ?? known[0];
    if (found) return found;
    return this.customers.createIn(ctx, tx, project_id, { name: name ?? email ?? order.number, email, currency, address });
  }
}
