import { Injectable } from '@nestjs/common';
import { Store, type Ctx, type Tx } from '../../../kit/index.js';
import { AccountingConfig, accountWith, type ProjectBooks } from '../config/accounting-config.service.js';
import { InvoiceIssue } from '../invoices/invoice-issue.service.js';
import { invoiceView, readLines } from '../invoices/invoice-views.js';
import type { InvoiceDto } from '../invoices/invoice.dto.js';
import { Ledger } from '../ledger/ledger.service.js';
import { inBase } from '../ledger/posting.js';
import { AccountingErrors, invalid } from '../model/accounting.errors.js';
import { AccountingInvoice } from '../model/invoice.entity.js';
import { requireInvoice } from '../model/invoice-status.js';
import { AccountingPayment } from '../model/payment.entity.js';
import type { ApplyCreditDto } from './payments.dto.js';
import { balanceOf, basePart, Settlements, type OpenInvoice } from './settlements.service.js';

/** Settles invoices with credits of their customers. */
@Injectable()
export class Credits {
  constructor(
    private readonly store: Store,
    private readonly config: AccountingConfig,
    private readonly ledger: Ledger,
    private readonly invoices: InvoiceIssue,
    private readonly settlements: Settlements,
  ) {}

  apply(ctx: Ctx, invoiceId: string, { payment_id, credit_note_id, amount }: ApplyCreditDto): Promise<InvoiceDto> {
    if ((payment_id === undefined) === (credit_note_id === undefined))
      throw invalid('payment_id', 'or credit_note_id is required, and only one of them');
    return this.store.write(ctx, async (tx) => {
      // two invoices are locked in the order of their ids
      if (credit_note_id !== undefined) await tx.lockWhere(AccountingInvoice, { id: [invoiceId, credit_note_id] });
      const invoice = await tx.target(AccountingInvoice, invoiceId);
      requireInvoice(invoice, ['issued', 'partially_paid'], 'nothing can settle it');
      const open = { invoice, lines: await readLines(tx, invoice) };
      const today = await this.invoices.todayIn(ctx, invoice.project_id);
      await this.ledger.requireOpenToday(tx, invoice.project_id, today);
      const books = await this.config.of(tx, invoice.project_id);
      const settled =
        credit_note_id === undefined
          ? await this.fromPayment(ctx, tx, books, open, payment_id as string, amount, today)
          : await this.fromCreditNote(ctx, tx, books, open, credit_note_id, amount, today);
      return invoiceView(settled, open.lines);
    });
  }

  private async fromPayment(
    ctx: Ctx,
    tx: Tx,
    books: ProjectBooks,
    open: OpenInvoice,
    id: string,
    asked: number | undefined,
    today: string,
  ): Promise<AccountingInvoice> {
    const payment = await tx.reference(AccountingPayment, id, 'payment_id', { ...ofCustomer(open.invoice), lock: 'update' });
    requireCurrency('payment_id', open.invoice, payment);
    const amount = part(open.invoice, payment.unallocated_amount, asked);
    const all = payment.base_unallocated_amount;
    const base = amount === payment.unallocated_amount ? all : Math.min(all, inBase(amount, payment.exchange_rate));
    const { project_id, currency, number } = open.invoice;
    const side = { debit_amount: 0, credit_amount: 0, base_debit_amount: 0, base_credit_amount: 0, customer_id: null, memo: null };
    const entry = await this.ledger.post(ctx, tx, {
      project_id,
      on: today,
      memo: `Credit applied to ${number}`,
      currency,
      exchange_rate: payment.exchange_rate,
      source_type: 'credit',
      source_id: id,
      lines: [
        { ...side, account_id: accountWith(books, 'customer_credit').id, debit_amount: amount, base_debit_amount: base },
        { ...side, account_id: accountWith(books, 'receivable').id, credit_amount: amount, base_credit_amount: base },
      ],
    });
    await tx.advanced.pipelined.update(payment, {
      unallocated_amount: payment.unallocated_amount - amount,
      base_unallocated_amount: all - base,
    });
    return this.settlements.settle(ctx, tx, books, open, {
      amount,
      base_credit_amount: base,
      payment_id: id,
      credit_note_id: null,
      applied_on: today,
      journal_entry_id: entry.id,
      today,
    });
  }

  private async fromCreditNote(
    ctx: Ctx,
    tx: Tx,
    books: ProjectBooks,
    open: OpenInvoice,
    id: string,
    asked: number | undefined,
    today: string,
  ): Promise<AccountingInvoice> {
    const note = await tx.reference(AccountingInvoice, id, 'credit_note_id', { ...ofCustomer(open.invoice), lock: 'none' });
    requireCurrency('credit_note_id', open.invoice, note);
    if (note.type !== 'credit_note' || note.status === 'void') throw invalid('credit_note_id', 'must be a credit note that is not void');
    return this.settleWith(ctx, tx, books, open, note, part(open.invoice, balanceOf(note), asked), today);
  }

  /** Settles with a locked credit note; both have the same currency. */
  async settleWith(
    ctx: Ctx,
    tx: Tx,
    books: ProjectBooks,
    open: OpenInvoice,
    note: AccountingInvoice,
    amount: number,
    today: string,
  ): Promise<AccountingInvoice> {
    const base_credit_amount = basePart(note, amount);
    await this.settlements.spend(tx, { invoice: note, lines: await readLines(tx, note) }, amount, today);
    return this.settlements.settle(ctx, tx, books, open, {
      amount,
      base_credit_amount,
      payment_id: null,
      credit_note_id: note.id,
      applied_on: today,
      journal_entry_id: null,
      today,
    });
  }
}

/** A payment or credit note of the invoice's customer. */
function ofCustomer({ project_id: projectId, customer_id: customer }: AccountingInvoice) {
  const where = (credit: { customer_id: string }) => credit.customer_id === customer;
  return { projectId, where, message: "must be one of the invoice's customer" };
}

function requireCurrency(param: string, invoice: AccountingInvoice, credit: { currency: string }): void {
  if (credit.currency !== invoice.currency) throw invalid(param, `must be in the currency of the invoice, ${invoice.currency}`);
}

/** The amount to settle: the requested one, or as much as possible. */
function part(invoice: AccountingInvoice, available: number, asked: number | undefined): number {
  const balance_amount = Math.min(available, balanceOf(invoice));
  const amount = asked ?? balance_amount;
  if (amount > 0 && amount <= balance_amount) return amount;
  throw AccountingErrors.paymentExceedsBalance({
    param: 'amount',
    message: `At most ${balance_amount} can be settled: the invoice has ${balanceOf(invoice)} open, the credit ${available} left.`,
    extra: { balance_amount },
  });
}
