import { describe, expect, it } from '@jest/globals';
import type { DomainError } from '../../../../kit/index.js';
import { calculationProblems, withoutCalculated } from './calculated-values.js';
import { checkValues } from './data-values.js';
import type { FieldSchema, ScalarField } from './field-schema.js';

const money = (calculated?: string, currency = 'currency'): ScalarField => ({
  type: 'integer',
  'x-format': 'money',
  'x-currency': currency,
  ...(calculated === undefined ? {} : { 'x-calculated': calculated }),
});

/** An invoice; its fields are declared before what they are calculated from. */
const INVOICE: FieldSchema = {
  type: 'object',
  properties: {
    gross: money('net - discount + tax'),
    tax: money('sum(round(sum(items.amount) * (1 - discount_percent / 100) * items.vat_rate / 100) by items.vat_rate)'),
    discount: money('round(net * default(discount_percent, 0) / 100)'),
    net: money('sum(items.amount)'),
    discount_percent: { type: 'number', default: 0 },
    currency: { type: 'string' },
    is_large: { type: 'boolean', 'x-calculated': 'gross >= 100000' },
    issued_on: { type: 'string', format: 'date' },
    due_on: { type: 'string', format: 'date', 'x-calculated': 'issued_on + 30' },
    hours: { type: 'number', 'x-calculated': 'sum(items.quantity) / 3' },
    items: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          amount: money('round(quantity * price)'),
          quantity: { type: 'number' },
          price: money(),
          vat_rate: { type: 'number' },
          share: { type: 'number', 'x-calculated': 'round(amount / sum(items.amount) * 100, 1)' },
        },
      },
    },
  },
};
const GIVEN = {
  currency: 'EUR',
  discount_percent: 10,
  issued_on: '2028-02-01',
  items: [
    { quantity: 3, price: 3_333, vat_rate: 19 },
    { quantity: 0.25, price: 10_005, vat_rate: 7 },
    { quantity: 2, price: 4_200, vat_rate: 19 },
  ],
};

function refusal(values: Record<string, unknown>): unknown {
  try {
    return checkValues(INVOICE, values);
  } catch (error) {
    return (error as DomainError).occurrence.details;
  }
}

it('calculates fields, columns and fields of both, whatever their order', () => {
  const { values, missing } = checkValues(INVOICE, GIVEN);
  expect(values).toMatchObject({
    net: 20_900,
    discount: 2_090,
    // 18,399 less 10 % is 16,559.1, of which 19 % are 3,146.229; 2,501 less 10 % is 2,250.9, of which 7 % are 157.563
    tax: 3_304,
    gross: 22_114,
    is_large: false,
    due_on: '2028-03-02',
    hours: 1.75,
    items: [
      { amount: 9_999, share: 47.8 },
      { amount: 2_501, share: 12 },
      { amount: 8_400, share: 40.2 },
    ],
  });
  expect(missing).toEqual([]);
  expect(checkValues(INVOICE, values).values).toEqual(values);
  expect(withoutCalculated(INVOICE, values)).toEqual(GIVEN);
});

it('leaves out what is calculated from missing values', () => {
  expect(checkValues(INVOICE, { items: [{ quantity: 1 }] }).values).toEqual({ items: [{ quantity: 1 }], is_large: false, hours: 1 / 3 });
});

describe('refuses', () => {
  it.each([
    [{ ...GIVEN, gross: 22_115 }, 'data_values.gross', 'is calculated: it is 22114, not 22115; leave it out'],
    [{ net: 5 }, 'data_values.net', 'is calculated: it has no value yet; leave it out'],
    [{ items: [{ quantity: 2, price: 5, amount: 11 }] }, 'data_values.items.0.amount', 'is calculated: it is 10, not 11; leave it out'],
    [{ items: [{ quantity: 2, price: 9e15 }] }, 'data_values.items.0.amount', 'is calculated and too large'],
    [{ items: [{ quantity: 1e300, price: 1 }] }, 'data_values.items.0.amount', 'is calculated from numbers that are too large'],
    [{ items: Array(80_000).fill({}) }, 'data_values', 'has too many rows for what is calculated from them'],
  ])('%#', (values, param, message) => {
    expect(refusal(values)).toContainEqual({ param, code: 'invalid_value', message: `${param} ${message}` });
  });

  it('wrong values alone, if there are some: what is calculated from them is no second problem', () => {
    const params = (refusal({ ...GIVEN, currency: 1, gross: 1 }) as { param: string }[]).map(({ param }) => param);
    expect([...new Set(params)]).toEqual(['data_values.currency']);
  });
});

describe('a type is refused', () => {
  const problemsOf = (properties: FieldSchema['properties']) => calculationProblems({ type: 'object', properties });
  it.each<[string, FieldSchema['properties'], string, string]>([
    ['for a circle', { a: money('b'), b: money('c'), c: money('a') }, 'a', 'depends on itself: a, b, c, a'],
    ['for itself', { a: money('a + 1') }, 'a', 'depends on itself: a, a'],
    [
      'for a mistake',
      { a: money('1 +') },
      'a',
      'at character 4: expected a value: a field, a number, a text in quotes or (, found the end',
    ],
    [
      'for another currency',
      { a: money(undefined, 'EUR'), b: money('a * 2', 'USD') },
      'b',
      'gives an amount in EUR, but the field has USD',
    ],
    [
      'for another kind',
      { a: { type: 'string', 'x-calculated': '1' } },
      'a',
      'gives a value of the kind number, but the field is of the kind text',
    ],
  ])('%s', (_, properties, path, message) => {
    expect(problemsOf(properties)).toEqual([{ path, message }]);
  });
});
