import { multiply, plainDecimal, shareOut, sumOf, type Decimal } from '../../../kit/index.js';
import { accountWith, requireRate, type ProjectBooks } from '../config/accounting-config.service.js';
import { groupsOf, sumsOf, taxKey } from '../invoices/invoice-amounts.js';
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
    currency,
    exchange_rate,
    prices_include_tax,
    taxes,
    ...sumsOf(taxes),
    lines: taken.map(({ tax, description, quantity, account_id, credits_line_id = null, ...line }) => {
      const amount = prices_include_tax ? line.total_amount : line.net_amount;
      return {
        description,
        discount_percent: '0',
        tax_id: tax.id,
        account_id,
        amount,
        net_amount: line.net_amount,
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

/** What a line of an invoice has been credited, with tax. */
export interface CreditedByHand {
  total_amount: number;
  tax_amount: number;
}

/** What credits an order. */
export interface CreditedOrder {
  /** To be credited: they leave out what has been credited by hand. */
  lines: CreditedPart[];
  parts: InvoicedPart[];
  /** What the order has ceased to charge. */
  released_amount: number;
  /** What has been credited by hand although the order charges it. */
  beyond_amount: number;
}

/**
 * What the invoice still charges beyond the order, by part.
 *
 * The shop divides a refund of an amount among all parts, because it does not know what the refund is for. So credit notes made by hand
 * that have credited more of other parts than the order has released cover it; they cover no refund of units, which names its parts.
 * `rates` groups the lines of the invoice by tax: no credit note exceeds what is left of a group.
 */
export function creditLines(
  order: SoldOrder,
  parts: readonly InvoicedPart[],
  byHand: ReadonlyMap<string, CreditedByHand>,
  rates: ReadonlyMap<string, string>,
): CreditedOrder {
  const states = parts.map((part) => stateOf(order, part, byHand.get(part.invoice_line_id)));
  const covered = coveredOf(states);
  const notes = states.map(({ missing }, index) => ({ total_amount: missing - covered[index], tax_amount: 0 }));
  for (const members of Map.groupBy(states.keys(), (index) => rates.get(parts[index].invoice_line_id)).values())
    limitToRest(
      members.map((index) => states[index]),
      members.map((index) => notes[index]),
    );
  const after = states.map(({ part, credited, noted, notedTax, reduced }, index) => ({
    ...part,
    credited_amount: credited,
    noted_amount: noted + notes[index].total_amount,
    noted_tax_amount: notedTax + notes[index].tax_amount,
    reduced_amount: reduced,
    covered_amount: covered[index],
  }));
  const lines = notes.flatMap(({ total_amount, tax_amount }, index) =>
    total_amount === 0
      ? []
      : [{ total_amount, tax_amount, net_amount: total_amount - tax_amount, credits_line_id: parts[index].invoice_line_id }],
  );
  return {
    lines,
    parts: after,
    released_amount: sumOf(after.map(({ credited_amount }, index) => credited_amount - parts[index].credited_amount)),
    beyond_amount: sumOf(states.map(({ spare }) => spare)) - sumOf(covered),
  };
}

type CreditState = ReturnType<typeof stateOf>;

function stateOf(order: SoldOrder, part: InvoicedPart, hand: CreditedByHand = { total_amount: 0, tax_amount: 0 }) {
  const { credited_amount: before, noted_amount: noted = before, noted_tax_amount: notedTax = taxUpTo(part, noted) } = part;
  const credited = Math.min(part.total_amount, Math.max(before, part.total_amount - chargedOf(order, part)));
  const done = noted + hand.total_amount;
  return {
    part,
    credited,
    noted,
    notedTax,
    done,
    doneTax: notedTax + hand.tax_amount,
    missing: Math.max(0, credited - done),
    spare: Math.max(0, done - credited),
    reduced: reducedOf(order, part),
  };
}

/** What of each part credit notes of other parts cover: what they have covered before, as far as they still do, then new reductions. */
function coveredOf(states: readonly CreditState[]): number[] {
  const spare = sumOf(states.map((state) => state.spare));
  const before = states.map(({ part, missing }) => Math.min(part.covered_amount ?? 0, missing));
  const kept = shareOut(Math.min(spare, sumOf(before)), before);
  const reductions = states.map(({ part, missing, reduced }, index) =>
    Math.min(missing - kept[index], Math.max(0, reduced - (part.reduced_amount ?? 0))),
  );
  const added = shareOut(Math.min(spare - sumOf(kept), sumOf(reductions)), reductions);
  return kept.map((amount, index) => amount + added[index]);
}

/** Sets the taxes of what is credited of the lines of one tax, and limits net amount and tax to what is left of the invoice. */
function limitToRest(states: readonly CreditState[], notes: { total_amount: number; tax_amount: number }[]): void {
  const left = {
    total: sumOf(states.map(({ part, done }) => part.total_amount - done)),
    tax: sumOf(states.map(({ part, doneTax }) => part.tax_amount - doneTax)),
  };
  const totals = notes.map(({ total_amount }) => total_amount);
  const total = Math.max(0, Math.min(left.total, sumOf(totals)));
  const limited = total === sumOf(totals) ? totals : shareOut(total, totals);
  const taxes = states.map(({ part, done, doneTax }, index) =>
    Math.min(limited[index], Math.max(0, taxUpTo(part, done + limited[index]) - doneTax)),
  );
  const tax = Math.max(0, total - (left.total - left.tax), Math.min(left.tax, sumOf(taxes)));
  const divided = tax === sumOf(taxes) ? taxes : shareOut(tax, limited);
  for (const [index, note] of notes.entries())
    Object.assign(note, { total_amount: limited[index], tax_amount: limited[index] && divided[index] });
}

/** The taxes of the lines of an invoice, as it sums them up. */
export function ratesOf({ taxes }: ProjectBooks, lines: OpenInvoice['lines']): Map<string, string> {
  return new Map(
    lines.map(({ id, tax_id }) => {
      const tax = taxes.get(tax_id);
      return [id, tax ? taxKey(tax) : tax_id];
    }),
  );
}

/** What credit notes have credited of each line of their invoice; the tax of a rate is divided among its lines. */
export function creditedByHand({ taxes }: ProjectBooks, notes: readonly OpenInvoice[]): Map<string, CreditedByHand> {
  const credited = new Map<string, CreditedByHand>();
  for (const { invoice: note, lines } of notes) {
    const taxed = lines.flatMap((line) => {
      const tax = taxes.get(line.tax_id);
      return tax ? [{ ...line, tax }] : [];
    });
    for (const { tax, members } of groupsOf(taxed)) {
      const sum = note.taxes.find((one) => taxKey(one) === taxKey(tax))?.tax_amount ?? 0;
      const shares = shareOut(
        sum,
        members.map((index) => taxed[index].net_amount),
      );
      for (const [place, index] of members.entries()) {
        const { credits_line_id, net_amount } = taxed[index];
        if (credits_line_id === null) continue;
        const { total_amount, tax_amount } = credited.get(credits_line_id) ?? { total_amount: 0, tax_amount: 0 };
        const share = shares[place];
        credited.set(credits_line_id, { total_amount: total_amount + net_amount + share, tax_amount: tax_amount + share });
      }
    }
  }
  return credited;
}

/** What the invoice less its credit notes must come to for a part; by the refunds in postings that earlier versions have stored. */
function chargedOf({ charged, refunds }: SoldOrder, { order_line_id, total_amount, cancelled_amount }: InvoicedPart): number {
  if (charged) return charged.find(({ line_id }) => line_id === order_line_id)?.total_amount ?? 0;
  const refunded = refunds
    .filter(({ status }) => status === 'succeeded')
    .flatMap((refund) => refund.parts)
    .filter(({ line_id }) => line_id === order_line_id)
    .reduce((sum, part) => sum + part.total_amount, 0);
  return total_amount - Math.max(0, refunded - cancelled_amount);
}

/** By how much refunds of an amount have lowered the price of a part. */
function reducedOf({ refunds }: SoldOrder, { order_line_id }: InvoicedPart): number {
  const parts = refunds.filter(({ status }) => status === 'succeeded').flatMap((refund) => refund.parts);
  return sumOf(parts.map(({ line_id, reduction_amount = 0 }) => (line_id === order_line_id ? reduction_amount : 0)));
}

/** The taxes of all credit notes add up to that of the invoice. */
function taxUpTo({ tax_amount, total_amount }: InvoicedPart, credited: number): number {
  return total_amount === 0 ? 0 : multiply(tax_amount, String(Math.min(credited, total_amount)), String(total_amount));
}
