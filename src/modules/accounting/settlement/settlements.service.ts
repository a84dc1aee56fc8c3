import { Injectable } from '@nestjs/common';
import { changedFrom, type Ctx, type Tx } from '../../../kit/index.js';
import { accountWith, type ProjectBooks } from '../config/accounting-config.service.js';
import type { InvoiceDto } from '../invoices/invoice.dto.js';
import { InvoiceEvents } from '../invoices/invoices.events.js';
import { invoiceView } from '../invoices/invoice-views.js';
import { Ledger } from '../ledger/ledger.service.js';
import { converted, credit, debit, inBase } from '../ledger/posting.js';
import { Allocation } from '../model/allocation.entity.js';
import { AccountingInvoice, type InvoiceLine } from '../model/invoice.entity.js';
import { statusOf, type InvoiceTrigger } from '../model/invoice-status.js';

/** An invoice that was locked, with its lines. */
export interface OpenInvoice {
  invoice: AccountingInvoice;
  lines: readonly InvoiceLine[];
}

/** What settles an invoice. */
export interface Settling {
  amount: number;
  /** The amount in the base currency at the rate of the payment or credit note. */
  base_credit_amount: number;
  payment_id: string | null;
  credit_note_id: string | null;
  /** The day on which it takes effect; its month must be open. */
  applied_on: string;
  /** The entry that moved a customer's credit. */
  journal_entry_id: string | null;
  today: string;
}

/** Settles invoices, under their locks. */
@Injectable()
export class Settlements {
  constructor(private readonly ledger: Ledger) {}

  /** Allocates an amount that does not exceed the balance, and posts the difference between the two rates. */
  async settle(ctx: Ctx, tx: Tx, books: ProjectBooks, { invoice, lines }: OpenInvoice, settling: Settling): Promise<AccountingInvoice> {
    const { today, ...values } = settling;
    const base_amount = basePart(invoice, settling.amount);
    const difference = settling.base_credit_amount - base_amount;
    const exchange_entry_id = difference === 0 ? null : await this.postDifference(ctx, tx, books, invoice, difference, settling);
    const { project_id, id: invoice_id } = invoice;
    const row = { project_id, invoice_id, ...values, base_amount, exchange_entry_id, ended_on: null, ended_at: null };
    await tx.advanced.pipelined.insert(Allocation, row);
    return this.change(tx, { invoice, lines }, settling.amount, base_amount, today, 'settle');
  }

  /** Ends an allocation, and reverses what was posted for it; not before the day from which it counted. */
  async unsettle(ctx: Ctx, tx: Tx, open: OpenInvoice, allocation: Allocation, reversedOn: string): Promise<AccountingInvoice> {
    const ended_on = reversedOn > allocation.applied_on ? reversedOn : allocation.applied_on;
    for (const id of [allocation.exchange_entry_id, allocation.journal_entry_id])
      if (id !== null) await this.ledger.reverse(ctx, tx, id, ended_on, 'Reversal of a payment');
    await tx.advanced.pipelined.update(allocation, { ended_on, ended_at: tx.startedAt });
    return this.change(tx, open, -allocation.amount, -allocation.base_amount, ended_on, 'reverse_payment');
  }

  /** Adds to the amount that a credit note has settled. */
  spend(tx: Tx, note: OpenInvoice, amount: number, today: string): Promise<AccountingInvoice> {
    return this.change(tx, note, amount, basePart(note.invoice, amount), today, 'settle');
  }

