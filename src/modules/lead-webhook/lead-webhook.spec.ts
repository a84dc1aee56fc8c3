import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { bodyText, LONGEST_BODY, maskedBody } from './body-text.js';
import { csvRecords, surveyed } from './csv-rows.js';
import { mappingOf } from './lead-import-mapping.js';
import { readRow } from './lead-import-row.js';
import { choose, MATCHED_BY, turnsOf } from './lead-matching.js';
import { RowRepeats } from './row-repeats.js';
import { leadOf, requireIdentity } from './submission.js';

const PLACE = ['org', 'project', 'live'];

describe('matching', () => {
  const lead = (id: string, external_id: string | null, email_normalized: string | null, phone_normalized: string | null) => ({
    id,
    external_id,
    email_normalized,
    phone_normalized,
  });
  const idsOf = (match: ReturnType<typeof choose>) =>
    match && { id: match.lead.id, by: match.by, candidates: match.candidates.map(({ id }) => id) };
  const [a, b, c] = [lead('a', null, 'mail', null), lead('b', 'form', 'mail', null), lead('c', null, null, 'number')];

  it('finds nobody without a hit, and nobody by what was not given', () => {
    expect(choose([], { external_id: 'form', email: 'mail', phone: 'number' })).toBeNull();
    expect(choose([a, b, c], { external_id: null, email: 'other', phone: null })).toBeNull();
  });

  it('takes the strongest match and of equals the oldest, and names all candidates once', () => {
    expect(idsOf(choose([a, b, c], { external_id: 'form', email: 'mail', phone: 'number' }))).toEqual({
      id: 'b',
      by: 'external_id',
      candidates: ['b', 'a', 'c'],
    });
    expect(idsOf(choose([a, b], { external_id: 'new', email: 'mail', phone: 'number' }))).toEqual({
      id: 'a',
      by: 'email',
      candidates: ['a', 'b'],
    });
    expect(idsOf(choose([c], { external_id: null, email: 'mail', phone: 'number' }))).toEqual({ id: 'c', by: 'phone', candidates: ['c'] });
  });

  it('takes its turn by each value once, each place apart', () => {
    const value = fc.option(fc.constantFrom('a', 'b', 'c'), { nil: null });
    const identity = fc.record({ external_id: value, email: value, phone: value });
    fc.assert(
      fc.property(identity, identity, (one, other) => {
        const [first, second] = [turnsOf(PLACE, one), turnsOf(PLACE, other)];
        expect(new Set(first).size).toBe(MATCHED_BY.filter((name) => one[name] !== null).length);
        const shared = MATCHED_BY.filter((name) => one[name] !== null && one[name] === other[name]);
        expect(first.filter((turn) => second.includes(turn))).toHaveLength(shared.length);
        expect(turnsOf(['org', 'project', 'test'], one).filter((turn) => first.includes(turn))).toEqual([]);
      }),
    );
  });
});

describe('a submission', () => {
  it('leaves out null and blank text, but never false or zero', () => {
    expect(
      leadOf({
        full_name: 'Ada',
        email: null,
        phone: ' ',
        consent_email: false,
        consent_sms: null,
        custom_fields: { a: 0, b: null, c: '' },
        update_if_exists: true,
        project_id: 'p',
      }),
    ).toEqual({ full_name: 'Ada', consent_email: false, custom_fields: { a: 0, c: '' } });
  });

  it.each([
    [{ email: 'a@b.example' }, 'full_name is required, or first_name and last_name'],
    [{ last_name: 'B', phone: '1' }, 'full_name is required, or first_name and last_name'],
    [{ full_name: 'A' }, 'email or phone is required'],
    [{ full_name: 'A', email: 'a@', phone: '1' }, 'email must be an e-mail address'],
  ])('%j is refused', (input, message) => {
    expect(() => requireIdentity(input)).toThrow(message);
  });
});

