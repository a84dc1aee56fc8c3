import { Injectable } from '@nestjs/common';
import { own, sql, Store, table, type Ctx, type Decimal, type Tx } from '../../../kit/index.js';
import { AccountingConfig, accountWith, type ProjectBooks } from '../config/accounting-config.service.js';
import { taxKey } from '../invoices/invoice-amounts.js';
import { InvoiceDrafts, type DraftContent } from '../invoices/invoice-drafts.service.js';
import { InvoiceIssue } from '../invoices/invoice-issue.service.js';
import { invoiceView, readLines } from '../invoices/invoice-views.js';
import type { InvoiceDto } from '../invoices/invoice.dto.js';
import { Ledger } from '../ledger/ledger.service.js';
import { AccountingInvoice, type TaxTotal } from '../model/invoice.entity.js';
import { requireInvoice } from '../model/invoice-status.js';
import { InvoiceLineRow } from '../model/sql-rows.entity.js';
import { creditNoteContent, type Credited } from './credit-note-amounts.js';
import { Credits } from './credits.service.js';
import type { CreateCreditNoteDto } from './payments.dto.js';
import { balanceOf, Settlements, type OpenInvoice } from './settlements.service.js';

/** Credit notes for refunds of orders credit amounts; their part of the amount is their part of the quantity. */
const creditedLines = (invoiceId: string) => sql`
  SELECT o.id, sum(l.amount)::text AS amount, sum(l.net_amount)::text AS net_amount, trim_scale(
      coalesce(sum(l.quantity) FILTER (WHERE n.source_type IS NULL), 0) +
      coalesce(round(o.quantity * sum(l.amount) FILTER (WHERE n.source_type IS NOT NULL) / nullif(o.amount, 0), 6), 0))::text AS quantity
  FROM ${table(InvoiceLineRow)} l JOIN ${table(AccountingInvoice)} n ON n.id = l.invoice_id
    JOIN ${table(InvoiceLineRow)} o ON o.id = l.credits_line_id
  WHERE n.credits_id = ${invoiceId} AND n.status <> 'void' AND ${own('n')} AND ${own('o')} GROUP BY o.id`;

/** Credit notes, which are issued at once and settle their invoice first. */
@Injectable()
export class CreditNotes {
  constructor(
    private readonly store: Store,
    private readonly config: AccountingConfig,
    private readonly drafts: InvoiceDrafts,
    private readonly issuing: InvoiceIssue,
    private readonly credits: Credits,
    private readonly settlements: Settlements,
    private readonly ledger: Ledger,
  ) {}

  create(ctx: Ctx, invoiceId: string, { lines: asked, reason }: CreateCreditNoteDto): Promise<InvoiceDto> {
    return this.store.write(ctx, async (tx) => {
      const invoice = await tx.target(AccountingInvoice, invoiceId);
      requireCreditable(invoice);
      const [lines, credited, today] = await Promise.all([
        readLines(tx, invoice),
        creditedOf(tx, invoice.id),
        this.issuing.todayIn(ctx, invoice.project_id),
      ]);
      const books = await this.config.of(tx, invoice.project_id);
      const content = creditNoteContent(books, invoice, lines, credited, asked);
      const issued = await this.issue(ctx, tx, invoice, content, reason, today);
      return invoiceView(issued.note, issued.lines);
    });
  }

  /** Creates a credit note of a locked invoice of an order, with given amounts. Returns its id. */
  async createOfOrder(
    ctx: Ctx,
    tx: Tx,
    invoice: AccountingInvoice,
    reason: string,
    contentOf: (books: ProjectBooks, invoice: OpenInvoice) => DraftContent,
  ): Promise<string> {
    requireCreditable(invoice);
    const [credited, today] = await Promise.all([readLines(tx, invoice), this.issuing.todayIn(ctx, invoice.project_id)]);
    const content = await this.config.decide(tx, invoice.project_id, (books) => contentOf(books, { invoice, lines: credited }));
    const { source_type, source_id } = invoice;
    const { note } = await this.issue(ctx, tx, invoice, content, reason, today, { source_type, source_id });
    return note.id;
  }

