import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { growth, LINEAR } from '../../../../../test/harness/cpu-time.js';
import { compile, compileCondition } from './check.js';
import { Calculation, TooMuchToCalculate, type Place } from './evaluate.js';
import { decimalText } from './exact.js';
import type { ValueType } from './expression.js';
import type { Scope } from './scope.js';
import { ExpressionFault } from './syntax.js';

const EUR: ValueType = { kind: 'money', currency: 'EUR' };
const NUMBER: ValueType = { kind: 'number' };
const TYPES: Readonly<Record<string, ValueType>> = {
  net: EUR,
  fee: { kind: 'money', currency: 'currency' },
  dollars: { kind: 'money', currency: 'USD' },
  rate: NUMBER,
  parts: { kind: 'number', isWhole: true },
  name: { kind: 'text' },
  currency: { kind: 'text' },
  level: { kind: 'text', options: ['basic', 'gold'] },
  renews: { kind: 'boolean' },
  not: { kind: 'boolean' },
  begins: { kind: 'date' },
  ends: { kind: 'date' },
  items: { kind: 'table' },
  'items.quantity': NUMBER,
  'items.price': EUR,
  'items.vat': NUMBER,
  'items.foreign': { kind: 'money', currency: 'items.currency' },
  'items.currency': { kind: 'text' },
};
const SCOPE: Scope = { typeOf: (path) => (Object.hasOwn(TYPES, path) ? TYPES[path] : undefined), rows: [], isStrict: true };
const VALUES = {
  net: 10_000,
  fee: 1_999,
  currency: 'JPY',
  rate: 0.1,
  parts: 3,
  level: 'gold',
  renews: true,
  begins: '2028-02-27',
  ends: '2028-03-01',
  items: [
    { quantity: 3, price: 333, vat: 19, foreign: 5, currency: 'EUR' },
    { quantity: 0.5, price: 101, vat: 7, foreign: 7, currency: 'USD' },
    { quantity: 1, price: 1, vat: 19 },
    { quantity: 2, vat: 19 },
  ],
};

function result(text: string, values: Record<string, unknown> = VALUES, place: Partial<Place> = {}): unknown {
  const value = new Calculation().value(compile(text, SCOPE), { values, rows: {}, groups: {}, ...place });
  return typeof value === 'object' && value !== null ? decimalText(value) : value;
}

function holds(text: string, values: Record<string, unknown> = VALUES): unknown {
  return new Calculation().value(compileCondition(text, SCOPE), { values, rows: {}, groups: {} });
}

describe('arithmetic is exact', () => {
  it.each([
    ['0.1 + 0.2', '0.3'],
    ['rate * 3', '0.3'],
    ['2 + 3 * 4 - 1', '13'],
    ['(2 + 3) * -4', '-20'],
    ['10 - 4 - 3', '3'],
    ['100 / 10 / 5', '2'],
    ['--2', '2'],
    ['1 / 3', '0.33333333333333333333'],
    ['round(1 / 3, 2)', '0.33'],
    ['round(2.5)', '3'],
    ['round(-2.5)', '-3'],
    ['round(1250, -2)', '1300'],
    ['round(1.005, 2)', '1.01'],
    ['net * 19 / 100', '1900'],
    ['round(net * 0.12345)', '1235'],
    ['round(fee / 3, 0)', '666'],
    ['round(net / 3, 0)', '3300'],
    ['net / net', '1'],
    ['net + 500', '10500'],
    ['min(net, 500)', '500'],
    ['max(3, parts, 2)', '3'],
    ['if(net > 500, net, 0)', '10000'],
    ['ends - begins', '3'],
    ['begins + 2', '2028-02-29'],
    ['ends - parts', '2028-02-27'],
    ['begins + 0.5', null],
    ['begins + 9999999', null],
    ['1 / 0', null],
    ['net / (parts - 3)', null],
  ])('%s is %s', (text, value) => {
    expect(result(text)).toBe(value);
  });

  it('as in numbers of whole units, whatever they are', () => {
    const number = fc.integer({ min: -1_000_000, max: 1_000_000 });
    fc.assert(
      fc.property(number, number, number, (a, b, c) => {
        expect(result(`${a / 100} + ${b / 100} - ${c} * 2`.replaceAll('- -', '- 0 - -'))).toBe(result(`${(a + b - 200 * c) / 100}`));
      }),
    );
  });
});