  /** Pays an amount, at most the rest of a credit note, out to the customer, from this account. Returns the credit note. */
  async payOut(
    ctx: Ctx,
    tx: Tx,
    books: ProjectBooks,
    note: OpenInvoice,
    amount: number,
    account_id: string,
    today: string,
  ): Promise<AccountingInvoice> {
    const { id, project_id, number, currency, exchange_rate } = note.invoice;
    const base_amount = basePart(note.invoice, amount);
    const side = { debit_amount: 0, credit_amount: 0, base_debit_amount: 0, base_credit_amount: 0, customer_id: null, memo: null };
    const entry = await this.ledger.post(ctx, tx, {
      project_id,
      on: today,
      memo: `Refund of ${number}`,
      currency,
      exchange_rate,
      source_type: 'refund',
      source_id: id,
      lines: [
        { ...side, account_id: accountWith(books, 'receivable').id, debit_amount: amount, base_debit_amount: base_amount },
        { ...side, account_id, credit_amount: amount, base_credit_amount: base_amount },
      ],
    });
    const settled = { amount, base_amount, base_credit_amount: base_amount, applied_on: today, journal_entry_id: entry.id };
    const source = { invoice_id: null, payment_id: null, credit_note_id: id, exchange_entry_id: null, ended_on: null, ended_at: null };
    await tx.advanced.pipelined.insert(Allocation, { project_id, ...settled, ...source });
    return this.change(tx, note, amount, base_amount, today, 'settle');
  }

  private async change(
    tx: Tx,
    { invoice, lines }: OpenInvoice,
    amount: number,
    base: number,
    today: string,
    trigger: InvoiceTrigger,
  ): Promise<AccountingInvoice> {
    const settled_amount = invoice.settled_amount + amount;
    const base_settled_amount = invoice.base_settled_amount + base;
    const status = statusOf({ ...invoice, settled_amount });
    const closed_on = status === 'paid' ? today : null;
    const changed = await tx.advanced.pipelined.update(invoice, { settled_amount, base_settled_amount, status, closed_on });
    this.announce(tx, invoiceView(invoice, lines), invoiceView(changed, lines), trigger);
    return changed;
  }

  private announce(tx: Tx, before: InvoiceDto, object: InvoiceDto, trigger: InvoiceTrigger): void {
    const shared = { object, previous: changedFrom(before, object), projectId: object.project_id };
    if (before.status === object.status) return tx.emit(InvoiceEvents.invoiceUpdated, shared);
    tx.emit(InvoiceEvents.invoiceStatusChanged, { ...shared, context: { from: before.status, to: object.status, trigger } });
    if (object.status === 'paid' && object.type === 'invoice') tx.emit(InvoiceEvents.invoicePaid, { object, projectId: object.project_id });
  }

  /**
   * Posts the exchange difference in the base currency: a gain if the receivable was credited with more than it was debited, otherwise a
   * loss.
   */
  private async postDifference(
    ctx: Ctx,
    tx: Tx,
    books: ProjectBooks,
    { project_id, number }: AccountingInvoice,
    difference: number,
    { applied_on, payment_id, credit_note_id }: Settling,
  ): Promise<string> {
    const receivable = accountWith(books, 'receivable').id;
    const amount = Math.abs(difference);
    const lines =
      difference > 0
        ? [debit(receivable, amount), credit(accountWith(books, 'exchange_gain').id, amount)]
        : [debit(accountWith(books, 'exchange_loss').id, amount), credit(receivable, amount)];
    const entry = await this.ledger.post(ctx, tx, {
      project_id,
      on: applied_on,
      memo: `Exchange difference of ${number}`,
      lines: converted(lines, '1'),
      currency: books.settings.currency,
      exchange_rate: '1',
      source_type: 'exchange_difference',
      source_id: payment_id ?? credit_note_id,
    });
    return entry.id;
  }
}

export function balanceOf({ gross_amount, settled_amount }: AccountingInvoice): number {
  return gross_amount - settled_amount;
}

/** The part of the open amount in the base currency, at the invoice's rate; the last part is the rest. */
export function basePart(invoice: AccountingInvoice, amount: number): number {
  const left = invoice.base_gross_amount - invoice.base_settled_amount;
  return amount === balanceOf(invoice) ? left : Math.min(left, inBase(amount, invoice.exchange_rate));
}
