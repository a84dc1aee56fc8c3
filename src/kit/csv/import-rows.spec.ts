import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { PROJECT_ROOT } from '../../platform/config/project-root.js';
import { Field } from '../fields/fields.js';
import { importResult, readImport } from './import-rows.js';

class RowDto {
  @Field.string({
    description: 'Id.',
    example: 'o-1',
  })
  external_id: string;

  @Field.date({
    description: 'Day.',
    example: '2026-11-28',
    required: false,
  })
  on?: string;

  @Field.string({
    description: 'Name.',
    example: 'Ada',
    required: false,
  })
  name?: string;

  @Field.amount({
    description: 'Price.',
    example: 123450,
    required: false,
    minimum: -1_000_000,
  })
  price_amount?: number;

  @Field.decimal({
    description: 'Quantity.',
    example: '1.5',
    required: false,
  })
  quantity?: string;

  @Field.integer({
    description: 'Count.',
    example: 1,
    required: false,
  })
  count?: number;

  @Field.boolean({
    description: 'Whether it is active.',
    example: true,
    required: false,
  })
  active?: boolean;
}

interface Options {
  locale?: string;
  amounts?: 'minor' | 'major';
  currency?: string | null;
  contentType?: string;
}

const readFile = (file: Buffer | string, { currency = 'EUR', contentType = 'text/csv', ...query }: Options = {}) =>
  readImport(RowDto, { bytes: Buffer.from(file as string), contentType }, query, (rows) => Promise.resolve(rows.map(() => currency)));

/** The value of one column with one cell, or the message about it. */
async function cell(column: keyof RowDto, text: string, options?: Options): Promise<unknown> {
  const { valid, errors } = await readFile(`external_id\t${column}\no-1\t${text}`, options);
  return valid.length === 1 ? valid[0].value[column] : errors[0].message;
}

const ROWS = [
  { external_id: 'o-1', on: '2026-11-28', name: 'Müller & Söhne; Köln', price_amount: 123450, quantity: '1.5', active: true },
  { external_id: 'o-2', on: '2026-02-01', name: 'Größe "L"', price_amount: -99, quantity: '2000', active: false },
];

/** As bytes of Windows-1252, in which only the euro sign differs from Latin-1 here. */
const windows1252 = (text: string) => Buffer.from(text.replaceAll('€', '\x80'), 'latin1');
const germanExcel =
  'External id;On;Name;Price amount;Quantity;Active\r\no-1;28.11.2026;"Müller & Söhne; Köln";1.234,50 €;1,5;WAHR\r\n;;;;;\r\n' +
  'o-2;01.02.2026;"Größe ""L""";-0,99 €;2.000;FALSCH\r\n;;;;;\r\n;;;;;\r\n';
const frenchExcel =
  'External id;On;Name;Price amount;Quantity;Active\r\no-1;28/11/2026;"Müller & Söhne; Köln";1\xa0234,50 €;1,5;VRAI\r\n' +
  'o-2;01/02/2026;"Größe ""L""";-0,99 €;2\xa0000,00;FAUX\r\n;;;;;\r\n';
const usExcel =
  'External id,On,Name,Price amount,Quantity,Active\r\no-1,11/28/2026,Müller & Söhne; Köln,"€1,234.50",1.5,TRUE\r\n' +
  'o-2,2/1/2026,"Größe ""L""",-€0.99,"2,000",FALSE\r\n,,,,,\r\n';
const unicodeText =
  '\ufeff' + germanExcel.replaceAll('"Müller & Söhne; Köln"', 'Müller & Söhne# Köln').replaceAll(';', '\t').replace('#', ';');

