import { own, plainDecimal, responseOf, sql, table, type Tx } from '../../../kit/index.js';
import { LINES, type AccountingInvoice, type InvoiceLine } from '../model/invoice.entity.js';
import { InvoiceLineRow } from '../model/sql-rows.entity.js';
import type { Seller } from '../model/settings.entity.js';
import type { InvoicePartyDto } from './invoice-parts.dto.js';
import { InvoiceDto } from './invoice.dto.js';

/** `lines` are given for an invoice that was locked or written; otherwise they were read with it. */
export function invoiceView(invoice: AccountingInvoice, lines?: readonly InvoiceLine[]): InvoiceDto {
  const { status, net_amount, tax_amount, gross_amount, settled_amount, source_type, source_id } = invoice;
  const isOpen = status !== 'draft' && status !== 'void';
  return {
    ...responseOf(InvoiceDto, invoice),
    overdue: invoice.overdue ?? (invoice.overdue_at !== null && (status === 'issued' || status === 'partially_paid')),
    customer_name: invoice.customer_snapshot.name ?? null,
    customer_snapshot: partyView(invoice.customer_snapshot),
    seller_snapshot: invoice.seller_snapshot && partyView(invoice.seller_snapshot),
    exchange_rate: plainDecimal(invoice.exchange_rate),
    lines: [...(lines ?? invoice.lines ?? [])],
    totals: { net_amount, tax_amount, gross_amount, settled_amount, balance_amount: isOpen ? gross_amount - settled_amount : 0 },
    source: source_type !== null && source_id !== null ? { type: source_type, id: source_id } : null,
  };
}

/** The lines of an invoice that was read through the store. */
export async function readLines(tx: Tx, { id }: AccountingInvoice): Promise<InvoiceLine[]> {
  const [{ lines }] = await tx.sql<{ lines: InvoiceLine[] | null }>(
    sql`SELECT ${LINES} AS lines FROM ${table(InvoiceLineRow)} l WHERE ${own('l')} AND l.invoice_id = ${id}`,
  );
  return lines ?? [];
}

function partyView({ name, email, tax_id_number, address }: Seller): InvoicePartyDto {
  return { name: name ?? null, email: email ?? null, tax_id_number: tax_id_number ?? null, address: address ?? null };
}
