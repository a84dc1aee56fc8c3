import { describe, expect, it } from '@jest/globals';
import { readRow } from './lead-import-row.js';
import { keysOf } from './duplicate-rows.js';

describe('a row', () => {
  const read = (cells: string[], fields: string[], definitions: { key: string; type: string }[] = []) =>
    readRow(1, fields, cells, Object.fromEntries(fields.map((field) => [field, field])), definitions);

  it('omits empty and missing cells', () => {
    expect(read(['Ada', '', ' '], ['full_name', 'email', 'phone', 'job_title'])).toEqual({
      number: 1,
      input: { full_name: 'Ada' },
      problems: [],
    });
  });

  it('converts flags and custom fields by their types', () => {
    const definitions = [
      { key: 'n', type: 'number' },
      { key: 'b', type: 'boolean' },
      { key: 'm', type: 'multi_select' },
      { key: 't', type: 'text' },
    ];
    expect(
      read(
        ['YES', '0', '-1.5', 'No', 'x; y', '12'],
        ['consent_email', 'consent_sms', 'custom_fields.n', 'custom_fields.b', 'custom_fields.m', 'custom_fields.t'],
        definitions,
      ).input,
    ).toEqual({ consent_email: true, consent_sms: false, custom_fields: { n: -1.5, b: false, m: ['x', 'y'], t: '12' } });
  });

  it('reports its errors by field', () => {
    expect(
      read(['x'.repeat(300), 'a@', 'soon', 'extra'], ['full_name', 'email', 'consent_sms']).problems.map(({ param, message }) => [
        param,
        message,
      ]),
    ).toEqual([
      ['row', 'the row has 4 cells, but there are 3 headings'],
      ['full_name', 'full_name must be at most 255 characters long'],
      ['email', 'email must be an e-mail address'],
      ['consent_sms', 'consent_sms must be true or false'],
    ]);
  });

  it('repeats another however its values are written', () => {
    const keys = (input: Parameters<typeof keysOf>[1]) => keysOf(1, input, 'DE');
    const first = keys({ email: 'A@b.example', phone: '030 901820' });
    expect(first.map(({ param }) => param)).toEqual(['email', 'phone']);
    expect(keys({ email: 'a@B.example ', phone: '+49 30 901820' })).toEqual(first);
    expect(keys({ external_id: 'A' })).not.toEqual(keys({ external_id: 'a' }));
    expect(keys({ external_id: 'x@y.example' })[0].key).not.toBe(keys({ email: 'x@y.example' })[0].key);
  });
});
