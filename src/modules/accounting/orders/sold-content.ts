import { multiply, plainDecimal } from '../../../kit/index.js';
import { accountWith, requireRate, type ProjectBooks } from '../config/accounting-config.service.js';
import { groupsOf, sumsOf } from '../invoices/invoice-amounts.js';
import type { DraftContent } from '../invoices/invoice-drafts.service.js';
import { invalid } from '../model/accounting.errors.js';
import type { InvoicedPart } from '../model/order-posting.entity.js';
import type { TaxRate } from '../model/tax.entity.js';
import type { SoldLine, SoldOrder } from './sold-order.js';

/** A line whose amounts are copied, and the line that it credits. */
export type TakenLine = SoldLine & { credits_line_id?: string };

/** The content of an invoice or credit note with the amounts of an order; none is computed again. */
export function contentOf(
  books: ProjectBooks,
  { currency, prices_include_tax }: Pick<SoldOrder, 'currency' | 'prices_include_tax'>,
  taken: readonly TakenLine[],
): DraftContent {
  const taxed = taken.map((line, index) => ({ line, tax: taxWith(books, line, index) }));
  const taxes = groupsOf(taxed).map(({ tax, members }) => {
    const { id: tax_id, code, category, exemption_reason } = tax;
    const sum = (name: 'net_amount' | 'tax_amount') => members.reduce((all, index) => all + taken[index][name], 0);
    const rate = plainDecimal(tax.rate);
    return { tax_id, code, category, rate, exemption_reason, net_amount: sum('net_amount'), tax_amount: sum('tax_amount') };
  });
  const account_id = accountWith(books, 'revenue').id;
  return {
    ...{ currency, exchange_rate: requireRate(books, currency, null), prices_include_tax, taxes, ...sumsOf(taxes) },
    lines: taxed.map(({ line, tax }) => {
      const amount = prices_include_tax ? line.total_amount : line.net_amount;
      return {
        ...{ description: line.description, discount_percent: '0', tax_id: tax.id, account_id, amount, net_amount: line.net_amount },
        ...priceOf(amount, line.quantity),
        credits_line_id: line.credits_line_id ?? null,
      };
    }),
  };
}

/** The price of one unit if the amount is a multiple of it, otherwise that of all units. */
function priceOf(amount: number, quantity: number) {
  const isMultiple = amount % quantity === 0;
  return {
    quantity: String(quantity),
    unit_amount: isMultiple ? amount / quantity : amount,
    per_quantity: isMultiple ? '1' : String(quantity),
  };
}

/** The tax of the books with the code, which must have the rate that the order was placed with. */
function taxWith({ taxes }: ProjectBooks, { tax_code, tax_rate }: SoldLine, index: number): TaxRate {
  const tax = [...taxes.values()].find(({ code, active }) => code === tax_code && active);
  const param = `invoice_lines.${index}.tax_code`;
  if (!tax) throw invalid(param, `must be the code of an active tax of the accounting: add ${tax_code} with ${tax_rate} percent`);
  if (plainDecimal(tax.rate) !== plainDecimal(tax_rate))
    throw invalid(param, `has ${plainDecimal(tax.rate)} percent in the accounting, but the order was placed with ${tax_rate}`);
  return tax;
}

/** The refunds that are not credited yet. Refunds of parts cancelled before the invoice need no credit note. */
export function creditLines(order: SoldOrder, parts: readonly InvoicedPart[]): { lines: TakenLine[]; parts: InvoicedPart[] } {
  const lines: TakenLine[] = [];
  const after = parts.map((part) => {
    const refunded = order.refunds
      .filter(({ status }) => status === 'succeeded')
      .flatMap((refund) => refund.parts)
      .filter(({ line_id }) => line_id === part.order_line_id)
      .reduce((sum, { total_amount }) => sum + total_amount, 0);
    const credited_amount = Math.min(part.total_amount, Math.max(part.credited_amount, refunded - part.cancelled_amount));
    const total_amount = credited_amount - part.credited_amount;
    if (total_amount > 0) {
      const tax_amount = taxUpTo(part, credited_amount) - taxUpTo(part, part.credited_amount);
      const amounts = { total_amount, tax_amount, net_amount: total_amount - tax_amount };
      lines.push({ ...soldPart(order, part.order_line_id), quantity: 1, ...amounts, credits_line_id: part.invoice_line_id });
    }
    return { ...part, credited_amount };
  });
  return { lines, parts: after };
}

/** The taxes of all credit notes add up to that of the invoice. */
function taxUpTo({ tax_amount, total_amount }: InvoicedPart, credited: number): number {
  return total_amount === 0 ? 0 : multiply(tax_amount, String(credited), String(total_amount));
}

/** The description of an order part, without amounts. Cancelled parts are no longer among the lines to invoice. */
function soldPart(
  { lines, shipping }: SoldOrder,
  id: string | null,
): Omit<SoldLine, 'quantity' | 'net_amount' | 'tax_amount' | 'total_amount'> {
  if (id === null)
    return { line_id: id, description: shipping?.name ?? '', tax_code: shipping?.tax_code ?? '', tax_rate: shipping?.tax_rate ?? '' };
  const line = lines.find((one) => one.id === id);
  return {
    line_id: id,
    description: [line?.title, ...(line?.option_values ?? [])].join(', '),
    tax_code: line?.tax_code ?? '',
    tax_rate: line?.tax_rate ?? '',
  };
}
