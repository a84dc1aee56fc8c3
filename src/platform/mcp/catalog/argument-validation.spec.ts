import { describe, expect, it } from '@jest/globals';
import { checkArguments, compileShape } from './argument-validation.js';

const shape = compileShape({
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

describe('checkArguments', () => {
  it('refuses an unknown argument with the nearest name', () => {
    expect(checkArguments(shape, { asignee_ids: [] })).toMatchObject({
      code: 'validation_failed',
      message: 'unknown argument "asignee_ids"; did you mean "assignee_ids"?',
      param: 'asignee_ids',
      allowed: ['assignee_ids', 'place', 'rows', 'custom_fields', 'note', 'either', 'party'],
    });
  });

  it('names the place of one that is nested, and every other one', () => {
    const fault = checkArguments(shape, { place: { citi: 'Oslo' }, rows: [{ sku: '1' }, { skew: '2' }], party: { persn_id: '1' } });
    expect(fault?.param).toBe('place.citi');
    expect(fault?.details?.map(({ param }) => param)).toEqual(['place.citi', 'rows.1.skew', 'party.persn_id']);
  });

  it('leaves open objects and values to the route', () => {
    expect(checkArguments(shape, { custom_fields: { anything: 1 }, note: 7, place: 'x', party: { company_id: 1 } })).toBeUndefined();
  });

  it('is not misled by names of Object.prototype', () => {
    const args = JSON.parse('{"__proto__":{"a":1}}') as Record<string, unknown>;
    expect(checkArguments(shape, args)?.param).toBe('__proto__');
    expect(checkArguments(shape, { constructor: 1 })?.param).toBe('constructor');
  });

  it('parses JSON text once where an object or array is wanted, at every depth', () => {
    const args = { assignee_ids: '["a"]', place: '{"city":"Oslo"}', rows: ['{"sku":"1"}'], note: '{"a":1}', either: '{"a":1}' };
    expect(checkArguments(shape, args)).toBeUndefined();
    expect(args).toEqual({ assignee_ids: ['a'], place: { city: 'Oslo' }, rows: [{ sku: '1' }], note: '{"a":1}', either: '{"a":1}' });
  });

  it('leaves a string that parses into something else', () => {
    const args = { assignee_ids: '{"a":1}', place: 'null', custom_fields: 'not json' };
    checkArguments(shape, args);
    expect(args).toEqual({ assignee_ids: '{"a":1}', place: 'null', custom_fields: 'not json' });
  });
});
