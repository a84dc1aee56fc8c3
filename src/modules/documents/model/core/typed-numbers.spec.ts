import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { minorDigitsOf } from '../../../../kit/index.js';
import { minorUnits } from './amounts.js';
import { decimalOf, exampleNumber, typedAmount } from './typed-numbers.js';

const money = (text: string, language: string, currency: string) =>
  decimalOf(text, { language, decimals: minorDigitsOf(currency), currency });

describe('an amount that a person types', () => {
  test.each([
    ['€ 1,250', 'en', 'EUR', '1250'],
    ['€1,250.50', 'en', 'EUR', '1250.50'],
    ['1,250.50 EUR', 'en', 'EUR', '1250.50'],
    ['1.250,50 €', 'en', 'EUR', '1250.50'],
    ['12,50 €', 'de', 'EUR', '12.50'],
    ['12,50\u00a0€', 'de', 'EUR', '12.50'],
    ['1.250', 'de', 'EUR', '1250'],
    ['1.250,00 Euro', 'de', 'EUR', '1250.00'],
    ['1.250', 'de-AT', 'EUR', '1250'],
    ['12,-', 'de', 'EUR', '12'],
    ['12,– €', 'de', 'EUR', '12'],
    ['1 250,00', 'fr', 'EUR', '1250.00'],
    ['1\u202f250,00 €', 'fr', 'EUR', '1250.00'],
    ['1\u00a0250,00', 'fr', 'EUR', '1250.00'],
    ["1'250.00", 'de-CH', 'CHF', '1250.00'],
    ['CHF 1’250.00', 'de-CH', 'CHF', '1250.00'],
    ['Fr. 1’250.–', 'de-CH', 'CHF', '1250'],
    ['₹1,25,000.50', 'en', 'INR', '125000.50'],
    ['Rs. 12,50,000', 'en-IN', 'INR', '1250000'],
    ['1,25,000', 'en-IN', 'EUR', '125000'],
    ['¥1,250', 'ja', 'JPY', '1250'],
    ['1,250円', 'ja', 'JPY', '1250'],
    ['−€ 5', 'en', 'EUR', '-5'],
    ['€ -5', 'en', 'EUR', '-5'],
    ['.50', 'en', 'USD', '0.50'],
    ['$.50', 'en', 'USD', '0.50'],
    ['1.250', 'en', 'KWD', '1.250'],
    ['0,250', 'de', 'KWD', '0.250'],
    ['1.250,50 zł', 'pl', 'PLN', '1250.50'],
  ])('%s in %s is %s %s', (text, language, currency, decimal) => expect(money(text, language, currency)).toBe(decimal));

  test.each([
    ['1,250', 'en', 'KWD'],
    ['$ 5', 'en', 'EUR'],
    ['5 USD', 'en', 'EUR'],
    ['1,25,000', 'en', 'EUR'],
    ['1.25.00', 'de', 'EUR'],
    ['1,250,50', 'en', 'EUR'],
    ['5-', 'en', 'EUR'],
    ['--5', 'en', 'EUR'],
    ['12,50,-', 'de', 'EUR'],
    ['1 25', 'fr', 'EUR'],
    ['5 Stück', 'de', 'EUR'],
    ['1e3', 'en', 'EUR'],
    ['€', 'en', 'EUR'],
  ])('%s in %s for %s is none', (text, language, currency) => expect(money(text, language, currency)).toBeNull());

  test('is read back in every language as this program and Intl write it', () => {
    const languages = fc.constantFrom(
      'en',
      'de',
      'de-AT',
      'de-CH',
      'fr',
      'fr-CH',
      'es',
      'it',
      'pt-PT',
      'pl',
      'en-IN',
      'hi',
      'ja',
      'nl',
      'sv',
      'ar',
    );
    const currencies = fc.constantFrom('EUR', 'USD', 'CHF', 'JPY', 'INR', 'GBP', 'PLN');
    fc.assert(
      fc.property(languages, currencies, fc.integer({ min: -9e12, max: 9e12 }), (language, currency, minor) => {
        const digits = minorDigitsOf(currency);
        const decimal = minor / 10 ** digits;
        const options = { style: 'currency', currency, numberingSystem: 'latn' } as const;
        const shown = new Intl.NumberFormat(language, options).format(decimal).replace(/[\u200e\u200f\u061c]/g, '');
        for (const text of [typedAmount(minor, digits, language), shown]) {
          const read = money(text, language, currency);
          expect([text, read === null ? null : minorUnits(read, digits)]).toEqual([text, minor]);
        }
        expect(money(exampleNumber(language, digits), language, currency)).not.toBeNull();
      }),
    );
  });
});

describe('a number that a person types', () => {
  const number = (text: string, language: string, decimals: number | null = null) => decimalOf(text, { language, decimals });

  test.each([
    ['1,250', 'en', '1250'],
    ['1,250', 'de', '1.250'],
    ['1.250', 'de', '1250'],
    ['1.250', 'en', '1.250'],
    ['0,5', 'en', '0.5'],
    ['12 500,5', 'fr', '12500.5'],
  ])('%s in %s is %s', (text, language, decimal) => expect(number(text, language)).toBe(decimal));

  test('is whole by its language only', () => {
    expect([number('1.000', 'de', 0), number('1,000', 'en', 0)]).toEqual(['1000', '1000']);
    expect([number('1.000', 'en', 0), number('1,000', 'de', 0), number('1.000', 'fr', 0)]).toEqual([null, null, null]);
  });

  test('has no currency', () => expect(number('€ 5', 'en')).toBeNull());
});
