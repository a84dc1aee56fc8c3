import { describe, expect, test } from '@jest/globals';
import { Field } from '../../kit/index.js';
import { MASK, maskBody, maskError } from './mask-body.js';
import { growth, LINEAR } from '../../../test/kit/cpu-time.js';

class Person {
  @Field.string({
    description: 'Name.',
    example: 'Ada',
  })
  full_name: string;

  @Field.email({
    description: 'Mail.',
    example: 'ada@example.com',
  })
  contact: string;
}

class Body {
  @Field.string({
    description: 'Title.',
    example: 'Call',
  })
  title: string;

  @Field.uuid({
    description: 'Project.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a60',
  })
  project_id: string;

  @Field.string({
    description: 'Passcode.',
    example: 'x',
  })
  passcode: string;

  @Field.integer({
    description: 'Amount.',
    example: 1,
  })
  amount: number;

  @Field.dateTime({
    description: 'Due.',
    example: '2026-11-21T09:30:00.000Z',
  })
  due_at: string;

  @Field.object(() => Person, {
    description: 'People.',
    example: undefined,
    list: { maxItems: 10 },
  })
  people: Person[];

  @Field.map({
    description: 'Values.',
    example: {},
  })
  data_values: Record<string, unknown>;

  @Field.string({
    description: 'Something shown once.',
    example: 'x',
  })
  shown_once: string;
}

describe('a kept body', () => {
  test('has no secrets, addresses, phone numbers and names, and nothing that the schema does not declare', () => {
    const body = {
      title: 'Call ada@example.com or +44 20 7946 0958 today',
      project_id: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a60',
      passcode: 'hunter2',
      amount: 12_000_000_000,
      due_at: '2026-11-21T09:30:00.000Z',
      people: [{ full_name: 'Ada Lovelace', contact: 'ada@example.com', extra: 'x' }],
      data_values: { customer_name: 'Ada', region: 'North', nested: [{ phone: '1', note: 'to bob@example.com' }], none: null },
      shown_once: 'secret',
      undeclared: { deep: 'value' },
    };
    expect(maskBody(body, Body, ['shown_once'])).toEqual({
      title: `Call ${MASK} or ${MASK} today`,
      project_id: body.project_id,
      passcode: MASK,
      amount: body.amount,
      due_at: body.due_at,
      people: [{ full_name: MASK, contact: MASK, extra: MASK }],
      data_values: { customer_name: MASK, region: 'North', nested: [{ phone: MASK, note: `to ${MASK}` }], none: null },
      shown_once: MASK,
      undeclared: MASK,
    });
  });

  test('of another shape than declared is masked as a whole', () => {
    expect(maskBody(['ada'], Body)).toBe(MASK);
    expect(maskBody({ people: 'ada', title: { a: 'x@example.com' } }, Body)).toEqual({ people: MASK, title: { a: MASK } });
    expect(maskBody({ amount: 'mail ada@example.com', due_at: { name: 'x' } }, Body)).toEqual({ amount: `mail ${MASK}`, due_at: MASK });
  });

  test.each([
    ['without an address', 'a', ''],
    ['of addresses', 'a@', ''],
    ['of digits', '1', 'a'],
    ['of digits and separators', '1-', ''],
    ['of digits and spaces', '1 ', ''],
  ])('with a long text %s is masked in linear time', async (_, part, end) => {
    const bodyOf = (size: number) => ({ title: part.repeat(size) + end });
    expect(await growth(bodyOf, 64_000, (body) => maskBody(body, Body))).toBeLessThan(LINEAR);
  });

  test('that is an error keeps its code, and quotes nobody', () => {
    const detail = { code: 'duplicate', param: 'email', message: 'ada@example.com exists' };
    const error = { ...detail, request_id: 'req_1', details: [detail] };
    const masked = { ...detail, message: `${MASK} exists` };
    expect(maskError({ error })).toEqual({ error: { ...error, ...masked, details: [masked] } });
  });

  test('with any names of members stays an object of its own', () => {
    const body = JSON.parse('{"data_values": {"__proto__": {"name": "x"}}}') as object;
    expect(JSON.stringify(maskBody(body, Body))).toBe(`{"data_values":{"__proto__":{"name":"${MASK}"}}}`);
  });
});
