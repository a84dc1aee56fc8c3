import { Injectable } from '@nestjs/common';
import { Store, type Ctx, type Decimal, type Tx } from '../../../kit/index.js';
import { AccountingConfig, accountWith, type ProjectBooks } from '../config/accounting-config.service.js';
import { taxKey } from '../invoices/invoice-amounts.js';
import { InvoiceDrafts, type DraftContent } from '../invoices/invoice-drafts.service.js';
import { InvoiceIssue } from '../invoices/invoice-issue.service.js';
import { invoiceView, readLines } from '../invoices/invoice-views.js';
import type { InvoiceDto } from '../invoices/invoice.dto.js';
import { AccountingInvoice, type TaxTotal } from '../model/invoice.entity.js';
import { requireInvoice } from '../model/invoice-status.js';
import { creditNoteContent, type Credited } from './credit-note-amounts.js';
import { Credits } from './credits.service.js';
import type { CreateCreditNoteDto } from './payments.dto.js';
import { balanceOf, Settlements, type OpenInvoice } from './settlements.service.js';

const CREDITED_LINES = `
  SELECT l.credits_line_id AS id, trim_scale(sum(l.quantity))::text AS quantity,
    sum(l.amount)::text AS amount, sum(l.net_amount)::text AS net_amount
  FROM accounting_invoice_lines l JOIN accounting_invoices n ON n.id = l.invoice_id
  WHERE n.credits_id = $1 AND n.status <> 'void' GROUP BY l.credits_line_id`;

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

  /**
   * Creates a credit note with given amounts, such as those of a refund. The part that does not settle the invoice is posted as paid out
   * through the clearing account. Returns its id.
   */
  async createRefunded(
    ctx: Ctx,
    tx: Tx,
    invoiceId: string,
    reason: string,
    contentOf: (books: ProjectBooks, invoice: OpenInvoice) => DraftContent,
  ): Promise<string> {
    const invoice = await tx.lock(AccountingInvoice, invoiceId);
    requireCreditable(invoice);
    const [credited, today] = await Promise.all([readLines(tx, invoice), this.issuing.todayIn(ctx, invoice.project_id)]);
    const content = await this.config.decide(tx, invoice.project_id, (books) => contentOf(books, { invoice, lines: credited }));
    const { note, lines } = await this.issue(ctx, tx, invoice, content, reason, today);
    const books = await this.config.of(tx, invoice.project_id);
    await this.settlements.payOut(ctx, tx, books, { invoice: note, lines }, accountWith(books, 'clearing').id, today);
    return note.id;
  }

  private async issue(ctx: Ctx, tx: Tx, invoice: AccountingInvoice, content: DraftContent, reason: string, today: string) {
    const { project_id, customer_id, customer_snapshot, supply_on } = invoice;
    const header = { project_id, external_id: null, memo: reason, issued_on: null, due_on: null, supply_on };
    const kind = { type: 'credit_note', credits_id: invoice.id } as const;
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
  const rows = await tx.query<{ id: string; quantity: Decimal; amount: string; net_amount: string }>(CREDITED_LINES, [invoiceId]);
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
