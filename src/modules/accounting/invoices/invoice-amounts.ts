import {
  amountOf,
  AmountTooLarge,
  divide,
  includedPercent,
  percentOf,
  shareOut,
  sumOf,
  unitsOf,
  type Decimal,
} from '../../../kit/index.js';
import { invalid } from '../model/accounting.errors.js';
import type { TaxTotal } from '../model/invoice.entity.js';
import type { TaxRate } from '../model/tax.entity.js';
import { reasonOf } from './tax-rules.js';

/** The fields that determine the amount of a line. */
export interface PricedLine {
  quantity: Decimal;
  unit_amount: number;
  per_quantity: Decimal;
  discount_percent: Decimal;
  tax: Pick<TaxRate, 'id' | 'code' | 'category' | 'rate' | 'exemption_reason'>;
}

/** The amounts of a line: `amount` includes tax if the prices do. */
interface LineAmounts {
  amount: number;
  net_amount: number;
}

export interface InvoiceAmounts {
  lines: LineAmounts[];
  taxes: TaxTotal[];
  net_amount: number;
  tax_amount: number;
  gross_amount: number;
}

const QUANTITY_PLACES = 6;
const PERCENT_PLACES = 2;
const HUNDRED_PERCENT = 10_000n;

/** Price times quantity less the discount, rounded once. */
export function lineAmount({ quantity, unit_amount, per_quantity, discount_percent }: Omit<PricedLine, 'tax'>): number {
  const rest = HUNDRED_PERCENT - unitsOf(discount_percent, PERCENT_PLACES);
  const dividend = BigInt(unit_amount) * unitsOf(quantity, QUANTITY_PLACES) * rest;
  return amountOf(divide(dividend, unitsOf(per_quantity, QUANTITY_PLACES) * HUNDRED_PERCENT));
}

/**
 * Totals as EN 16931 requires: the net total is the sum of the net lines (BR-CO-10), and the tax of each category and rate is computed
 * from the sum of its lines, never as a sum of line taxes (BR-CO-17). If prices include tax, the gross amount is kept, the tax is
 * extracted from the sum of each rate, and the net amount is divided among the lines.
 */
export function amountsOf(lines: readonly PricedLine[], pricesIncludeTax: boolean): InvoiceAmounts {
  const amounts = lines.map((line, index) => within(`lines.${index}.unit_amount`, () => lineAmount(line)));
  return within('lines', () => totalsOf(lines, amounts, pricesIncludeTax));
}

/** The totals of lines whose amounts are known, such as those of an order. */
function totalsOf(lines: readonly Pick<PricedLine, 'tax'>[], amounts: readonly number[], pricesIncludeTax: boolean): InvoiceAmounts {
  const nets = [...amounts];
  const taxes = groupsOf(lines).map(({ tax, members }) => {
    const sum = sumOf(members.map((index) => amounts[index]));
    const tax_amount = pricesIncludeTax ? includedPercent(sum, tax.rate) : percentOf(sum, tax.rate);
    const net_amount = pricesIncludeTax ? sum - tax_amount : sum;
    if (pricesIncludeTax) {
      const weights = members.map((index) => amounts[index]);
      for (const [place, share] of shareOut(net_amount, weights).entries()) nets[members[place]] = share;
    }
    const exemption_reason = reasonOf(members.map((index) => lines[index].tax));
    return { tax_id: tax.id, code: tax.code, category: tax.category, rate: tax.rate, exemption_reason, net_amount, tax_amount };
  });
  return { lines: amounts.map((amount, index) => ({ amount, net_amount: nets[index] })), taxes, ...sumsOf(taxes) };
}

export function sumsOf(taxes: readonly TaxTotal[]): Pick<InvoiceAmounts, 'net_amount' | 'tax_amount' | 'gross_amount'> {
  const net_amount = sumOf(taxes.map((tax) => tax.net_amount));
  const tax_amount = sumOf(taxes.map((tax) => tax.tax_amount));
  return { net_amount, tax_amount, gross_amount: sumOf([net_amount, tax_amount]) };
}

/** Lines by category and rate, in the order of their first lines; `members` are indexes. */
export function groupsOf<T extends Pick<TaxRate, 'category' | 'rate'>>(lines: readonly { tax: T }[]): { tax: T; members: number[] }[] {
  const groups = new Map<string, { tax: T; members: number[] }>();
  for (const [index, { tax }] of lines.entries()) {
    const group = groups.get(taxKey(tax));
    if (group) group.members.push(index);
    else groups.set(taxKey(tax), { tax, members: [index] });
  }
  return [...groups.values()];
}

/** A key that is equal for taxes that an invoice shows as one. */
export function taxKey({ category, rate }: Pick<TaxRate, 'category' | 'rate'>): string {
  return `${category} ${Number(rate)}`;
}

function within<R>(param: string, compute: () => R): R {
  try {
    return compute();
  } catch (error) {
    if (error instanceof AmountTooLarge) throw invalid(param, 'makes an amount exceed 9007199254740991 minor units');
    throw error;
  }
}