describe('a file of a spreadsheet', () => {
  const fixture = (name: string) => readFileSync(join(PROJECT_ROOT, 'test/kit/csv', name));
  const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16();

  it.each<[string, Buffer, string, string, string]>([
    ['LibreOffice in German', fixture('libreoffice-german-windows-1252.csv'), 'de-DE', 'windows-1252', 'semicolon'],
    ['LibreOffice in UTF-16', fixture('libreoffice-german-utf-16.csv'), 'de-DE', 'utf-16le', 'tab'],
    ['LibreOffice in French', fixture('libreoffice-french-utf-8.csv'), 'fr-FR', 'utf-8', 'semicolon'],
    ['LibreOffice in English', fixture('libreoffice-us-utf-8.csv'), 'en-US', 'utf-8', 'comma'],
    ['Excel in German', windows1252(germanExcel), 'de', 'windows-1252', 'semicolon'],
    ['Excel in German, CSV UTF-8', Buffer.from(`\ufeff${germanExcel}`), 'de-AT', 'utf-8', 'semicolon'],
    ['Excel in French', windows1252(frenchExcel), 'fr-FR', 'windows-1252', 'semicolon'],
    ['Excel in English', windows1252(usExcel), 'en-US', 'windows-1252', 'comma'],
    ['Excel, Unicode text', Buffer.from(unicodeText, 'utf16le'), 'de-DE', 'utf-16le', 'tab'],
    ['UTF-16 in the other order', utf16be(unicodeText), 'de-DE', 'utf-16be', 'tab'],
    ['UTF-16 without a mark', Buffer.from(unicodeText.slice(1), 'utf16le'), 'de-DE', 'utf-16le', 'tab'],
  ])('%s is read by its locale, and says how', async (_, file, locale, encoding, delimiter) => {
    const read = await readFile(file, { locale, amounts: 'major' });
    expect(read.errors).toEqual([]);
    expect(read.valid).toEqual(ROWS.map((value, index) => ({ row: index + 1, value })));
    expect(importResult(read, true)).toMatchObject({ rows: 2, imported: 2, encoding, delimiter, locale });
  });

  it('without a locale is refused cell by cell, and the message names the parameter', async () => {
    const { errors, valid } = await readFile(windows1252(germanExcel));
    expect(valid).toEqual([]);
    expect(errors.map(({ row, param }) => [row, param])).toEqual(
      [1, 2].flatMap((row) => ['on', 'price_amount', 'quantity', 'active'].map((param) => [row, param])),
    );
    for (const { param, message } of errors)
      expect(message).toContain(param === 'price_amount' ? 'amounts=major' : "name the file's locale, such as locale=de-DE");
  });
});

describe('a number', () => {
  it.each<[string, string, string | undefined]>([
    ['1234.5', '1234.5', undefined],
    ['1,5', '1.5', 'de'],
    ['1.500', '1500', 'de'],
    ['1.500', '1.5', 'en-US'],
    ['1,500', '1500', 'en-US'],
    ['1,500', '1.5', 'fr'],
    ["12'345.5", '12345.5', 'de-CH'],
    ['1 234 567,5', '1234567.5', 'sv-SE'],
    ['12,34,567.5', '1234567.5', 'en-IN'],
  ])('%s is %s in %s', async (text, number, locale) => expect(await cell('quantity', text, { locale })).toBe(number));

  it.each<[string, string | undefined]>([
    ['1,5', undefined],
    ['1.500', undefined],
    ['12.50', 'de'],
    ['1.23.456', 'de'],
    ['1234.567,5', 'de'],
    ['1,50', 'en-US'],
    ['1,234.567,8', 'en-US'],
    ['1,2,3', 'de'],
    ['1e3', 'de'],
  ])('%s is refused in %s', async (text, locale) => {
    expect(await cell('quantity', text, { locale })).toContain(locale === undefined ? 'locale=de-DE' : `in ${locale} it is written as`);
  });

  it('of a column of whole numbers has neither separators nor decimals', async () => {
    expect(await cell('count', '1000', { locale: 'de' })).toBe(1000);
    for (const text of ['1.000', '1,000', '1.0', '1e3']) {
      expect(await cell('count', text, { locale: 'de' })).toContain('must be a whole number');
      expect(await cell('price_amount', text)).toContain('minor units, such as 12000 for 120.00; for amounts such as 120.00');
    }
  });
});

