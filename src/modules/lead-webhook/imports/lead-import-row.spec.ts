import { describe, expect, it } from '@jest/globals';
import { CsvLocale } from '../../../kit/index.js';
import { readRow } from './lead-import-row.js';
import { keysOf } from './duplicate-rows.js';

describe('a row', () => {
  const read = (cells: string[], fields: string[], definitions: { key: string; type: string }[] = [], locale?: string) =>
    readRow(
      1,
      cells,
      { headings: fields, mapping: Object.fromEntries(fields.map((field) => [field, field])), definitions },
      CsvLocale.of(locale),
    );

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
      ['consent_sms', expect.stringContaining('consent_sms must be true or false; if')],
      ['full_name', 'full_name must be at most 255 characters long'],
      ['email', 'email must be an e-mail address'],
    ]);
    // as spreadsheets write them, when another row is longer
    expect(read(['Ada', '', ''], ['full_name']).problems).toEqual([]);
  });

  it('is read as its locale writes values, which is never guessed', () => {
    const definitions = [
      { key: 'n', type: 'number' },
      { key: 'd', type: 'date' },
      { key: 'b', type: 'boolean' },
    ];
    const fields = ['custom_fields.n', 'custom_fields.d', 'custom_fields.b', 'consent_email'];
    const cells = ['1.234,50', '28.11.2026', 'ja', 'FALSCH'];
    expect(read(cells, fields, definitions, 'de-DE')).toMatchObject({
      input: { custom_fields: { n: 1234.5, d: '2026-11-28', b: true }, consent_email: false },
      problems: [],
    });
    expect(read(cells, fields, definitions).problems.map(({ param }) => param)).toEqual(fields);
    expect(read(cells, fields, definitions).problems[0].message).toContain('locale=de-DE');
    expect(read(['1.234'], fields, definitions).problems).toHaveLength(1);
    expect(read(['1.234'], fields, definitions, 'de').input.custom_fields).toEqual({ n: 1234 });
    expect(read(['1.234'], fields, definitions, 'en-US').input.custom_fields).toEqual({ n: 1.234 });
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
