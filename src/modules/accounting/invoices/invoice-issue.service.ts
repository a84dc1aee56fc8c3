import { Injectable } from '@nestjs/common';
import { changedFrom, dayIn, own, plusDays, Projects, shareOut, sql, Store, table, type Ctx, type Tx } from '../../../kit/index.js';
import { AccountingConfig, accountOf, accountWith, type ProjectBooks } from '../config/accounting-config.service.js';
import { Ledger } from '../ledger/ledger.service.js';
import { converted, credit, debit, type PostingLine } from '../ledger/posting.js';
import { AccountingErrors, invalid } from '../model/accounting.errors.js';
import type { AccountRole } from '../model/account.entity.js';
import { AccountingCustomer } from '../model/customer.entity.js';
import { endOfLastYear } from '../model/days.js';
import { AccountingInvoice, type InvoiceLine, type TaxTotal } from '../model/invoice.entity.js';
import { requireTransition, statusOf } from '../model/invoice-status.js';
import { numberOf } from '../model/number-pattern.js';
import { groupsOf, taxKey } from './invoice-amounts.js';
import { snapshotOf } from './invoice-drafts.service.js';
import { secondInvoiceNotice } from './invoiced-orders.js';
import { invoiceView, readLines } from './invoice-views.js';
import type { InvoiceDto } from './invoice.dto.js';
import { InvoiceEvents } from './invoices.events.js';
import { reasonOf, requireTaxRules } from './tax-rules.js';

/** What an invoice gets when it is issued. */
type Dated = Pick<AccountingInvoice, 'issued_on' | 'due_on' | 'customer_snapshot'> & { issued_on: string };

/** Issues and voids invoices and credit notes. */
@Injectable()
export class InvoiceIssue {
  constructor(
    private readonly store: Store,
    private readonly projects: Projects,
    private readonly config: AccountingConfig,
    private readonly ledger: Ledger,
  ) {}

  issue(ctx: Ctx, id: string): Promise<InvoiceDto> {
    return this.store.write(ctx, async (tx) => {
      const draft = await tx.target(AccountingInvoice, id);
      requireTransition(draft.status, 'issue');
      const [lines, customer, notice, today] = await Promise.all([
        draft.lines ?? readLines(tx, draft),
        tx.get(AccountingCustomer, draft.customer_id),
        secondInvoiceNotice(tx, draft),
        this.todayIn(ctx, draft.project_id),
      ]);
      const issued_on = draft.issued_on ?? today;
      // nothing could be issued in the series before that day
      if (issued_on > today) throw invalid('issued_on', `must not be in the future; today is ${today}`);
      const due_on = draft.due_on ?? plusDays(issued_on, customer.payment_terms_days);
      if (due_on < issued_on) throw invalid('due_on', `must not be before the date of issue, ${issued_on}`);
      const dated = { issued_on, due_on, customer_snapshot: snapshotOf(customer) };
      return { ...invoiceView(await this.issueIn(ctx, tx, draft, lines, dated), lines), ...notice };
    });
  }

  /** Gives the draft, which is locked, its number, posts it, and emits its events. Writes last, without waiting for the database. */
  async issueIn(ctx: Ctx, tx: Tx, draft: AccountingInvoice, lines: readonly InvoiceLine[], dated: Dated): Promise<AccountingInvoice> {
    const { project_id, type, currency, exchange_rate } = draft;
    const { settings, posting, taxes } = await this.config.decide(tx, project_id, (books) => {
      requireComplete(books, draft);
      return { settings: books.settings, posting: postingOf(books, draft, lines), taxes: taxesOf(books, draft, lines, dated) };
    });
    await this.ledger.requireOpen(tx, project_id, dated.issued_on, 'issued_on');
    const journal = posting.length > 0 ? converted(posting, exchange_rate) : null;
    // before the series is locked, because the lock would be held during this round trip
    const entryNumber = journal && (await this.ledger.nextNumber(ctx, tx, project_id));
    const sequence = await this.nextInSeries(tx, draft, dated.issued_on);
    const number = numberIn(ctx, settings, type, dated.issued_on, sequence);
    const entry = journal
      ? await this.ledger.post(ctx, tx, {
          project_id,
          on: dated.issued_on,
          memo: `${type === 'invoice' ? 'Invoice' : 'Credit note'} ${number}`,
          number: entryNumber,
          currency,
          exchange_rate,
          lines: journal,
          source_type: type,
          source_id: draft.id,
        })
      : null;
    const status = statusOf(draft);
    const issued = await tx.advanced.pipelined.update(draft, {
      ...dated,
      number,
      status,
      taxes,
      seller_snapshot: settings.seller,
      journal_entry_id: entry?.id ?? null,
      closed_on: status === 'paid' ? dated.issued_on : null,
    });
    this.announce(tx, draft, issued, lines);
    return issued;
  }

