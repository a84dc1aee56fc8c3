import { multiply, plainDecimal, type Decimal } from '../../../kit/index.js';
import { accountWith, requireRate, type ProjectBooks } from '../config/accounting-config.service.js';
import { groupsOf, sumsOf } from '../invoices/invoice-amounts.js';
import type { DraftContent } from '../invoices/invoice-drafts.service.js';
import { invalid } from '../model/accounting.errors.js';
import type { InvoicedPart } from '../model/order-posting.entity.js';
import type { TaxRate } from '../model/tax.entity.js';
import type { OpenInvoice } from '../settlement/settlements.service.js';
import type { SoldLine, SoldOrder } from './sold-order.js';

/** The part of an invoice line that is credited. */
export interface CreditedPart {
  credits_line_id: string;
  net_amount: number;
  tax_amount: number;
  total_amount: number;
}

/** A line whose amounts are copied. */
type TakenLine = Pick<SoldLine, 'description' | 'quantity' | 'net_amount' | 'tax_amount' | 'total_amount'> & {
  tax: TaxRate;
  account_id: string;
  credits_line_id?: string;
};

/** The content of an invoice with the amounts of an order, which are copied and never recalculated. */
export function invoiceContent(books: ProjectBooks, order: SoldOrder, rate: Decimal | undefined): DraftContent {
  const { currency, prices_include_tax } = order;
  const account_id = accountWith(books, 'revenue').id;
  const lines = order.invoice_lines.map((line, index) => ({ ...line, tax: taxWith(books, line, index), account_id }));
  return contentOf({ currency, prices_include_tax, exchange_rate: requireRate(books, currency, rate) }, lines);
}

/** The content of a credit note with the amounts of a refund. The rate, taxes and accounts are those of the invoice. */
export function creditContent({ taxes }: ProjectBooks, { invoice, lines }: OpenInvoice, parts: readonly CreditedPart[]): DraftContent {
  const credited = parts.map((part) => {
    const line = lines.find(({ id }) => id === part.credits_line_id);
    const tax = line && taxes.get(line.tax_id);
    if (!tax) throw new Error(`The invoice has no line ${part.credits_line_id}.`);
    return { ...part, quantity: 1, description: line.description, account_id: line.account_id, tax };
  });
  return contentOf(invoice, credited);
}

function contentOf(
  { currency, exchange_rate, prices_include_tax }: Pick<DraftContent, 'currency' | 'exchange_rate' | 'prices_include_tax'>,
  taken: readonly TakenLine[],
): DraftContent {
  const taxes = groupsOf(taken).map(({ tax, members }) => {
    const { id: tax_id, code, category, exemption_reason } = tax;
    const sum = (name: 'net_amount' | 'tax_amount') => members.reduce((all, index) => all + taken[index][name], 0);
    const rate = plainDecimal(tax.rate);
    return { tax_id, code, category, rate, exemption_reason, net_amount: sum('net_amount'), tax_amount: sum('tax_amount') };
  });
  return {
    ...{ currency, exchange_rate, prices_include_tax, taxes, ...sumsOf(taxes) },
    lines: taken.map(({ tax, description, quantity, account_id, credits_line_id = null, ...line }) => {
      const amount = prices_include_tax ? line.total_amount : line.net_amount;
      return {
        ...{ description, discount_percent: '0', tax_id: tax.id, account_id, amount, net_amount: line.net_amount },
        ...priceOf(amount, quantity),
        credits_line_id,
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
export function creditLines(order: SoldOrder, parts: readonly InvoicedPart[]): { lines: CreditedPart[]; parts: InvoicedPart[] } {
  const lines: CreditedPart[] = [];
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
      lines.push({ total_amount, tax_amount, net_amount: total_amount - tax_amount, credits_line_id: part.invoice_line_id });
    }
    return { ...part, credited_amount };
  });
  return { lines, parts: after };
}

/** The taxes of all credit notes add up to that of the invoice. */
function taxUpTo({ tax_amount, total_amount }: InvoicedPart, credited: number): number {
  return total_amount === 0 ? 0 : multiply(tax_amount, String(credited), String(total_amount));
}
