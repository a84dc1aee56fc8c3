import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { amountsOf, type PricedLine } from './invoice-amounts.js';
import { isNumberPattern, numberOf } from '../model/number-pattern.js';

const taxOf = (rate: string): PricedLine['tax'] => ({
  id: rate,
  code: rate,
  category: rate === '0' ? 'Z' : 'S',
  rate,
  exemption_reason: null,
});
const line = (unit_amount: number, rate: string, more: Partial<PricedLine> = {}): PricedLine => ({
  quantity: '1',
  unit_amount,
  per_quantity: '1',
  discount_percent: '0',
  tax: taxOf(rate),
  ...more,
});

describe('the amounts of an invoice', () => {
  test('tax is computed per rate on the sum of its lines, not per line', () => {
    // 0.0945 of tax per line: 9 times 9 cents would be 81, and the tax on 4.50 is 86 cents (85.5, half up)
    const nine = amountsOf(
      Array.from({ length: 9 }, () => line(50, '19')),
      false,
    );
    expect(nine).toMatchObject({ net_amount: 450, tax_amount: 86, gross_amount: 536, taxes: [{ net_amount: 450, tax_amount: 86 }] });
  });

  test('prices that include tax keep the gross amount', () => {
    const { lines, ...totals } = amountsOf([line(999, '19'), line(1, '19'), line(500, '7')], true);
    expect(totals).toMatchObject({ gross_amount: 1_500, tax_amount: 160 + 33, net_amount: 1_500 - 193 });
    expect(lines).toEqual([
      { amount: 999, net_amount: 839 },
      { amount: 1, net_amount: 1 },
      { amount: 500, net_amount: 467 },
    ]);
  });

  test('quantity, price unit and discount are rounded once', () => {
    const [{ amount }] = amountsOf([line(999, '0', { quantity: '2.5', per_quantity: '3', discount_percent: '33.33' })], false).lines;
    expect(amount).toBe(Math.round((999 * 2.5 * 0.6667) / 3));
    expect(() => amountsOf([line(Number.MAX_SAFE_INTEGER, '0', { quantity: '2' })], false)).toThrow('lines.0.unit_amount');
  });

  test('sums hold for any lines (BR-CO-10, BR-CO-17)', () => {
    const decimal = (most: number, places: number) =>
      fc.integer({ min: 1, max: most * 10 ** places }).map((units) => (units / 10 ** places).toFixed(places));
    const priced = fc.record({
      quantity: decimal(1_000, 3),
      unit_amount: fc.integer({ min: 0, max: 1_000_000 }),
      per_quantity: fc.constantFrom('1', '3', '100'),
      discount_percent: fc.constantFrom('0', '10', '33.33', '100'),
      tax: fc.constantFrom(taxOf('19'), taxOf('7.7'), taxOf('0')),
    });
    fc.assert(
      fc.property(fc.array(priced, { minLength: 1, maxLength: 12 }), fc.boolean(), (lines, included) => {
        const { lines: amounts, taxes, net_amount, tax_amount, gross_amount } = amountsOf(lines, included);
        expect(amounts.reduce((sum, one) => sum + one.net_amount, 0)).toBe(net_amount);
        expect(net_amount + tax_amount).toBe(gross_amount);
        if (included) expect(amounts.reduce((sum, one) => sum + one.amount, 0)).toBe(gross_amount);
        for (const tax of taxes) {
          const difference = Math.abs(tax.tax_amount - (tax.net_amount * Number(tax.rate)) / 100);
          // taken out of a gross amount, the tax may be one unit from that of its net amount: no net amount fits exactly then
          expect(difference).toBeLessThanOrEqual(included ? 0.6 : 0.5 + 1e-6);
        }
      }),
    );
  });
});

test('numbers follow their pattern', () => {
  expect(numberOf('INV-{YYYY}-{SEQ:5}', '2026', 42)).toBe('INV-2026-00042');
  expect(numberOf('{SEQ}/{YYYY}', '2026', 123_456)).toBe('123456/2026');
  expect(['{YYYY}-{SEQ}', 'INV-{YYYY}-{SEQ:9}'].map(isNumberPattern)).toEqual([true, true]);
  expect(['{SEQ}', '{YYYY}', '{YYYY}{SEQ}{SEQ}', '{YYYY}-{SEQ:0}', '{YYYY}-{MM}-{SEQ}'].map(isNumberPattern)).toEqual(Array(5).fill(false));
});
