import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { canonicalOf } from '../fields/canonical-value.js';
import { decimalOfUnits, plainDecimal, unitsOf } from './decimals.js';
import { ruleOf } from '../fields/field-rules.js';
import { jsonSchemaOf } from '../fields/field-schema.js';
import type { FieldSpec } from '../fields/field-specification.js';
import type { DecimalRange } from './decimals.js';
import { AmountTooLarge, divide, includedPercent, MAX_AMOUNT, minorDigitsOf, multiply, percentOf, shareOut, sumOf } from './money.js';

const amount = fc.maxSafeInteger();

test('a currency has its own number of decimals, and an unknown one has two', () => {
  expect(['EUR', 'JPY', 'KWD', 'QQQ', 'eur', 'EURO', '', null].map(minorDigitsOf)).toEqual([2, 0, 3, 2, 2, 2, 2, 2]);
});

test('decimals become units and back, and lose only trailing zeros', () => {
  expect([unitsOf('12.5', 4), unitsOf('-0.25', 2), unitsOf('7', 0), unitsOf('1.500', 1)]).toEqual([125000n, -25n, 7n, 15n]);
  expect([plainDecimal('1.500'), plainDecimal('10'), plainDecimal('0.0'), plainDecimal('-0'), plainDecimal('-0.50')]).toEqual([
    '1.5',
    '10',
    '0',
    '0',
    '-0.5',
  ]);
  expect(() => unitsOf('0.001', 2)).toThrow(RangeError);
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }), fc.nat(10), (units, places) => {
      expect(unitsOf(decimalOfUnits(units, places), places)).toBe(units);
    }),
  );
});

test('halves round away from zero', () => {
  expect([divide(5n, 2n), divide(-5n, 2n), divide(5n, -2n), divide(7n, 3n), divide(-1n, 3n)]).toEqual([3n, -3n, -3n, 2n, 0n]);
  // binary floating point yields 114
  expect(multiply(100, '1.145')).toBe(115);
  expect(multiply(999, '3', '1000')).toBe(3);
  expect([percentOf(1000, '19'), includedPercent(1190, '19'), includedPercent(-1190, '19'), percentOf(25, '7.5')]).toEqual([
    190, 190, -190, 2,
  ]);
});

test('an amount beyond 2^53 is refused and never rounded', () => {
  expect(() => multiply(MAX_AMOUNT, '2')).toThrow(AmountTooLarge);
  expect(() => sumOf([MAX_AMOUNT, 1])).toThrow(AmountTooLarge);
  expect(sumOf([MAX_AMOUNT, 1, -1])).toBe(MAX_AMOUNT);
});

test('shares add up, and each is within one unit of its exact part', () => {
  fc.assert(
    fc.property(amount, fc.array(fc.nat(), { minLength: 1, maxLength: 20 }), (whole, weights) => {
      const shares = shareOut(whole, weights);
      expect(sumOf(shares)).toBe(whole);
      const total = weights.reduce((sum, weight) => sum + BigInt(weight), 0n);
      if (total === 0n) return;
      for (const [index, share] of shares.entries()) {
        const difference = BigInt(share) * total - BigInt(whole) * BigInt(weights[index]);
        expect((difference < 0n ? -difference : difference) < total).toBe(true);
      }
    }),
  );
});

test('units that are left go to the largest remainders, and to the first of equal ones', () => {
  expect(shareOut(100, [1, 1, 1])).toEqual([34, 33, 33]);
  expect(shareOut(-100, [1, 1, 1])).toEqual([-34, -33, -33]);
  expect(shareOut(10, [1, 2, 4])).toEqual([1, 3, 6]);
  expect(shareOut(7, [0, 0])).toEqual([7, 0]);
});

test.each<[DecimalRange['sign'], string[], unknown[]]>([
  ['not_negative', ['0', '0.5', '12', '999.99', '1.500', '-0'], ['-1', '1000', '1.001', '1e2', '.5', '5.', '', ' 1', '1,5', 3, null]],
  ['positive', ['0.01', '0.10', '1', '999'], ['0', '0.0', '0.00', '-1', '0.001']],
  ['any', ['-999.99', '0', '5'], ['-1000', '--1', '+1']],
])('decimal fields with the sign %s', (sign, valid, invalid) => {
  const spec: FieldSpec = { kind: 'decimal', decimal: { digits: 3, places: 2, sign }, description: 'A number.', example: '1' };
  const isValid = (value: unknown) => ruleOf(spec)(canonicalOf(spec, value)) === null;
  expect(valid.filter((value) => !isValid(value))).toEqual([]);
  expect(invalid.filter(isValid)).toEqual([]);
  const pattern = new RegExp(jsonSchemaOf(spec).pattern as string);
  expect(invalid.filter((value) => typeof value === 'string' && pattern.test(value))).toEqual([]);
});
