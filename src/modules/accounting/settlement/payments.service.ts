import { Injectable } from '@nestjs/common';
import { uuidv7 } from 'uuidv7';
import {
  changedFrom,
  CommonErrors,
  PaymentProviders,
  requireNew,
  sql,
  Store,
  type Ctx,
  type Page,
  type RequestedPaymentDto,
  type RequestPaymentDto,
  type Tx,
} from '../../../kit/index.js';
import { AccountingConfig, accountWith, requireAccount, requireRate, type ProjectBooks } from '../config/accounting-config.service.js';
import { InvoiceIssue } from '../invoices/invoice-issue.service.js';
import { readLines } from '../invoices/invoice-views.js';
import { Ledger } from '../ledger/ledger.service.js';
import { converted, credit, debit } from '../ledger/posting.js';
import { AccountingErrors, invalid } from '../model/accounting.errors.js';
import { Allocation } from '../model/allocation.entity.js';
import { requireBookDay } from '../model/days.js';
import { AccountingInvoice } from '../model/invoice.entity.js';
import { requireInvoice } from '../model/invoice-status.js';
import type { JournalLine } from '../model/journal-entry.entity.js';
import { AccountingPayment } from '../model/payment.entity.js';
import { PaymentDto, type PaymentsQuery, type RecordPaymentDto, type ReversePaymentDto } from './payments.dto.js';
import { PaymentEvents } from './payments.events.js';
import { balanceOf, Settlements } from './settlements.service.js';

/** Records and reverses payments. */
@Injectable()
export class Payments {
  constructor(
    private readonly store: Store,
    private readonly config: AccountingConfig,
    private readonly ledger: Ledger,
    private readonly invoices: InvoiceIssue,
    private readonly settlements: Settlements,
    private readonly providers: PaymentProviders,
  ) {}

  page(ctx: Ctx, query: PaymentsQuery): Promise<Page<AccountingPayment>> {
    const { unallocated } = query;
    const conditions = unallocated === undefined ? [] : [unallocated ? sql`t.unallocated_amount > 0` : sql`t.unallocated_amount = 0`];
    return this.store.page(ctx, AccountingPayment, query, ...conditions);
  }

  /** Asks the provider of payments how the customer pays what is open. */
  async request(ctx: Ctx, id: string, body: RequestPaymentDto): Promise<RequestedPaymentDto> {
    const invoice = await this.store.get(ctx, AccountingInvoice, id);
    requireInvoice(invoice, ['issued', 'partially_paid'], 'it cannot be paid');
    const { number, currency, customer_snapshot, project_id: projectId } = invoice;
    const subject = { type: 'invoice', id, number: String(number) };
    const wanted = { projectId, subject, amount: balanceOf(invoice), currency, email: customer_snapshot.email };
    return this.providers.request(ctx, wanted, body);
  }

  record(ctx: Ctx, invoiceId: string, body: RecordPaymentDto): Promise<PaymentDto> {
    return this.store.write(ctx, async (tx) => this.recordIn(ctx, tx, await tx.target(AccountingInvoice, invoiceId), body));
  }

  /** Records a payment of a locked invoice, as part of a larger change. */
  async recordIn(ctx: Ctx, tx: Tx, invoice: AccountingInvoice, body: RecordPaymentDto): Promise<PaymentDto> {
    await requireFirst(tx, invoice, body);
    requireInvoice(invoice, ['issued', 'partially_paid', 'paid'], 'it cannot be paid');
    const [lines, today] = await Promise.all([readLines(tx, invoice), this.invoices.todayIn(ctx, invoice.project_id)]);
    requirePastDay('paid_on', body.paid_on, today);
    const { project_id } = invoice;
    const settled = Math.min(body.amount, balanceOf(invoice));
    requireWithinBalance(invoice, body);
    const { books, accountId, rate, journal } = await this.config.decide(tx, project_id, (current) =>
      decided(current, invoice, body, settled),
    );
    await this.ledger.requireOpen(tx, project_id, body.paid_on, 'paid_on');
    const { payment, base_credit_amount } = await this.write(ctx, tx, invoice, body, { accountId, rate, journal, settled });
    if (settled > 0)
      await this.settlements.settle(
        ctx,
        tx,
        books,
        { invoice, lines },
        {
          amount: settled,
          base_credit_amount,
          payment_id: payment.id,
          credit_note_id: null,
          applied_on: body.paid_on,
          journal_entry_id: null,
          today,
        },
      );
    const allocations = settled > 0 ? [{ invoice_id: invoice.id, amount: settled, applied_on: body.paid_on }] : [];
    const object = PaymentDto.from(payment, allocations);
    tx.emit(PaymentEvents.paymentRecorded, { object, context: { invoice_id: invoice.id }, projectId: project_id });
    return object;
  }

  /** The day on which to record a past payment: today if its month is closed. Locks the month against closing. */
  async openDay(tx: Tx, projectId: string, day: string, today: string): Promise<string> {
    return day < today && (await this.ledger.isOpen(tx, projectId, day)) ? day : today;
  }