describe('aggregates', () => {
  it.each([
    ['sum(items.price)', '435'],
    ['sum(price * quantity)', null],
    ['sum(items.price * items.quantity)', '1050.5'],
    ['sum(round(items.price * quantity))', '1051'],
    ['sum(items.price where items.vat = 19)', '334'],
    ['count(items)', '4'],
    ['count(items.price)', '3'],
    ['count(items where vat = 7 or price = 1)', '2'],
    ['count(items where items.vat = 7 or price = 1)', '2'],
    ['avg(items.quantity)', '1.625'],
    ['min(items.price)', '1'],
    ['max(items.quantity)', '3'],
    ['sum(round(sum(items.price) * items.vat / 100) by items.vat)', '70'],
    ['count(items.vat by items.vat)', '2'],
    ['sum(items.price / sum(items.price))', '1'],
  ])('%s is %s', (text, value) => {
    if (value === null) expect(() => result(text)).toThrow(ExpressionFault);
    else expect(result(text)).toBe(value);
  });

  it('have no value without values, but count has', () => {
    expect(['sum(items.price)', 'min(items.price)', 'avg(items.price)', 'count(items)'].map((text) => result(text, {}))).toEqual([
      null,
      null,
      null,
      '0',
    ]);
  });

  it('cover the rows of a group, which have one currency', () => {
    const rows = [{ table: 'items', columns: ['currency'] }];
    const sum = compile('sum(items.foreign) * 2', { ...SCOPE, rows });
    const place = { values: VALUES, rows: { items: VALUES.items[1] }, groups: { items: [VALUES.items[1]] } };
    expect([new Calculation().value(sum, place), sum.type.currency]).toEqual([{ units: 14n, places: 0 }, 'items.currency']);
  });

  it('are calculated once, and are refused for too many rows', () => {
    const share = compile('items.price / sum(items.price)', { ...SCOPE, rows: [{ table: 'items', columns: null }] });
    const shares = (rows: number) => {
      const values = { items: Array.from({ length: rows }, () => ({ price: 1 })) };
      const calculation = new Calculation();
      for (const row of values.items) calculation.value(share, { values, rows: { items: row }, groups: {} });
    };
    shares(20_000);
    expect(() => shares(100_000)).toThrow(TooMuchToCalculate);
  });
});

describe('missing values', () => {
  it.each([
    ['net + 1', null],
    ['default(net, 0) + 1', '1'],
    ['max(net, 1)', null],
    ['if(net > 1, 1, 2)', '2'],
  ])('%s is %s', (text, value) => {
    expect(result(text, {})).toBe(value);
  });

  it.each([
    ['net', false],
    ['not net', true],
    ['net != 1', true],
    ['net <= 1', false],
    ['name = "a"', false],
    ['items', false],
  ])('%s: %s', (text, value) => {
    expect(holds(text, { items: [] })).toBe(value);
  });
});

describe('conditions', () => {
  it.each([
    ['net and not (name or parts >= 10)', true],
    ['net > 10000 or level = "gold" and renews', true],
    ['(net > 10000 or level = "gold") and not renews', false],
    ['not level = "basic"', true],
    ['not not renews', true],
    ['not', false],
    ['not = false', false],
    ['begins < ends', true],
    ['ends > "2028-02-29"', true],
    ['begins + 30 >= ends', true],
    ['sum(items.price) * 2 >= 870', true],
    ['net = 10000', true],
    ['10000 = net', true],
    ['parts < -1', false],
  ])('%s: %s', (text, value) => {
    expect(holds(text)).toBe(value);
  });
});