  void(ctx: Ctx, id: string, reason: string): Promise<InvoiceDto> {
    return this.store.write(ctx, async (tx) => {
      const invoice = await tx.target(AccountingInvoice, id);
      if (invoice.status === 'paid' || invoice.status === 'partially_paid') throw AccountingErrors.useCreditNote();
      requireTransition(invoice.status, 'void');
      const [lines, today] = await Promise.all([readLines(tx, invoice), this.todayIn(ctx, invoice.project_id)]);
      if (invoice.journal_entry_id !== null) await this.reverseEntry(ctx, tx, invoice, invoice.journal_entry_id, today);
      const changed = await tx.update(invoice, { status: 'void', void_reason: reason, closed_on: today });
      const object = invoiceView(changed, lines);
      tx.emit(InvoiceEvents.invoiceStatusChanged, {
        object,
        previous: changedFrom(invoiceView(invoice, lines), object),
        projectId: invoice.project_id,
        context: { from: invoice.status, to: 'void', trigger: 'void' },
      });
      return object;
    });
  }

  async todayIn(ctx: Ctx, projectId: string): Promise<string> {
    return dayIn((await this.projects.reach(ctx, projectId))?.timezone ?? 'UTC');
  }

  /** The reversal is dated today, but the month of the invoice must be open as well. */
  private async reverseEntry(ctx: Ctx, tx: Tx, { project_id, issued_on, number }: AccountingInvoice, entryId: string, today: string) {
    if (!(await this.ledger.isOpen(tx, project_id, issued_on as string))) throw AccountingErrors.useCreditNote();
    await this.ledger.requireOpenToday(tx, project_id, today);
    await this.ledger.reverse(ctx, tx, entryId, today, `Void ${number}`);
  }

  /** The next number of the series, which stays locked. `validation_failed` if the date precedes that of the last number. */
  private async nextInSeries(tx: Tx, { project_id, type }: AccountingInvoice, issued_on: string): Promise<number> {
    const year = issued_on.slice(0, 4);
    const [sequence, [{ last }]] = await Promise.all([
      tx.next(`accounting ${type} ${year}`, project_id, { gapless: true }),
      // runs after the series is locked, so it sees what earlier holders of the lock have committed
      tx.sql<{ last: string | null }>(
        sql`SELECT max(i.issued_on) AS last FROM ${table(AccountingInvoice)} i
          WHERE ${own('i')} AND i.project_id = ${project_id} AND i.type = ${type} AND i.number IS NOT NULL
            AND i.issued_on > ${endOfLastYear(issued_on)} AND i.issued_on <= ${`${year}-12-31`}`,
      ),
    ]);
    if (last !== null && issued_on < last) throw invalid('issued_on', `must not be before ${last}, the date of the last number`);
    return sequence;
  }

  private announce(tx: Tx, draft: AccountingInvoice, issued: AccountingInvoice, lines: readonly InvoiceLine[]): void {
    const object = invoiceView(issued, lines);
    const projectId = issued.project_id;
    const before = draft.credits_id === null ? invoiceView(draft, lines) : null;
    tx.emit(InvoiceEvents.invoiceStatusChanged, {
      object,
      previous: before ? changedFrom(before, object) : {},
      projectId,
      context: { from: before?.status ?? null, to: issued.status, trigger: 'issue' },
    });
    tx.emit(issued.type === 'invoice' ? InvoiceEvents.invoiceIssued : InvoiceEvents.creditNoteIssued, { object, projectId });
  }
}