  /** Reverses the payment's entry and the entries that resulted from it; the invoices that it settled are open again. */
  reverse(ctx: Ctx, id: string, { reason, reversed_on: given }: ReversePaymentDto): Promise<PaymentDto> {
    return this.store.write(ctx, async (tx) => {
      const { project_id } = await this.store.get(ctx, AccountingPayment, id);
      // invoices are locked before payments, in the order of their ids
      const known = await activeAllocations(tx, id);
      const invoices = await tx.lockWhere(AccountingInvoice, { id: known.map(({ invoice_id }) => invoice_id) });
      const payment = await tx.target(AccountingPayment, id);
      if (payment.reversed_at !== null) throw AccountingErrors.alreadyReversed({ message: 'The payment is already reversed.' });
      const allocations = await activeAllocations(tx, id);
      const today = await this.invoices.todayIn(ctx, project_id);
      const reversed_on = given ?? today;
      requirePastDay('reversed_on', reversed_on, today);
      if (reversed_on < payment.paid_on) throw invalid('reversed_on', `must not be before the day of the payment, ${payment.paid_on}`);
      if (given === undefined) await this.ledger.requireOpenToday(tx, project_id, today);
      else await this.ledger.requireOpen(tx, project_id, reversed_on, 'reversed_on');
      await this.ledger.reverse(ctx, tx, payment.journal_entry_id, reversed_on, `Reversal: ${reason}`);
      const current = new Map(invoices.map((invoice) => [invoice.id, invoice]));
      for (const allocation of allocations) {
        const invoice = current.get(allocation.invoice_id);
        // it was applied to another invoice in the meantime
        if (!invoice) throw CommonErrors.resourceConflict();
        const lines = await readLines(tx, invoice);
        current.set(invoice.id, await this.settlements.unsettle(ctx, tx, { invoice, lines }, allocation, reversed_on));
      }
      const changed = await tx.update(payment, {
        unallocated_amount: 0,
        base_unallocated_amount: 0,
        reversed_at: tx.startedAt,
        reversed_on,
        reversal_reason: reason,
      });
      const object = PaymentDto.from(changed, []);
      const settled = allocations.map(({ invoice_id, amount, applied_on }) => ({ invoice_id, amount, applied_on }));
      const previous = changedFrom(PaymentDto.from(payment, settled), object);
      tx.emit(PaymentEvents.paymentReversed, { object, previous, projectId: project_id });
      return object;
    });
  }

  private async write(
    ctx: Ctx,
    tx: Tx,
    { id: invoice_id, project_id, customer_id, currency, number }: AccountingInvoice,
    { amount, paid_on, method = 'bank_transfer', reference, provider }: RecordPaymentDto,
    { accountId, rate, journal, settled }: { accountId: string; rate: string; journal: JournalLine[]; settled: number },
  ): Promise<{ payment: AccountingPayment; base_credit_amount: number }> {
    const paymentId = uuidv7();
    const entry = await this.ledger.post(ctx, tx, {
      project_id,
      on: paid_on,
      memo: `Payment of ${number}`,
      currency,
      exchange_rate: rate,
      lines: journal,
      source_type: 'payment',
      source_id: paymentId,
    });
    const [bank, ...credits] = journal;
    const base_credit_amount = settled > 0 ? credits[0].base_credit_amount : 0;
    const values = {
      id: paymentId,
      project_id,
      customer_id,
      invoice_id,
      amount,
      currency,
      exchange_rate: rate,
      paid_on,
      method,
      reference,
    };
    const payment = await tx.advanced.pipelined.insert(AccountingPayment, {
      ...values,
      reference: reference ?? null,
      provider: provider ?? null,
      account_id: accountId,
      base_amount: bank.base_debit_amount,
      unallocated_amount: amount - settled,
      base_unallocated_amount: bank.base_debit_amount - base_credit_amount,
      reversed_at: null,
      reversed_on: null,
      reversal_reason: null,
      journal_entry_id: entry.id,
      created_by: ctx.actor,
    });
    return { payment, base_credit_amount };
  }
}

/** The entry of a payment: debits the bank and credits receivables; the excess is the customer's credit. */
function decided(books: ProjectBooks, { currency }: AccountingInvoice, body: RecordPaymentDto, settled: number) {
  const accountId =
    body.account_id === undefined
      ? accountWith(books, 'bank').id
      : requireAccount(books, 'account_id', body.account_id, {
          kind: 'an active asset account',
          isUsable: ({ type, role }) => type === 'asset' && role !== 'receivable',
        }).id;
  const rate = requireRate(books, currency, body.exchange_rate);
  const excess = body.amount - settled;
  const lines = [
    debit(accountId, body.amount),
    ...(settled > 0 ? [credit(accountWith(books, 'receivable').id, settled)] : []),
    ...(excess > 0 ? [credit(accountWith(books, 'customer_credit').id, excess)] : []),
  ];
  return { books, accountId, rate, journal: converted(lines, rate) };
}

/** Before all else, because a repeated report of what settled the invoice exceeds its balance as well. */
async function requireFirst(tx: Tx, { project_id }: AccountingInvoice, { provider, reference }: RecordPaymentDto): Promise<void> {
  if (provider === undefined) return;
  if (reference === undefined) throw invalid('reference', 'is required with provider');
  await requireNew(tx, AccountingPayment, project_id, 'reference', reference, { provider });
}

function requirePastDay(param: string, day: string, today: string): void {
  requireBookDay(param, day);
  if (day > today) throw invalid(param, `must not be in the future; today is ${today}`);
}

function requireWithinBalance(invoice: AccountingInvoice, { amount, excess = 'refuse' }: RecordPaymentDto): void {
  const balance_amount = balanceOf(invoice);
  if (amount <= balance_amount || excess === 'credit') return;
  throw AccountingErrors.paymentExceedsBalance({
    param: 'amount',
    message: `amount exceeds the balance of ${balance_amount}; excess "credit" keeps the rest as a credit of the customer.`,
    extra: { balance_amount },
  });
}

/** What a payment settles is always an invoice. */
async function activeAllocations(tx: Tx, payment_id: string): Promise<(Allocation & { invoice_id: string })[]> {
  return (await tx.list(Allocation, { payment_id, ended_at: null })) as (Allocation & { invoice_id: string })[];
}