describe('the body in the log', () => {
  it('is bounded and can be stored', () => {
    expect(bodyText(Buffer.from('a\u0000b'))).toBe('a\ufffdb');
    expect(bodyText(Buffer.alloc(LONGEST_BODY * 2, 'x'))).toHaveLength(LONGEST_BODY);
    expect(bodyText(Buffer.from([0xff, 0x41]))).toBe('\ufffdA');
  });

  it('loses what it says about the person and keeps what it says about the form', () => {
    expect(
      JSON.parse(
        maskedBody(
          '{"full_name":"Ada","utm_source":"x","update_if_exists":true,"consent_email":true,"custom_fields":{"a":[1,null]},"source_id":{"x":"Ada"}}',
        ),
      ),
    ).toEqual({
      full_name: '***',
      utm_source: 'x',
      update_if_exists: true,
      consent_email: '***',
      custom_fields: { a: ['***', null] },
      source_id: { x: '***' },
    });
    expect([maskedBody('Ada <ada@example.com>'), maskedBody('["ada@example.com"]'), maskedBody('"Ada"')]).toEqual(['***', '***', '***']);
  });

  it('never keeps a value of the person, whatever the body', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const secret = 'sécret-value';
        expect(maskedBody(JSON.stringify({ value, email: secret, custom_fields: { deep: [{ secret }] } }))).not.toContain(secret);
      }),
    );
  });
});

describe('CSV', () => {
  const rowsOf = async (text: string) => {
    const rows: string[][] = [];
    for await (const row of csvRecords(Buffer.from(text))) rows.push(row);
    return rows;
  };

  it.each([
    ['commas', ','],
    ['semicolons', ';'],
    ['tabs', '\t'],
  ])('is read with %s, quotes, blank lines and a byte order mark', async (_, mark) => {
    expect(await rowsOf(`\ufeffa${mark}b\r\n"x ""y""\n${mark}z"${mark}2\r\n\r\n3${mark}4`)).toEqual([
      ['a', 'b'],
      [`x "y"\n${mark}z`, '2'],
      ['3', '4'],
    ]);
  });

  it('is counted, also over pieces that split characters', async () => {
    const rows = Array.from({ length: 9_000 }, (_, n) => `Jürgen ${n},ü${n}@example.com`);
    expect(await surveyed(Buffer.from(`name,email\n${rows.join('\n')}`))).toEqual({ headings: ['name', 'email'], rows: 9_000 });
    expect((await rowsOf(`name,email\n${rows.join('\n')}`))[8_999]).toEqual(['Jürgen 8998', 'ü8998@example.com']);
  });

  it('is refused when it is no text', async () => {
    await expect(surveyed(Buffer.from([0x61, 0x0a, 0xff, 0xfe]))).rejects.toThrow('UTF-8');
  });
});

describe('a mapping', () => {
  it('is told by the headings, or given', () => {
    expect(mappingOf(['Full Name', 'E-mail', 'custom_fields.budget', 'Other'], undefined, ['budget'])).toEqual({
      mapping: { 'Full Name': 'full_name', 'custom_fields.budget': 'custom_fields.budget' },
      ignored_columns: ['E-mail', 'Other'],
    });
    expect(mappingOf(['a', 'b'], { a: 'email', b: null }, [])).toEqual({ mapping: { a: 'email' }, ignored_columns: ['b'] });
  });

  it.each([
    [['a'], { x: 'email' }, 'names the column "x"'],
    [['a'], { a: 'owner_id' }, 'is no field'],
    [['a'], { a: 'custom_fields.unknown' }, 'is no field'],
    [['a', 'b'], { a: 'email', b: 'email' }, 'to several columns'],
    [['email', 'E-mail', 'e mail'], { email: 'email', 'E-mail': 'email' }, 'to several columns'],
    [['a', 'a'], { a: 'email' }, 'several columns "a"'],
    [['a'], undefined, 'no column is mapped'],
    [['__proto__'], undefined, 'no column is mapped'],
  ])('of %j by %j is refused', (headings, given, message) => {
    expect(() => mappingOf(headings, given, [])).toThrow(message);
  });
});

describe('a row', () => {
  const read = (cells: string[], fields: string[], definitions: { key: string; type: string }[] = []) =>
    readRow(1, fields, cells, Object.fromEntries(fields.map((field) => [field, field])), definitions);

  it('says nothing by empty and absent cells', () => {
    expect(read(['Ada', '', ' '], ['full_name', 'email', 'phone', 'job_title'])).toEqual({
      number: 1,
      input: { full_name: 'Ada' },
      problems: [],
    });
  });

  it('has flags and values by the types of the fields', () => {
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

  it('has its problems by field', () => {
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
    const repeats = new RowRepeats('DE');
    expect(repeats.add(1, { email: 'A@b.example', phone: '030 901820' })).toEqual([]);
    expect(repeats.add(2, { email: 'a@B.example ', phone: '+49 30 901820' })).toEqual([
      { param: 'email', first: 1 },
      { param: 'phone', first: 1 },
    ]);
    expect(repeats.add(3, { external_id: 'A' })).toEqual([]);
    expect(repeats.add(4, { external_id: 'a' })).toEqual([]);
  });
});