  /**
   * Posts an amount as paid out through the clearing account: with the credit note `first`, then with the other open ones of the invoice,
   * the oldest first. Returns the ids of those used, and the amount that none of them covers.
   */
  async payOut(ctx: Ctx, tx: Tx, { id, project_id }: AccountingInvoice, amount: number, first: string | null) {
    const notes = await tx.lockWhere(AccountingInvoice, { credits_id: id, status: ['issued', 'partially_paid'] });
    notes.sort((one, other) => Number(other.id === first) - Number(one.id === first) || (one.id < other.id ? -1 : 1));
    const [books, today] = await Promise.all([this.config.of(tx, project_id), this.issuing.todayIn(ctx, project_id)]);
    const account = accountWith(books, 'clearing').id;
    const used: string[] = [];
    let left = amount;
    for (const note of notes) {
      const part = Math.min(left, balanceOf(note));
      if (part === 0) continue;
      if (used.length === 0) await this.ledger.requireOpenToday(tx, project_id, today);
      await this.settlements.payOut(ctx, tx, books, { invoice: note, lines: await readLines(tx, note) }, part, account, today);
      used.push(note.id);
      left -= part;
    }
    return { used, left };
  }

  private async issue(
    ctx: Ctx,
    tx: Tx,
    invoice: AccountingInvoice,
    content: DraftContent,
    reason: string,
    today: string,
    source: Partial<Pick<AccountingInvoice, 'source_type' | 'source_id'>> = {},
  ) {
    const { project_id, customer_id, customer_snapshot, supply_on } = invoice;
    const header = { project_id, external_id: null, memo: reason, issued_on: null, due_on: null, supply_on };
    const kind = { type: 'credit_note', credits_id: invoice.id, ...source } as const;
    const draft = await this.drafts.insert(ctx, tx, { ...header, ...kind }, customer_id, customer_snapshot, content);
    const dated = { issued_on: today, due_on: today, customer_snapshot };
    const note = await this.issuing.issueIn(ctx, tx, draft.invoice, draft.lines, dated);
    const amount = Math.min(balanceOf(note), balanceOf(invoice));
    return { note: amount > 0 ? await this.settle(ctx, tx, invoice, note, amount, today) : note, lines: draft.lines };
  }

  /** Returns the credit note. */
  private async settle(ctx: Ctx, tx: Tx, invoice: AccountingInvoice, note: AccountingInvoice, amount: number, today: string) {
    const books = await this.config.of(tx, invoice.project_id);
    await this.credits.settleWith(ctx, tx, books, { invoice, lines: await readLines(tx, invoice) }, note, amount, today);
    return tx.get(AccountingInvoice, note.id);
  }
}

async function creditedOf(tx: Tx, invoiceId: string): Promise<Credited> {
  const rows = await tx.sql<{ id: string; quantity: Decimal; amount: string; net_amount: string }>(creditedLines(invoiceId));
  const notes = (await tx.list(AccountingInvoice, { credits_id: invoiceId })).filter(({ status }) => status !== 'void');
  const taxes = new Map<string, Pick<TaxTotal, 'net_amount' | 'tax_amount'>>();
  for (const tax of notes.flatMap((note) => note.taxes)) {
    const { net_amount, tax_amount } = taxes.get(taxKey(tax)) ?? { net_amount: 0, tax_amount: 0 };
    taxes.set(taxKey(tax), { net_amount: net_amount + tax.net_amount, tax_amount: tax_amount + tax.tax_amount });
  }
  const lines = rows.map(({ id, quantity, amount, net_amount }) => {
    return [id, { quantity, amount: Number(amount), net_amount: Number(net_amount) }] as const;
  });
  return { lines: new Map(lines), taxes };
}

function requireCreditable(invoice: AccountingInvoice): void {
  requireInvoice(invoice, ['issued', 'partially_paid', 'paid'], 'it cannot be credited');
}
