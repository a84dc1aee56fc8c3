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

  @Field.dateTime({
    description: 'Time.',
    example: '2026-11-28T13:30:00Z',
    required: false,
  })
  at?: string;

  @Field.string({
    description: 'Currency.',
    example: 'EUR',
    required: false,
    pattern: '^[A-Z]{3}$',
  })
  currency?: string;

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
  timezone?: string;
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
  const fixture = (name: string) => readFileSync(join(PROJECT_ROOT, 'test/harness/csv', name));
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
      expect(await cell('price_amount', text)).toContain(
        'minor units, such as 12000 for 120.00 EUR or 120 for 120 JPY; for amounts such as 120.00',
      );
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
    expect(message).toContain(options.currency === null ? 'does not have a currency' : `must be an amount in ${options.currency ?? 'EUR'}`);
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
    await expect(named(Buffer.from([...Buffer.from('external_id\n'), 0x82, 0xa0, 0x81, 0x40]))).rejects.toThrow('in line 2');
    await expect(named(Buffer.from('PK\u0003\u0004\0\0\0external_id'))).rejects.toThrow('must be text');
  });
});

describe('a time', () => {
  const timezone = 'Europe/Berlin';

  it.each([
    ['28.11.2026 14:30', 'de', '2026-11-28T13:30:00.000Z'],
    ['28.07.2026, 14:30:05', 'de', '2026-07-28T12:30:05.000Z'],
    ['28.11.2026', 'de', '2026-11-27T23:00:00.000Z'],
    ['11/28/2026 2:30 PM', 'en-US', '2026-11-28T13:30:00.000Z'],
    ['11/28/2026 12:05 AM', 'en-US', '2026-11-27T23:05:00.000Z'],
    ['1/2/2026 14:30', 'en-GB', '2026-02-01T13:30:00.000Z'],
    ['2026. 2. 1. 14:30', 'hu', '2026-02-01T13:30:00.000Z'],
    ['2026-11-28 14:30:00', 'de', '2026-11-28T13:30:00.000Z'],
    ['2026-11-28T14:30:00+05:30', 'de', '2026-11-28T14:30:00+05:30'],
    ['2026-11-28T14:30:00Z', undefined, '2026-11-28T14:30:00Z'],
  ])('%s in %s is in the zone of the project', async (text, locale, value) =>
    expect(await cell('at', text, { locale, timezone })).toBe(value),
  );

  it.each([
    ['28.11.2026 14:30', undefined, 'locale=de-DE'],
    ['11/28/2026 14:30', 'de', 'in de it is written as 28.11.2026 14:30, in the time zone Europe/Berlin'],
    ['28.11.2026 24:30', 'de', 'in de it is written as'],
    ['28.11.2026 13:30 PM', 'de', 'in de it is written as'],
    ['29.03.2026 02:30', 'de', 'neither skip nor repeat'],
    ['25.10.2026 02:30', 'de', 'neither skip nor repeat'],
  ])('%s is refused in %s', async (text, locale, message) => expect(await cell('at', text, { locale, timezone })).toContain(message));
});

describe('headings', () => {
  it.each([
    [
      'Stock on 28 November;;\nexternal_id;name;on\no-1;Ada;',
      'no known headings in its first line; remove the lines above them. Its columns',
    ],
    ['"EXTF";700;21;"Buchungsstapel";12\nUmsatz;Soll\n1,00;S', 'no known headings'],
    ['name;on\nAda;2026-11-28', 'lacks the column external_id'],
  ])('that are not in the first line, or lack a column, are one error: %s', async (text, message) => {
    const refused = await readFile(text).catch((error: unknown) => error);
    expect(refused).toMatchObject({ message: expect.stringContaining(message), occurrence: { param: 'body' } });
    expect((refused as Error).message).toContain('external_id, on, at, currency, name');
  });
});

describe('a message', () => {
  it.each<[keyof RowDto, string, Options, string]>([
    ['price_amount', '5.5', { amounts: 'major', currency: 'JPY' }, 'must be an amount in JPY with no decimals;'],
    ['price_amount', '5,5', { amounts: 'major', currency: 'JPY', locale: 'de' }, 'with no decimals; in de it is written as 1.235'],
    [
      'price_amount',
      '5.50',
      { amounts: 'major', currency: 'eur' },
      'the currency of the row is unknown; write it as its ISO 4217 code in capitals',
    ],
    ['price_amount', '-20000', { amounts: 'major' }, 'price_amount must be -1000000 or more, in minor units'],
    ['price_amount', '90071992547409.93', { amounts: 'major' }, 'price_amount must be 9007199254740991 or less, in minor units'],
    ['price_amount', '9007199254740993', {}, 'price_amount must be 9007199254740991 or less'],
    ['price_amount', '-9007199254740993', {}, 'price_amount must be -1000000 or more'],
    ['currency', 'eur', {}, 'currency must be an ISO 4217 code in capitals, such as EUR'],
    ['count', '9007199254740993', {}, 'count must be 2147483647 or less'],
    ['quantity', '-5', {}, 'must be a decimal number that is not negative with up to 12 digits before and 6 after the point'],
  ])('about %s %s says what is wrong and no more', async (column, text, options, message) => {
    const said = (await cell(column, text, options)) as string;
    expect(said).toContain(message);
    if (!message.includes(';')) expect(said.endsWith(message)).toBe(true);
  });

  it.each(['4,01235E+12', '4.01235E+12', '4E+12', '-4,9E+13'])(
    'about a number that a spreadsheet rounded, %s, says how to export it',
    async (text) => {
      expect(await cell('name', text)).toContain(`name is ${text}, which lacks the last digits`);
      const { errors, valid } = await readFile(`external_id\n"${text}"\no-2`);
      expect([errors.map(({ row, param }) => [row, param]), valid.length]).toEqual([[[1, 'external_id']], 1]);
    },
  );

  it('does not take a name for such a number', async () => {
    for (const name of ['4E12', 'E+12', '12E+12', 'Model 4,0E+12']) expect(await cell('name', name)).toBe(name);
  });
});