function numberIn({ mode }: Ctx, settings: ProjectBooks['settings'], type: AccountingInvoice['type'], issued_on: string, sequence: number) {
  const pattern = type === 'invoice' ? settings.invoice_number_pattern : settings.credit_note_number_pattern;
  return `${mode === 'test' ? 'TEST-' : ''}${numberOf(pattern, issued_on.slice(0, 4), sequence)}`;
}

/** Throws `setup_incomplete` with everything that is missing. */
function requireComplete(books: ProjectBooks, { tax_amount }: AccountingInvoice): void {
  const { seller } = books.settings;
  const roles: AccountRole[] = ['receivable', ...(tax_amount > 0 ? (['tax'] as const) : [])];
  const missing = [
    ...(['name', 'address'] as const).filter((field) => !seller[field]).map((field) => `seller.${field}`),
    ...roles.filter((role) => !accountOf(books, role)).map((role) => `accounts.${role}`),
  ];
  if (missing.length === 0) return;
  throw AccountingErrors.setupIncomplete({
    message: `Missing in the accounting setup: ${missing.join(', ')}. Ask a member to complete it.`,
    details: missing.map((param) => ({ param, code: 'missing', message: `${param} is missing` })),
  });
}

/** Debits receivables and credits revenue by account and tax by rate; a credit note does the opposite. Empty if nothing is to be paid. */
function postingOf(books: ProjectBooks, invoice: AccountingInvoice, lines: readonly InvoiceLine[]): PostingLine[] {
  const [forward, back] = invoice.type === 'invoice' ? [debit, credit] : [credit, debit];
  const amounts = new Map<string, number>();
  const add = (account: string, amount: number) => amounts.set(account, (amounts.get(account) ?? 0) + amount);
  for (const line of lines) add(line.account_id, line.net_amount);
  const taxed = lines.map((line) => ({ ...line, tax: taxOfLine(books, line) }));
  for (const { tax, members } of groupsOf(taxed)) {
    const total = invoice.taxes.find((one) => taxKey(one) === taxKey(tax))?.tax_amount ?? 0;
    // several taxes of one rate may have accounts of their own
    const shares = shareOut(
      total,
      members.map((index) => lines[index].net_amount),
    );
    for (const [place, index] of members.entries())
      if (shares[place] > 0) add(taxed[index].tax.account_id ?? accountWith(books, 'tax').id, shares[place]);
  }
  const others = [...amounts].filter(([, amount]) => amount > 0).map(([account, amount]) => back(account, amount));
  return others.length > 0 ? [forward(accountWith(books, 'receivable').id, invoice.gross_amount), ...others] : [];
}

/**
 * The totals of an invoice with the current reasons of its taxes, which may have been set since it was drafted. A credit note keeps those
 * of its invoice, whatever the rules are now.
 */
function taxesOf(books: ProjectBooks, { type, taxes }: AccountingInvoice, lines: readonly InvoiceLine[], dated: Dated): TaxTotal[] {
  if (type === 'credit_note') return taxes;
  const taxed = lines.map((line) => ({ tax: taxOfLine(books, line) }));
  requireTaxRules(
    taxed.map(({ tax }) => tax),
    dated.customer_snapshot,
    books.settings.seller,
  );
  const groups = new Map(groupsOf(taxed).map(({ tax, members }) => [taxKey(tax), members.map((index) => taxed[index].tax)]));
  return taxes.map((total) => ({ ...total, exemption_reason: reasonOf(groups.get(taxKey(total)) ?? []) }));
}

function taxOfLine({ taxes }: ProjectBooks, { tax_id }: InvoiceLine) {
  const tax = taxes.get(tax_id);
  if (!tax) throw invalid('lines', 'have a tax that no longer exists');
  return tax;
}
