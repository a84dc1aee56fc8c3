import { includedPercent, multiply, percentOf, shareOut, sumOf, type Decimal } from '../../../kit/index.js';
import type { DiscountKind, TaxLine } from '../model/values.js';

/** A tax as prices need it; the rate is percent. */
export interface Rate {
  code: string;
  rate: Decimal;
}

/** The input for pricing an order. Amounts are in minor units of one currency. */
export interface PriceInput {
  /** Whether unit amounts and the price of shipping contain the tax. */
  includesTax: boolean;
  lines: readonly { unitAmount: number; quantity: number; tax: Rate }[];
  discount: { kind: DiscountKind; value: Decimal | null } | null;
  shipping: { amount: number; tax: Rate } | null;
}

/** A line, or shipping. `total` contains the tax. */
interface PricedPart {
  subtotal: number;
  discount: number;
  tax: number;
  total: number;
}

export interface Pricing {
  lines: PricedPart[];
  shipping: PricedPart;
  subtotal: number;
  discount: number;
  tax: number;
  total: number;
  taxes: TaxLine[];
}

const NOTHING: PricedPart = { subtotal: 0, discount: 0, tax: 0, total: 0 };

/**
 * Prices an order with integer arithmetic. A discount is divided among the lines in proportion to their subtotals. The tax of each code
 * and rate is computed from the sum of its lines, rounded once, and divided among them, so that lines and shipping always add up to the
 * totals and no fraction of a minor unit is stored. Throws `AmountTooLarge`.
 */
export function priceOrder({ includesTax, lines, discount, shipping }: PriceInput): Pricing {
  const subtotals = lines.map(({ unitAmount, quantity }) => multiply(unitAmount, String(quantity)));
  const subtotal = sumOf(subtotals);
  const discountAmount = discountOf(discount, subtotal);
  const discounts = shareOut(discountAmount, subtotals);
  const parts = lines.map((line, index) => ({ tax: line.tax, amount: subtotals[index] - discounts[index] }));
  const shippingAmount = shipping === null || discount?.kind === 'free_shipping' ? 0 : shipping.amount;
  if (shipping) parts.push({ tax: shipping.tax, amount: shippingAmount });

  const taxes = new Array<number>(parts.length).fill(0);
  const taxLines = [...Map.groupBy(parts.keys(), (index) => `${parts[index].tax.rate} ${parts[index].tax.code}`).values()].map(
    (indexes): TaxLine => {
      const { code, rate } = parts[indexes[0]].tax;
      const amounts = indexes.map((index) => parts[index].amount);
      const sum = sumOf(amounts);
      const tax = includesTax ? includedPercent(sum, rate) : percentOf(sum, rate);
      for (const [place, share] of shareOut(tax, amounts).entries()) taxes[indexes[place]] = share;
      return { code, rate, net_amount: includesTax ? sum - tax : sum, tax_amount: tax };
    },
  );
  const totalOf = (index: number) => sumOf([parts[index].amount, includesTax ? 0 : taxes[index]]);
  const tax = sumOf(taxes);
  return {
    lines: lines.map((_, index) => ({
      subtotal: subtotals[index],
      discount: discounts[index],
      tax: taxes[index],
      total: totalOf(index),
    })),
    shipping: shipping ? { subtotal: shippingAmount, discount: 0, tax: taxes[lines.length], total: totalOf(lines.length) } : { ...NOTHING },
    subtotal,
    discount: discountAmount,
    tax,
    total: sumOf([subtotal, -discountAmount, shippingAmount, includesTax ? 0 : tax]),
    taxes: taxLines.sort((a, b) => (a.code < b.code ? -1 : a.code > b.code ? 1 : 0)),
  };
}

function discountOf(discount: PriceInput['discount'], subtotal: number): number {
  if (discount === null || discount.value === null || discount.kind === 'free_shipping') return 0;
  if (discount.kind === 'percentage') return percentOf(subtotal, discount.value);
  return Math.min(multiply(1, discount.value), subtotal);
}
