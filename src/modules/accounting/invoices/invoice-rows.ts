import { uuidv7 } from 'uuidv7';
import { sql, type Ctx, type Tx } from '../../../kit/index.js';
import type { AccountingInvoice, InvoiceLine } from '../model/invoice.entity.js';

/** A line before it is stored. */
export type NewLine = Omit<InvoiceLine, 'id' | 'credits_line_id'> & { credits_line_id?: string | null };

const INSERT = `
  INSERT INTO accounting_invoice_lines (id, organization_id, project_id, mode, invoice_id, position, description, quantity, unit_amount,
    per_quantity, discount_percent, tax_id, account_id, amount, net_amount, credits_line_id)
  SELECT l.id, $1, $2, $3, $4, l.position, l.description, l.quantity, l.unit, l.per, l.discount, l.tax, l.account, l.amount,
    l.net, l.credits
  FROM unnest($5::uuid[], $6::text[], $7::numeric[], $8::bigint[], $9::numeric[], $10::numeric[], $11::uuid[], $12::uuid[], $13::bigint[],
    $14::bigint[], $15::uuid[])
    WITH ORDINALITY AS l (id, description, quantity, unit, per, discount, tax, account, amount, net, credits, position)`;

/** Writes the lines of a new invoice without waiting for the database. */
export function sendLines(ctx: Ctx, tx: Tx, { id, project_id }: AccountingInvoice, lines: readonly NewLine[]): InvoiceLine[] {
  const rows = lines.map((line): InvoiceLine => ({ credits_line_id: null, ...line, id: uuidv7() }));
  const column = <K extends keyof InvoiceLine>(name: K) => rows.map((row) => row[name]);
  tx.send(
    sql.legacy(INSERT, [
      ctx.organizationId,
      project_id,
      ctx.mode,
      id,
      column('id'),
      column('description'),
      column('quantity'),
      column('unit_amount'),
      column('per_quantity'),
      column('discount_percent'),
      column('tax_id'),
      column('account_id'),
      column('amount'),
      column('net_amount'),
      column('credits_line_id'),
    ]),
  );
  return rows;
}

/** Replaces the lines of a draft. */
export function replaceLines(ctx: Ctx, tx: Tx, draft: AccountingInvoice, lines: readonly NewLine[]): InvoiceLine[] {
  tx.send(sql.legacy('DELETE FROM accounting_invoice_lines WHERE invoice_id = $1', [draft.id]));
  return sendLines(ctx, tx, draft, lines);
}