describe('what cannot be calculated is refused with its place', () => {
  it.each([
    ['net +', 5, 'expected a value: a field, a number, a text in quotes or (, found the end'],
    ['net + * 2', 6, 'expected a value: a field, a number, a text in quotes or (, found *'],
    ['(net', 4, 'expected ), found the end'],
    ['net net', 4, 'expected an operator, such as + or and, found net'],
    ['1 < 2 < 3', 6, 'comparisons cannot be chained: write a < b and b < c, found <'],
    ['net % 2', 4, '% cannot be used in an expression'],
    ['"a', 0, 'the text is not ended: write " after it'],
    ['a.b.c', 0, 'a.b.c is not a name: write a field, or a column as items.price'],
    ['1234567890123456', 0, 'a number can have 15 digits before and after the point'],
    ['nobody + 1', 0, 'nobody is not a field of this type'],
    ['toString', 0, 'toString is not a field of this type'],
    ['net * name', 6, '* needs numbers, amounts or dates, not a text'],
    ['net + dollars', 4, 'amounts in different currencies cannot be added: EUR and USD'],
    ['fee + net', 4, 'amounts in different currencies cannot be added: the currency in currency and EUR'],
    ['net + parts', 4, 'an amount and a number cannot be added: multiply one by the other, or write whole minor units'],
    ['net + 1.5', 4, 'an amount and a number cannot be added: multiply one by the other, or write whole minor units'],
    ['net * net', 4, '* cannot be applied to an amount and an amount'],
    ['begins + ends', 7, '+ cannot be applied to a date and a date'],
    ['items.price', 0, 'items.price is a column, with a value in each row: write sum(items.price), or count, min, max or avg'],
    ['sum(net)', 0, 'sum needs a column of a table, such as sum(items.price)'],
    ['sum(items)', 0, 'sum needs a column of items: write sum(items.column)'],
    ['sum(items.currency)', 0, 'sum needs numbers or amounts'],
    [
      'sum(items.price by items.vat)',
      4,
      'items.price is a column, with a value in each row: write sum(items.price), or count, min, max or avg',
    ],
    [
      'sum(items.foreign)',
      0,
      'each row has the currency in items.currency, and amounts in different currencies cannot be combined: group the rows by it',
    ],
    ['median(items.price)', 0, 'median is not a function: there are round, if, default, sum, avg, min, max, count'],
    ['round(net, parts)', 0, 'the places of round must be a whole number from -10 to 10'],
    ['if(net)', 0, 'write if(condition, value, other value)'],
    ['level = "silver"', 8, 'silver is not a value of level: basic, gold'],
    ['begins > "2026-02-30"', 9, 'begins can be compared with a calendar date as YYYY-MM-DD, in the years 1000 to 9999'],
  ])('%s', (text, at, message) => {
    let fault: unknown;
    try {
      compile(text, SCOPE);
    } catch (error) {
      fault = error;
    }
    expect(fault).toMatchObject({ message, at });
  });

  it('however long and deep it is', async () => {
    for (const text of ['1 + '.repeat(400), '('.repeat(500), `${'not '.repeat(240)}net`, `${'-'.repeat(900)}1`])
      expect(() => compile(text, SCOPE)).toThrow(ExpressionFault);
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'net (+-*/)"<=not,sum.items.price 1.5'.match(/\w+|./g)!) }), (text) => {
        try {
          compile(text, SCOPE);
        } catch (error) {
          expect(error).toBeInstanceOf(ExpressionFault);
        }
      }),
    );
    expect(
      await growth(
        (size) => 'net and '.repeat(size / 100) + 'net',
        1_500,
        (text) => compile(text, SCOPE),
      ),
    ).toBeLessThan(LINEAR);
  });
});
