import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { priceOrder, type PriceInput } from './price-order.js';
import { shareOfUnits, taxShare } from './shares.js';

/**
 * The model: exact fractions over a common denominator, rounded as a person would. It shares no code with what it checks.
 */
type Fraction = readonly [numerator: bigint, denominator: bigint];

const rounded = ([n, d]: Fraction): bigint => (2n * n + d) / (2n * d);
const RATES = ['0', '5.5', '7', '19', '20', '25.5', '8.1'];
const percentUnits = (rate: string) => BigInt(Math.round(Number(rate) * 10_000));
const HUNDRED = 1_000_000n;

/** Gives each its floor, then one more to those that lost most, the first of equals first. */
function modelShares(amount: bigint, weights: bigint[]): bigint[] {
  const total = weights.reduce((a, b) => a + b, 0n);
  if (total === 0n) return weights.map((_, index) => (index === 0 ? amount : 0n));
  const shares = weights.map((weight) => (amount * weight) / total);
  const lost = weights.map((weight, index) => ({ index, lost: amount * weight - shares[index] * total }));
  lost.sort((a, b) => (b.lost > a.lost ? 1 : b.lost < a.lost ? -1 : a.index - b.index));
  let left = amount - shares.reduce((a, b) => a + b, 0n);
  for (const { index } of lost) if (left-- > 0n) shares[index]++;
  return shares;
}

function model({ includesTax, lines, discount, shipping }: PriceInput) {
  const subtotals = lines.map(({ unitAmount, quantity }) => BigInt(unitAmount) * BigInt(quantity));
  const subtotal = subtotals.reduce((a, b) => a + b, 0n);
  let off = 0n;
  if (discount?.kind === 'percentage') off = rounded([subtotal * percentUnits(discount.value as string), HUNDRED]);
  if (discount?.kind === 'fixed_amount') off = BigInt(discount.value as string) < subtotal ? BigInt(discount.value as string) : subtotal;
  const offs = modelShares(off, subtotals);
  const amounts = subtotals.map((amount, index) => amount - offs[index]);
  const rates = lines.map(({ tax }) => tax.rate);
  if (shipping) {
    amounts.push(discount?.kind === 'free_shipping' ? 0n : BigInt(shipping.amount));
    rates.push(shipping.tax.rate);
  }
  const taxes = amounts.map(() => 0n);
  for (const rate of new Set(rates)) {
    const places = [...rates.keys()].filter((index) => rates[index] === rate);
    const sum = places.reduce((all, index) => all + amounts[index], 0n);
    const units = percentUnits(rate);
    const tax = rounded(includesTax ? [sum * units, HUNDRED + units] : [sum * units, HUNDRED]);
    const own = modelShares(
      tax,
      places.map((index) => amounts[index]),
    );
    places.forEach((index, place) => (taxes[index] = own[place]));
  }
  const tax = taxes.reduce((a, b) => a + b, 0n);
  const total = amounts.reduce((a, b) => a + b, 0n) + (includesTax ? 0n : tax);
  return { subtotal, off, offs, taxes, tax, total };
}

const taxOf = (rate: string) => ({ code: `S${rate}`, rate });
const rates = fc.constantFrom(...RATES).map(taxOf);
const discounts = fc.oneof(
  fc.constant(null),
  fc.constantFrom('0.0001', '3', '10', '33.3333', '100').map((value) => ({ kind: 'percentage' as const, value })),
  fc.integer({ min: 1, max: 100_000 }).map((value) => ({ kind: 'fixed_amount' as const, value: String(value) })),
  fc.constant({ kind: 'free_shipping' as const, value: null }),
);
const inputs: fc.Arbitrary<PriceInput> = fc.record({
  includesTax: fc.boolean(),
  lines: fc.array(
    fc.record({ unitAmount: fc.integer({ min: 0, max: 500_000 }), quantity: fc.integer({ min: 1, max: 9999 }), tax: rates }),
    {
      minLength: 1,
      maxLength: 8,
    },
  ),
  discount: discounts,
  shipping: fc.option(fc.record({ amount: fc.integer({ min: 0, max: 5_000 }), tax: rates }), { nil: null }),
});

describe('an order', () => {
  it('is priced as the model prices it, and its parts add up', () => {
    fc.assert(
      fc.property(inputs, (input) => {
        const priced = priceOrder(input);
        const expected = model(input);
        expect([priced.subtotal, priced.discount, priced.tax, priced.total].map(BigInt)).toEqual([
          expected.subtotal,
          expected.off,
          expected.tax,
          expected.total,
        ]);
        expect(priced.lines.map(({ discount }) => BigInt(discount))).toEqual(expected.offs);
        const parts = [...priced.lines, ...(input.shipping ? [priced.shipping] : [])];
        expect(parts.map(({ tax }) => BigInt(tax))).toEqual(expected.taxes);
        const sum = (name: 'total' | 'tax' | 'discount' | 'subtotal') => parts.reduce((all, part) => all + part[name], 0);
        expect([sum('total'), sum('tax'), sum('discount')]).toEqual([priced.total, priced.tax, priced.discount]);
        expect(parts.every(({ tax, discount, subtotal, total }) => tax >= 0 && discount <= subtotal && total >= tax)).toBe(true);
        expect(priced.taxes.reduce((all, one) => all + one.tax_amount, 0)).toBe(priced.tax);
        expect(priced.taxes.reduce((all, one) => all + one.net_amount + one.tax_amount, 0)).toBe(priced.total);
      }),
      { numRuns: 500, seed: 20_261_123 },
    );
  });

  it('with amounts beyond 2^53 is refused', () => {
    const line = { unitAmount: Number.MAX_SAFE_INTEGER, quantity: 2, tax: taxOf('19') };
    expect(() => priceOrder({ includesTax: true, lines: [line], discount: null, shipping: null })).toThrow(RangeError);
    const lines = [1, 2].map(() => ({ ...line, quantity: 1 }));
    expect(() => priceOrder({ includesTax: true, lines, discount: null, shipping: null })).toThrow(RangeError);
    expect(() => priceOrder({ includesTax: false, lines: [lines[0]], discount: null, shipping: null })).toThrow(RangeError);
  });
});

describe('a refund', () => {
  const pieces = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 12 });

  it('of units in any pieces adds up to the line, and so does its tax', () => {
    fc.assert(
      fc.property(fc.nat(1_000_000), fc.integer({ min: 0, max: 100 }), pieces, (total, percent, units) => {
        const tax = Math.floor((total * percent) / 119);
        const quantity = units.reduce((a, b) => a + b, 0);
        let [before, amount, taxed] = [0, 0, 0];
        for (const piece of units) {
          const share = shareOfUnits(total, quantity, before, piece);
          expect(share).toBeGreaterThanOrEqual(0);
          taxed += taxShare({ tax, total }, amount, share);
          amount += share;
          before += piece;
        }
        expect([amount, taxed]).toEqual([total, total === 0 ? 0 : tax]);
      }),
      { numRuns: 300, seed: 20_261_123 },
    );
  });
});
