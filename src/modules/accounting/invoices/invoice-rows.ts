import { uuidv7 } from 'uuidv7';
import { own, sql, table, type Tx } from '../../../kit/index.js';
import type { AccountingInvoice, InvoiceLine } from '../model/invoice.entity.js';
import { InvoiceLineRow } from '../model/sql-rows.entity.js';

/** A line before it is stored. */
export type NewLine = Omit<InvoiceLine, 'id' | 'credits_line_id'> & { credits_line_id?: string | null };

/** Writes the lines of a new invoice without waiting for the database. */
export function sendLines(tx: Tx, { id, project_id }: AccountingInvoice, lines: readonly NewLine[]): InvoiceLine[] {
  const rows = lines.map((line): InvoiceLine => ({ credits_line_id: null, ...line, id: uuidv7() }));
  const column = <K extends keyof InvoiceLine>(name: K) => rows.map((row) => row[name]);
  tx.advanced.pipelined.sql(
    sql`INSERT INTO ${table(InvoiceLineRow)} (id, organization_id, project_id, mode, invoice_id, position, description, quantity,
        unit_amount, per_quantity, discount_percent, tax_id, account_id, amount, net_amount, credits_line_id)
      SELECT l.id, ${own.organization}, ${project_id}, ${own.mode}, ${id}, l.position, l.description, l.quantity, l.unit, l.per, l.discount,
        l.tax, l.account, l.amount, l.net, l.credits
      FROM unnest(${column('id')}::uuid[], ${column('description')}::text[], ${column('quantity')}::numeric[],
        ${column('unit_amount')}::bigint[], ${column('per_quantity')}::numeric[], ${column('discount_percent')}::numeric[],
        ${column('tax_id')}::uuid[], ${column('account_id')}::uuid[], ${column('amount')}::bigint[], ${column('net_amount')}::bigint[],
        ${column('credits_line_id')}::uuid[])
        WITH ORDINALITY AS l (id, description, quantity, unit, per, discount, tax, account, amount, net, credits, position)`,
  );
  return rows;
}

/** Replaces the lines of a draft. */
export function replaceLines(tx: Tx, draft: AccountingInvoice, lines: readonly NewLine[]): InvoiceLine[] {
  tx.advanced.pipelined.sql(sql`DELETE FROM ${table(InvoiceLineRow)} l WHERE ${own('l')} AND l.invoice_id = ${draft.id}`);
  return sendLines(tx, draft, lines);
}
