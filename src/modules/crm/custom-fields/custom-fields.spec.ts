import { describe, expect, it } from '@jest/globals';
import { compatibleCustomFields, mergeCustomFields, type CustomFieldDefinition } from './custom-fields.js';

describe('custom fields', () => {
  const field = (key: string, type: CustomFieldDefinition['type'], over: Partial<CustomFieldDefinition> = {}): CustomFieldDefinition => ({
    key,
    type,
    options: [],
    required: false,
    ...over,
  });

  it.each([
    ['text', 'x', 5],
    ['text', 'x', ''],
    ['number', 0.5, '1'],
    ['number', 1, Infinity],
    ['boolean', false, 0],
    ['date', '2026-02-28', '2026-02-30'],
    ['date', '2026-02-28', '28.2.2026'],
    ['url', 'https://example.com/a?b=c', 'example.com'],
    ['url', 'http://example.com', 'javascript:alert(1)'],
  ] as const)('%s accepts %j and rejects %j', (type, good, bad) => {
    expect(mergeCustomFields([field('a', type)], { a: good }, null)).toEqual({ a: good });
    expect(() => mergeCustomFields([field('a', type)], { a: bad }, null)).toThrow('custom_fields.a must');
  });

  it('select accepts one option, multi_select several distinct ones', () => {
    const options = ['x', 'y'];
    const both = [field('one', 'select', { options }), field('some', 'multi_select', { options })];
    expect(mergeCustomFields(both, { one: 'x', some: ['y', 'x'] }, null)).toEqual({ one: 'x', some: ['y', 'x'] });
    const many: CustomFieldDefinition = { ...both[0], options: Array.from({ length: 200 }, (_, n) => `${n}`.padEnd(100, '.')) };
    expect(() => mergeCustomFields([many], { one: 'z' }, null)).toThrow('custom_fields.one must be one of the options of the field');
    for (const bad of [{ one: 'z' }, { one: ['x'] }, { some: 'x' }, { some: ['x', 'x'] }, { some: ['z'] }])
      expect(() => mergeCustomFields(both, bad, null)).toThrow('must be');
  });

  it.each(['{}', 5, [], true, null])('%j is not a JSON object', (given) => {
    expect(() => mergeCustomFields([], given, null)).toThrow('custom_fields must be a JSON object');
  });

  it('a text has at most 2000 characters', () => {
    const merge = (note: string) => mergeCustomFields([field('note', 'text')], { note }, null);
    expect(merge('🙂'.repeat(2000))).toEqual({ note: '🙂'.repeat(2000) });
    expect(() => merge('🙂'.repeat(2001))).toThrow('custom_fields.note must be a string of 1 to 2000 characters');
  });

  it('unknown keys are rejected by name, also those of Object.prototype', () => {
    for (const key of ['x', 'constructor', 'toString'])
      expect(() => mergeCustomFields([field('a', 'text')], { [key]: 'v' }, null)).toThrow(`unknown custom field: ${key}`);
    expect(() => mergeCustomFields([], JSON.parse('{"__proto__": {"a": 1}}'), null)).toThrow('unknown custom field: __proto__');
  });

  it('merge: a given key is replaced, null clears, an omitted key stays, even without a definition', () => {
    expect(mergeCustomFields([field('a', 'number'), field('b', 'number')], { a: 2, b: null }, { a: 1, b: 1, gone: 'x' })).toEqual({
      a: 2,
      gone: 'x',
    });
    expect(mergeCustomFields([field('a', 'number')], { a: null }, null)).toEqual({});
  });

  it('required ones must be set on creation and cannot be cleared', () => {
    const required = [field('a', 'number', { required: true })];
    expect(() => mergeCustomFields(required, {}, null)).toThrow('custom_fields.a is required');
    expect(() => mergeCustomFields(required, undefined, null)).toThrow('custom_fields.a is required');
    expect(mergeCustomFields(required, {}, {})).toEqual({});
    expect(() => mergeCustomFields(required, { a: null }, { a: 1 })).toThrow('cannot be cleared');
  });

  it('values are compatible with definitions of the same key and type', () => {
    expect(compatibleCustomFields([field('a', 'number'), field('b', 'text'), field('c', 'text')], { a: 1, b: 2, d: 'x' })).toEqual({
      a: 1,
    });
  });
});
