import { describe, expect, test } from '@jest/globals';
import { Field, readFields } from '../../../kit/index.js';
import { validateQuery } from './validate-query.js';
import { parseJson } from './parse-json.js';

class LineDto {
  @Field.amount({
    description: 'Price.',
    example: 12000,
  })
  unit_amount: number;
}

class OrderDto {
  @Field.integer({
    description: 'Count.',
    example: 1,
    required: false,
  })
  count?: number;

  @Field.amount({
    description: 'Amount.',
    example: 12000,
    required: false,
  })
  amount?: number;

  @Field.number({
    description: 'Ratio.',
    example: 1.5,
    required: false,
  })
  ratio?: number;

  @Field.integer({
    description: 'Days.',
    example: [1],
    list: { maxItems: 5 },
    required: false,
  })
  days?: number[];

  @Field.map({
    description: 'Anything.',
    example: {},
    required: false,
  })
  metadata?: Record<string, unknown>;

  @Field.object(() => LineDto, {
    description: 'Lines.',
    example: undefined,
    list: { maxItems: 5 },
    required: false,
  })
  lines?: LineDto[];
}

const read = (json: string) => readFields(OrderDto, parseJson(json) as Record<string, unknown>);

describe('an integer', () => {
  test.each([
    ['12000', 12000],
    ['"12000"', 12000],
    ['"+5"', 5],
    ['"-5"', -5],
    ['"9007199254740991"', undefined],
  ])('may be sent as %s', (json, count) => {
    const { value, faults } = read(`{"count":${json}}`);
    // it fits a number, but not 32 bits
    if (count === undefined) expect(faults[0].message).toBe('count must be 2147483647 or less');
    else expect([value.count, faults]).toEqual([count, []]);
  });

  test.each([
    ['ratio', '12345678901234567890', 'ratio must be 9007199254740991 or less'],
    ['ratio', '-12345678901234567890', 'ratio must be -9007199254740991 or more'],
    ['count', '-12345678901234567890', 'count must be -2147483648 or more'],
  ])('as a text that no number represents exactly has a message with a bound: %s %s', (name, text, message) => {
    expect(read(JSON.stringify({ [name]: text })).faults).toMatchObject([{ param: name, code: 'invalid_value', message }]);
  });

  test.each(['120.00', '1.0', '1.2e2', '12E1', '-1.0', '120.5', '0.0'])('is not sent as %s, as a number or as text', (literal) => {
    for (const json of [literal, ` ${literal}\n`, `"${literal}"`]) {
      expect(read(`{"amount":${json}}`).faults).toEqual([
        {
          param: 'amount',
          code: 'wrong_type',
          message: 'amount must be a whole number of minor units, such as 12000 for 120.00 EUR or 120 for 120 JPY',
        },
      ]);
      const { faults } = read(`{"count":${json},"note":"x"}`);
      expect(faults[0].message).toBe('count must be a whole number, without a decimal point, an exponent or thousands separators');
    }
  });

  test.each(['1,000', '1.000', '1 000', "1'000", '1_000', '0x10', '१२', ' 5', '5 ', '', '-', '--5', '9007199254740993'])(
    'is not sent as the text "%s"',
    (text) => expect(read(JSON.stringify({ amount: text })).faults).toHaveLength(1),
  );

  test('is checked at every depth and in lists', () => {
    expect(read('{"lines":[{"unit_amount":1},{"unit_amount":120.00}]}').faults.map(({ param }) => param)).toEqual(['lines.1.unit_amount']);
    expect(read('{"days":[1,2.0]}').faults.map(({ param }) => param)).toEqual(['days']);
  });

  test('is checked in a query', () => {
    expect(validateQuery(OrderDto, { count: '25' })).toEqual({ count: 25 });
    for (const count of ['25.0', '2.5e1', '1,000']) expect(() => validateQuery(OrderDto, { count })).toThrow('must be a whole number');
  });
});

test('a number that need not be whole may be written in any way, and so may text that looks like one', () => {
  const json = '{"ratio":2.0,"metadata":{"a":1.0,"b":[1e2],"text":"[1.0, 2.00]"}}';
  expect(read(json)).toMatchObject({ value: { ratio: 2, metadata: { a: 1, b: [100], text: '[1.0, 2.00]' } }, faults: [] });
});
