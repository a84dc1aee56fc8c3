import { own, sql, table, type Tx } from '../../../kit/index.js';
import { AccountingInvoice } from '../model/invoice.entity.js';
import { OrderPosting } from '../model/order-posting.entity.js';

/** What a text may name an order by: its words, without the punctuation around them. */
function wordsOf(...texts: readonly (string | null)[]): string[] {
  const words = texts.flatMap((text) => text?.match(/[\p{L}\p{N}](?:[^\s,;:#()"']*[\p{L}\p{N}])?/gu) ?? []);
  return [...new Set(words.map((word) => word.toLowerCase()))];
}

type OrderReferences = Pick<AccountingInvoice, 'customer_id' | 'memo' | 'external_id'>;

/** The notice for an invoice whose memo or external_id names an order that another invoice of the customer charges already. */
export async function secondInvoiceNotice(tx: Tx, { customer_id, memo, external_id }: OrderReferences): Promise<{ notice?: string }> {
  const words = wordsOf(memo, external_id);
  if (words.length === 0) return {};
  const [found] = await tx.sql<Record<'id' | 'number' | 'order_number', string>>(
    sql`SELECT i.id, i.number, p.order_number FROM ${table(AccountingInvoice)} i JOIN ${table(OrderPosting)} p ON p.invoice_id = i.id
      WHERE ${own('i')} AND ${own('p')} AND i.customer_id = ${customer_id} AND i.type = 'invoice' AND i.source_type = 'order'
        AND i.status <> 'void' AND (lower(p.order_number) = ANY(${words}) OR p.order_id::text = ANY(${words}))
      ORDER BY i.created_at LIMIT 1`,
  );
  if (!found) return {};
  const { id, number, order_number } = found;
  return { notice: `Order ${order_number} has the invoice ${number} (${id}) already: this one charges it a second time.` };
}