describe('an amount in major units', () => {
  it.each<[string, number, Options]>([
    ['120.00', 12000, {}],
    ['120', 12000, {}],
    ['0.1', 10, {}],
    ['-120,5', -12050, { locale: 'de' }],
    ['1.234', 123400, { locale: 'de' }],
    ['¥1,234', 1234, { locale: 'en', currency: 'JPY' }],
    ['1234.567', 1234567, { currency: 'KWD' }],
    ['EUR 5', 500, {}],
    ['5 EUR', 500, {}],
    ['CHF 1’234.50', 123450, { locale: 'de-CH', currency: 'CHF' }],
  ])('%s is %i', async (text, amount, options) => expect(await cell('price_amount', text, { amounts: 'major', ...options })).toBe(amount));

  it.each<[string, Options]>([
    ['120.005', {}],
    ['1.000', {}],
    ['1,000', { locale: 'de' }],
    ['1,50', {}],
    ['1.5', { currency: 'JPY' }],
    ['1.234', { currency: 'KWD' }],
    ['$5', {}],
    ['1e2', {}],
    ['12', { currency: null }],
  ])('%s is refused', async (text, options) => {
    const message = await cell('price_amount', text, { amounts: 'major', ...options });
    expect(message).toContain(
      options.currency === null ? 'does not tell its currency' : `must be an amount in ${options.currency ?? 'EUR'}`,
    );
  });
});

describe('a day and a flag', () => {
  it.each([
    ['on', '1.2.2026', 'de', '2026-02-01'],
    ['on', '1/2/2026', 'en-GB', '2026-02-01'],
    ['on', '1/2/2026', 'en-US', '2026-01-02'],
    ['on', '2026/02/01', 'ja', '2026-02-01'],
    ['on', '2026. 2. 1.', 'hu', '2026-02-01'],
    ['on', '2026-02-01', 'de', '2026-02-01'],
    ['active', 'Ja', 'de', true],
    ['active', 'NEIN', 'de-AT', false],
    ['active', 'oui', 'fr-BE', true],
    ['active', 'TRUE', 'de', true],
    ['active', '0', 'de', false],
  ] as const)('%s %s in %s', async (column, text, locale, value) => expect(await cell(column, text, { locale })).toBe(value));

  it.each([
    ['on', '28.11.26', 'de', 'in de it is written as 28.11.2026'],
    ['on', '11/28/2026', 'en-GB', 'in en-GB it is written as 28/11/2026'],
    ['on', '31.02.2026', 'de', 'must be a calendar date'],
    ['on', '28.11.2026', undefined, 'locale=de-DE'],
    ['active', 'ja', 'fr', 'in fr it is written as oui or non'],
    ['active', 'yes', undefined, 'locale=de-DE'],
  ] as const)('%s %s is refused in %s', async (column, text, locale, message) =>
    expect(await cell(column, text, { locale })).toContain(message),
  );

  it('needs a known locale', async () => {
    for (const locale of ['xx-YY', 'de_DE', 'german language'])
      await expect(readFile('external_id\no-1', { locale })).rejects.toMatchObject({ occurrence: { param: 'locale' } });
  });
});

describe('an encoding', () => {
  const named = (bytes: Buffer, contentType?: string) => readFile(bytes, { contentType });

  it('may be named by the Content-Type', async () => {
    const polish = Buffer.from([...Buffer.from('external_id;name\no-1;'), 0xa3, 0xf3, 0x64, 0x9f]);
    const { valid, encoding } = await named(polish, 'text/csv; charset=windows-1250');
    expect([valid[0].value.name, encoding]).toEqual(['Łódź', 'windows-1250']);
    await expect(named(polish, 'text/csv; charset=klingon')).rejects.toMatchObject({ occurrence: { param: 'Content-Type' } });
  });

  it('is detected although a library states UTF-8 of any text', async () => {
    const { valid, encoding } = await named(windows1252('external_id;name\no-1;5 €'), 'text/csv; charset=utf-8');
    expect([valid[0].value.name, encoding]).toEqual(['5 €', 'windows-1252']);
  });

  it('that cannot be detected is refused instead of read wrongly', async () => {
    const damaged = Buffer.concat([Buffer.from('external_id;name\no-1;Müller Söhne'), Buffer.from([0xff])]);
    await expect(named(damaged)).rejects.toThrow('UTF-8 with invalid bytes');
    await expect(named(Buffer.from([...Buffer.from('external_id\n'), 0x82, 0xa0, 0x81, 0x40]))).rejects.toThrow('cannot be detected');
    await expect(named(Buffer.from('PK\u0003\u0004\0\0\0external_id'))).rejects.toThrow('must be text');
  });
});
