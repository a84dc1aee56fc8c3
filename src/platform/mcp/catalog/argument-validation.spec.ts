import { describe, expect, it } from '@jest/globals';
import { decimalPattern } from '../../../kit/internal.js';
import { parseJson } from '../../http/validation/parse-json.js';
import { validateArguments, compileArgumentSchema } from './argument-validation.js';

const schema = compileArgumentSchema({
  type: 'object',
  properties: {
    assignee_ids: { type: 'array', items: { type: 'string' } },
    place: { type: ['object', 'null'], properties: { city: { type: 'string' } }, additionalProperties: false },
    rows: { type: 'array', items: { type: 'object', properties: { sku: { type: 'string' } }, additionalProperties: false } },
    custom_fields: { type: 'object', additionalProperties: true },
    note: { type: 'string' },
    either: { anyOf: [{ type: 'string' }, { type: 'object' }] },
    party: {
      oneOf: [
        { type: 'object', properties: { person_id: { type: 'string' } }, additionalProperties: false },
        { type: 'object', properties: { company_id: { type: 'string' } }, additionalProperties: false },
      ],
    },
  },
  additionalProperties: false,
});

describe('validateArguments', () => {
  it('leaves a null out, at every depth and in custom fields; a required one stays, and one in a map that is no custom field', () => {
    const closed = compileArgumentSchema({
      type: 'object',
      properties: {
        title: { type: 'string' },
        due: { type: ['string', 'null'] },
        state: { enum: ['open', null] },
        custom_fields: { type: 'object', additionalProperties: true, 'x-custom-fields': 'note' },
        values: { type: 'object', additionalProperties: true },
        rows: { type: 'array', items: { type: 'object', properties: { sku: { type: 'string' }, note: { type: 'string' } } } },
      },
      required: ['title'],
    });
    const maps = { custom_fields: { size: null, color: 'red' }, values: { a: null } };
    const args = { title: null, due: null, state: null, ...maps, rows: [{ sku: 'A', note: null }, null] };
    expect(validateArguments(closed, args)).toBeUndefined();
    expect(args).toEqual({ title: null, custom_fields: { color: 'red' }, values: { a: null }, rows: [{ sku: 'A' }, null] });
  });

  it('takes a decimal as a number, too', () => {
    const amounts = compileArgumentSchema({
      type: 'object',
      properties: {
        amount: { type: 'string', pattern: decimalPattern({ digits: 12, places: 2, sign: 'not_negative' }) },
        code: { type: 'string', pattern: '^[0-9]{3}$' },
      },
    });
    const args = { amount: 12.5, code: 123 };
    expect(validateArguments(amounts, args)).toBeUndefined();
    expect(args).toEqual({ amount: '12.5', code: 123 });
  });

  it('rejects an unknown argument and suggests the nearest name', () => {
    expect(validateArguments(schema, { asignee_ids: [] })).toMatchObject({
      code: 'validation_failed',
      message: 'unknown argument "asignee_ids"; did you mean "assignee_ids"?',
      param: 'asignee_ids',
      allowed: ['assignee_ids', 'place', 'rows', 'custom_fields', 'note', 'either', 'party'],
    });
  });

  it('names the arguments when none is close', () => {
    expect(validateArguments(schema, { task_id: '1' })?.message).toBe(
      'unknown argument "task_id"; the arguments are assignee_ids, place, rows, custom_fields, note, either, party',
    );
  });

  it('reports the path of every unknown argument, nested ones included', () => {
    const fault = validateArguments(schema, { place: { citi: 'Oslo' }, rows: [{ sku: '1' }, { skew: '2' }], party: { persn_id: '1' } });
    expect(fault?.param).toBe('place.citi');
    expect(fault?.details?.map(({ param }) => param)).toEqual(['place.citi', 'rows.1.skew', 'party.persn_id']);
  });

  it('leaves open objects and values to the route', () => {
    expect(validateArguments(schema, { custom_fields: { anything: 1 }, note: 7, place: 'x', party: { company_id: 1 } })).toBeUndefined();
  });

  it('rejects names of Object.prototype', () => {
    const args = JSON.parse('{"__proto__":{"a":1}}') as Record<string, unknown>;
    expect(validateArguments(schema, args)?.param).toBe('__proto__');
    expect(validateArguments(schema, { constructor: 1 })?.param).toBe('constructor');
  });

  it('parses JSON text once where an object or array is expected, at every depth', () => {
    const args = { assignee_ids: '["a"]', place: '{"city":"Oslo"}', rows: ['{"sku":"1"}'], note: '{"a":1}', either: '{"a":1}' };
    expect(validateArguments(schema, args)).toBeUndefined();
    expect(args).toEqual({ assignee_ids: ['a'], place: { city: 'Oslo' }, rows: [{ sku: '1' }], note: '{"a":1}', either: '{"a":1}' });
  });

  it('gives the route an integer as it was written, so that the route refuses 120.00', () => {
    const amounts = compileArgumentSchema({
      type: 'object',
      properties: { amount: { type: ['integer', 'null'] }, ratio: { type: 'number' }, days: { type: 'array', items: { type: 'integer' } } },
    });
    const args = parseJson('{"amount":120.00,"ratio":2.0,"days":[1,1e2]}') as Record<string, unknown>;
    expect(validateArguments(amounts, args)).toBeUndefined();
    expect(args).toEqual({ amount: '120.00', ratio: 2, days: [1, '1e2'] });
  });

  it('keeps a string that parses to another type', () => {
    const args = { assignee_ids: '{"a":1}', place: 'null', custom_fields: 'not json' };
    validateArguments(schema, args);
    expect(args).toEqual({ assignee_ids: '{"a":1}', place: 'null', custom_fields: 'not json' });
  });
});
