import { decimalOfUnits, includedPercent, percentOf, shareOut, sumOf, unitsOf, type Decimal } from '../../../kit/index.js';
import type { ProjectBooks } from '../config/accounting-config.service.js';
import type { NewLine } from '../invoices/invoice-rows.js';
import { groupsOf, lineAmount, sumsOf, taxKey } from '../invoices/invoice-amounts.js';
import type { DraftContent } from '../invoices/invoice-drafts.service.js';
import { AccountingErrors, invalid } from '../model/accounting.errors.js';
import type { AccountingInvoice, InvoiceLine, TaxTotal } from '../model/invoice.entity.js';

const PLACES = 6;

/** The amounts that earlier credit notes have credited: by line, and by category and rate. */
export interface Credited {
  lines: ReadonlyMap<string, { quantity: Decimal; amount: number; net_amount: number }>;
  taxes: ReadonlyMap<string, Pick<TaxTotal, 'net_amount' | 'tax_amount'>>;
}

/** A line to credit, with its path in the request. */
interface Crediting {
  line: InvoiceLine;
  quantity: Decimal;
  /** Whether this credits the rest of the line. */
  isRest: boolean;
  amount: number;
}

/**
 * The content of a credit note. Its amounts follow from the prices of the invoice; once all lines of a rate are credited, the rate's net
 * amount and tax are what is left of the invoice, so that all credit notes add up to it.
 */
export function creditNoteContent(
  books: ProjectBooks,
  invoice: AccountingInvoice,
  lines: readonly InvoiceLine[],
  credited: Credited,
  asked: readonly { line_id: string; quantity: Decimal }[] | undefined,
): DraftContent {
  const crediting = asked ? askedLines(lines, credited, asked) : restLines(lines, credited);
  if (crediting.length === 0) throw AccountingErrors.alreadyCredited();
  const taxed = crediting.map((one) => ({ ...one, tax: taxOf(invoice, one.line, books) }));
  const nets = crediting.map(({ amount }) => amount);
  const taxes = groupsOf(taxed).map(({ tax, members }) => {
    const amounts = members.map((index) => crediting[index].amount);
    const isRest = lines.every((line) => taxKey(taxOf(invoice, line, books)) !== taxKey(tax) || isCredited(line, credited, crediting));
    const totals = groupTotals(tax, credited.taxes.get(taxKey(tax)), sumOf(amounts), isRest, invoice.prices_include_tax);
    for (const [place, share] of shareOut(totals.net_amount, amounts).entries()) nets[members[place]] = share;
    return { ...tax, ...totals };
  });
  const { currency, exchange_rate, prices_include_tax } = invoice;
  return {
    currency,
    exchange_rate,
    prices_include_tax,
    taxes,
    ...sumsOf(taxes),
    lines: crediting.map(({ line, quantity, amount }, index): NewLine => ({
      ...line,
      quantity,
      amount,
      net_amount: nets[index],
      credits_line_id: line.id,
    })),
  };
}

function groupTotals(
  tax: TaxTotal,
  before: Pick<TaxTotal, 'net_amount' | 'tax_amount'> = { net_amount: 0, tax_amount: 0 },
  sum: number,
  isRest: boolean,
  pricesIncludeTax: boolean,
): Pick<TaxTotal, 'net_amount' | 'tax_amount'> {
  const left = { net_amount: tax.net_amount - before.net_amount, tax_amount: tax.tax_amount - before.tax_amount };
  if (isRest) return left;
  const tax_amount = Math.min(left.tax_amount, pricesIncludeTax ? includedPercent(sum, tax.rate) : percentOf(sum, tax.rate));
  return { tax_amount, net_amount: Math.min(left.net_amount, pricesIncludeTax ? sum - tax_amount : sum) };
}

function restLines(lines: readonly InvoiceLine[], credited: Credited): Crediting[] {
  return lines.flatMap((line) => {
    const left = leftOf(line, credited);
    return left > 0n ? [credit(line, credited, left)] : [];
  });
}

function askedLines(
  lines: readonly InvoiceLine[],
  credited: Credited,
  asked: readonly { line_id: string; quantity: Decimal }[],
): Crediting[] {
  const seen = new Set<string>();
  return asked.map(({ line_id, quantity }, index) => {
    const line = lines.find(({ id }) => id === line_id);
    if (!line) throw invalid(`lines.${index}.line_id`, 'must be a line of the invoice');
    if (seen.has(line_id)) throw invalid(`lines.${index}.line_id`, 'must not repeat a line');
    seen.add(line_id);
    const left = leftOf(line, credited);
    if (left === 0n && asked.length === 1) throw AccountingErrors.alreadyCredited({ message: 'The line was credited completely.' });
    if (unitsOf(quantity, PLACES) > left)
      throw invalid(`lines.${index}.quantity`, `must not exceed what was not credited yet, ${decimalOfUnits(left, PLACES)}`);
    return credit(line, credited, unitsOf(quantity, PLACES));
  });
}

function credit(line: InvoiceLine, credited: Credited, units: bigint): Crediting {
  const quantity = decimalOfUnits(units, PLACES);
  const before = credited.lines.get(line.id)?.amount ?? 0;
  const isRest = units === leftOf(line, credited);
  const amount = isRest ? line.amount - before : Math.min(line.amount - before, lineAmount({ ...line, quantity }));
  return { line, quantity, isRest, amount };
}

function leftOf(line: InvoiceLine, { lines }: Credited): bigint {
  return unitsOf(line.quantity, PLACES) - unitsOf(lines.get(line.id)?.quantity ?? '0', PLACES);
}

function isCredited(line: InvoiceLine, credited: Credited, crediting: readonly Crediting[]): boolean {
  return leftOf(line, credited) === 0n || crediting.some((one) => one.isRest && one.line.id === line.id);
}

/** The total of the invoice that a line is part of. */
function taxOf({ taxes }: AccountingInvoice, { tax_id }: InvoiceLine, books: ProjectBooks): TaxTotal {
  const tax = books.taxes.get(tax_id);
  const found = tax && taxes.find((total) => taxKey(total) === taxKey(tax));
  if (found) return found;
  throw new Error(`The invoice has no total of the tax ${tax_id}.`);
}