describe('the encoding of an old Mac or of DOS', () => {
  const mac = (text: string) =>
    Buffer.from(
      text.replace(/[^\x00-\x7f]/g, (letter) => MAC[letter]),
      'latin1',
    );
  const MAC: Record<string, string> = {
    ä: '\x8a',
    ö: '\x9a',
    ü: '\x9f',
    ß: '\xa7',
    é: '\x8e',
    è: '\x8f',
    à: '\x88',
    '’': '\xd5',
    á: '\x87',
    ñ: '\x96',
  };
  const heading = 'external_id;name\no-1;';

  it.each(['Müller & Größe', 'Größe', 'Jäger in Köln, Straße, Größe', 'Café', 'l’été à côté'.replace('ô', 'o')])(
    'is refused unless it is named: %s',
    async (name) => {
      await expect(readFile(mac(heading + name))).rejects.toThrow('charset=windows-1252 if "');
      const { valid, encoding } = await readFile(mac(heading + name), { contentType: 'text/csv; charset=macintosh' });
      expect([valid[0].value.name, encoding]).toEqual([name, 'macintosh']);
    },
  );

  it('of DOS is refused', async () => {
    await expect(readFile(Buffer.from(heading + 'M\x84rz, K\x94ln', 'latin1'))).rejects.toThrow('looks like ibm850 ("März" in line 2)');
    for (const charset of ['ibm850', 'cp437', 'CP850', 'IBM437']) {
      const { valid } = await readFile(Buffer.from(heading + 'M\x84rz, K\x94ln', 'latin1'), {
        contentType: `text/csv; charset=${charset}`,
      });
      expect(valid[0].value.name).toBe('März, Köln');
    }
    await expect(readFile(heading, { contentType: 'text/csv; charset=base64' })).rejects.toMatchObject({
      occurrence: { param: 'Content-Type' },
    });
  });

  it.each([
    'Müller – “Söhne”, don’t l’été 5 € (§ 12) Köln–Bonn…',
    'Šakki ja Čelakovský'.replace('Č', 'C').replace('ý', 'ÿ'),
    'cœur, ÉTÉ, Ærø, Œuvre, naïve',
    'ŽIŽEK',
    '5 €/Stück',
  ])('is not seen in Windows-1252: %s', async (name) => {
    const bytes = Buffer.from(heading + name.replace(/[^\x00-\xff]/g, (mark) => OF_1252[mark]), 'latin1');
    const { valid, encoding } = await readFile(bytes);
    expect([valid[0].value.name, encoding]).toEqual([name, 'windows-1252']);
  });
  const OF_1252: Record<string, string> = {
    '€': '\x80',
    '…': '\x85',
    Š: '\x8a',
    Œ: '\x8c',
    Ž: '\x8e',
    '’': '\x92',
    '“': '\x93',
    '”': '\x94',
    '–': '\x96',
    œ: '\x9c',
  };
});

describe('damage', () => {
  it('by one NUL does not make the file UTF-16, and its line is named', async () => {
    await expect(readFile(`external_id,name\n${'o-1,Ada\n'.repeat(10_001)}`)).rejects.toMatchObject({
      spec: { code: 'payload_too_large' },
      occurrence: { param: 'body' },
    });
    await expect(readFile('external_id;name\no-1;Ada\no-2;A\0da\n')).rejects.toThrow('body has a NUL character in line 3; remove it');
  });

  it('by rows of blanks in quotes is none', async () => {
    const { rows, valid } = await readFile('external_id;name\n"o-1";" Ada "\n"";""\n" ";"  "\n;\n"o-2";" "\n');
    expect([rows, valid.map(({ value }) => value.name)]).toEqual([2, [' Ada ', undefined]]);
  });

  it('by line feeds in cells is none where lines end with carriage returns, and by those in headings neither', async () => {
    const { valid } = await readFile('external_id;name\r"o-1";"a\nb"\ro-2;c\r');
    expect(valid.map(({ value }) => value.name)).toEqual(['a\nb', 'c']);
    const second = await readFile('"note\n(any), long";external_id;name\r\n1,5;o-1;Ada\r\n');
    expect([second.delimiter, second.valid[0].value.name]).toEqual(['semicolon', 'Ada']);
    expect((await readFile('"sep=;"\nexternal_id;name\no-1;a,b,c\n')).valid[0].value.name).toBe('a,b,c');
  });
});
