import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { PRINTED_LANGUAGES } from './printed-words.js';
import { documentContent, NAMES, SCHEMA } from './content.factory.js';
import type { DocumentContent } from './document-content.js';
import { checkTemplate, defaultTemplate } from './document-template.js';
import { fieldText } from './field-text.js';
import { textOfHtml } from './plain-text.js';
import { renderHtml, renderHtmlBody, styleSource } from './render-html.js';
import { growth, LINEAR } from '../../../../../test/harness/cpu-time.js';

const SCHEMA_PRICE = { type: 'integer', 'x-format': 'money', 'x-currency': 'EUR' };
const body = (given: Partial<DocumentContent>) => renderHtmlBody(documentContent(given)).replace('<h1>Customer agreement</h1>', '').trim();

describe('checking a template', () => {
  it('reports no problems for a valid one', () => {
    const template =
      '# {{document.title}} {{ document.number }}\n\n**{{customer}}** and \\{{no token}}\n\n{{#table items}}\n\n' +
      'Made {{document.created_on}}, final {{document.finalized_on}}, signed {{signed_on customer}}' +
      '\n\n{{#logo}}\n\n{{#signature customer supplier}}';
    expect(checkTemplate(template, NAMES)).toEqual([]);
    expect(checkTemplate(defaultTemplate(SCHEMA), NAMES)).toEqual([]);
  });

  it.each([
    ['Hello\n\nDear {{custmer}}', { token: '{{custmer}}', line: 3, column: 6, message: 'custmer is not a field of this type' }],
    ['{{toString}}', { message: 'toString is not a field of this type' }],
    ['{{document.secret}}', { message: 'document.secret is not a field of this type' }],
    ['{{}}', { message: 'a token must name a field' }],
    ['a {{customer } b', { token: '{{customer ', column: 3, message: 'the token is not closed: write }} on the same line' }],
    ['{{#field a pattern=x|y}}', { token: '{{#field a pattern=x', message: expect.stringContaining('the text with | in quotes') }],
    ['{{#field a pattern="x|y}}', { token: '{{#field a pattern="x', message: expect.stringContaining('the text with | in quotes') }],
    ['{{items}}', { message: 'items is a table: write {{#table items}}' }],
    ['{{#table customer}}', { message: 'customer is a single value, not a table: write {{customer}}' }],
    ['{{#table rows}}', { message: 'rows is not a field of this type' }],
    ['All: {{#table items}}', { column: 6, message: 'a table token must be on a line of its own, between blank lines' }],
    ['All:\n{{#table items}}', { line: 2, message: 'a table token must be on a line of its own, between blank lines' }],
    ['{{#signature customer buyer}}', { message: 'buyer is not a party of signature_parties' }],
    ['By {{#signature customer}}', { message: 'a signature token must be on a line of its own, between blank lines' }],
    ['{{signed_on buyer}}', { message: 'buyer is not a party of signature_parties' }],
    ['[here](https://{{customer}})', { message: 'a link address cannot contain a token' }],
    ['Text\n\nNet {{1/0}}', { line: 3, column: 5, message: 'it is divided by zero, so that it never has a value' }],
    ['{{if(true, 1, 2 / (3 - 3))}}', { message: 'it is divided by zero, so that it never has a value' }],
    ['{{#if 1 / 0 > 2}}x{{/if}}', { message: 'it is divided by zero, so that it never has a value' }],
  ])('reports the problem in %j', (template, problem) => {
    expect(checkTemplate(template, NAMES)).toEqual([expect.objectContaining(problem)]);
  });
});

it('texts in quotes can contain bars, also in the cells of tables', () => {
  const template = [
    '{{if(customer = "Berlin|Bonn", 1, 2)}} | {{if(customer = "[0-9]{4}|x", 3, 4)}}',
    '| A | {{if(customer = "Berlin|Bonn", 5, 6)}} |\n|---|---|\n| B | {{if(customer != "Berlin\\|Bonn", 7, 8)}} |',
    '{{#if customer = "x|Berlin|Bonn" or customer = "Berlin|Bonn"}}Shown{{/if}}',
  ].join('\n\n');
  expect(checkTemplate(template, NAMES)).toEqual([]);
  const content = documentContent({ template, values: { customer: 'Berlin|Bonn' }, finished: true });
  expect(renderHtmlBody(content)).toMatch(/<p>1 \| 4<\/p>[^]*>A<\/th>\n<th[^>]*>5<\/th>[^]*<td>B<\/td>\n<td>7<\/td>[^]*<p>Shown<\/p>/);
});

describe('checking a template takes linear time', () => {
  it.each<[string, (size: number) => string]>([
    ['tokens on one line', (size) => '{{customer}} '.repeat(size)],
    ['invalid tokens on one line', (size) => '{{#if a}}'.repeat(size)],
    ['quotes and bars in tokens', (size) => `{{${'"a|b" '.repeat(size)}`],
    ['quotes and bars that do not end', (size) => `{{${"'|".repeat(size)}`],
    ['tokens after an open link', (size) => `](${'{{customer}}'.repeat(size)}`],
  ])('%s', async (_, template) => {
    expect(await growth(template, 4_000, (text) => checkTemplate(text, NAMES))).toBeLessThan(LINEAR);
  });
});

it('amounts below each other are grouped alike', () => {
  for (const amount of [275_000, 1_000_000])
    expect(
      fieldText({ type: 'integer', 'x-format': 'money', 'x-currency': 'EUR' }, amount, {}, { language: 'es', timeZone: 'Europe/Berlin' }),
    ).toMatch(/\.\d{3},00\sEUR$/);
});

it.each([
  ['fr-CH', 'CHF', "-1'234.50", "-1'234.50 CHF"],
  ['de-AT', 'EUR', '-1.234,50', '-EUR 1.234,50'],
  ['ar-EG', 'EGP', '-١٬٢٣٤٫٥٠', '-١٬٢٣٤٫٥٠ EGP'],
])('separates the digits of amounts alike with and without their currency in %s', (language, currency, alone, whole) => {
  const print = { language, timeZone: 'Europe/Berlin' };
  const text = (shown: 'code' | 'none') =>
    fieldText({ type: 'integer', 'x-format': 'money', 'x-currency': currency }, -123_450, {}, { ...print, currency: shown })
      ?.replace(/[\u00A0\u202F]/g, ' ')
      .replace(/[\p{Cf}]/gu, '');
  expect([text('none'), text('code')]).toEqual([alone, whole]);
});

it('words of the service are in the language of the document', () => {
  const printed = (language: string, template: string | null = '{{renews}}') =>
    renderHtml(documentContent({ template, values: { renews: true }, language }), 'DRAFT');
  for (const [language, yes, draft] of [
    ['en-GB', 'Yes', 'DRAFT'],
    ['de-AT', 'Ja', 'ENTWURF'],
    ['fr', 'Oui', 'PROJET'],
    ['es-MX', 'Sí', 'BORRADOR'],
    ['ja', 'はい', '下書き'],
    ['fi', 'Yes', 'DRAFT'],
  ]) {
    expect(printed(language)).toContain(`<p>${yes}</p>`);
    expect(printed(language)).toContain(`<p class="mark">${draft}</p>`);
  }
  expect([printed('zh-TW', null), printed('zh', null)]).toEqual([expect.stringContaining('>編號<'), expect.stringContaining('>编号<')]);
  const table = printed('de', null);
  for (const word of ['Feld', 'Wert', 'Nummer', 'Ja']) expect(table).toContain(`>${word}<`);
  expect(checkTemplate(defaultTemplate(SCHEMA, 'he'), NAMES)).toEqual([]);
});

describe('a value is formatted as its field specifies', () => {
  it.each([
    ['money', { type: 'integer', 'x-format': 'money', 'x-currency': 'EUR' }, 123456, 'EUR 1,234.56'],
    ['negative money', { type: 'integer', 'x-format': 'money', 'x-currency': 'EUR' }, -5, '-EUR 0.05'],
    ['money without minor units', { type: 'integer', 'x-format': 'money', 'x-currency': 'JPY' }, 1500, 'JPY 1,500'],
    [
      'money beyond the exact range of a double in cents',
      { type: 'integer', 'x-format': 'money', 'x-currency': 'EUR' },
      9007199254740991,
      'EUR 90,071,992,547,409.91',
    ],
    ['money with the currency of another field', { type: 'integer', 'x-format': 'money', 'x-currency': 'currency' }, 1050, 'KWD 1.050'],
    ['money in an unknown currency', { type: 'integer', 'x-format': 'money', 'x-currency': 'nowhere' }, 1050, null],
    ['money without a currency', { type: 'integer', 'x-format': 'money' }, 123456, '1,234.56'],
    ['negative money without a currency', { type: 'integer', 'x-format': 'money' }, -5, '-0.05'],
    ['a date', { type: 'string', format: 'date' }, '2026-03-01', 'March 1, 2026'],
    ['no date', { type: 'string', format: 'date' }, '2026-02-31x', '2026-02-31x'],
    ['a time', { type: 'string', format: 'date-time' }, '2026-03-01T23:30:00+01:00', 'March 1, 2026 at 11:30 PM GMT+1'],
    ['a phone number', { type: 'string', 'x-format': 'phone' }, '+4930901820', '+49 30 901820'],
    ['yes', { type: 'boolean' }, true, 'Yes'],
    ['no', { type: 'boolean' }, false, 'No'],
    ['a number', { type: 'number' }, 0.1, '0.1'],
    ['zero', { type: 'integer' }, 0, '0'],
    ['nothing', { type: 'string' }, '', null],
    ['null', { type: 'string' }, null, null],
  ] as const)('%s', (_, property, value, text) => {
    expect(
      fieldText(property, value, { currency: 'KWD' }, { language: 'en', timeZone: 'Europe/Berlin' })?.replace(/[\u00A0\u202F]/g, ' ') ??
        null,
    ).toBe(text);
  });

  it('in the language of the document', () => {
    const at = (language: string, timeZone: string) =>
      fieldText({ type: 'string', format: 'date-time' }, '2026-07-31T22:30:00Z', {}, { language, timeZone });
    expect(at('de', 'Europe/Berlin')).toBe('1. August 2026 um 00:30 MESZ');
    expect(at('en', 'America/New_York')).toBe('July 31, 2026 at 6:30 PM EDT');
    expect(fieldText({ type: 'string', format: 'date' }, '2026-03-01', {}, { language: 'de', timeZone: 'Europe/Berlin' })).toBe(
      '1. März 2026',
    );
    expect(
      fieldText(
        { type: 'integer', 'x-format': 'money', 'x-currency': 'EUR' },
        123456,
        {},
        { language: 'de', timeZone: 'Europe/Berlin' },
      )?.replace(/\u00A0/g, ' '),
    ).toBe('1.234,56 EUR');
  });
});

describe('a value always stays text', () => {
  it.each([
    '**bold** _em_ `code`',
    '<script>alert(1)</script>',
    '<b onclick=x>',
    '[x](javascript:alert(1))',
    '![x](https://evil.example/p.png)',
    '# heading',
    '1. one',
    '- item',
    '> quote',
    '---',
    '    indented',
    '| a | b |',
    'https://example.com',
    '{{document.number}}',
    '&amp;lt;',
    '\\',
    '~~s~~',
    '{{#table items}}',
    '```',
    '[a]: b',
  ])('%j', (value) => {
    expect(body({ template: '{{customer}}', values: { customer: value } })).toBe(`<p>${escaped(value)}</p>`);
    expect(body({ template: '| A |\n|---|\n| {{customer}} |', values: { customer: value } })).toContain(`<td>${escaped(value)}</td>`);
  });

  it('whatever it contains', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', minLength: 1 }).filter((value) => !/[\r\n\u2028\u2029\0\u00A0]/.test(value)),
        (value) => {
          expect(body({ template: '> - **{{customer}}**', values: { customer: value } })).toContain(`<strong>${escaped(value)}</strong>`);
        },
      ),
    );
  });

  it('with its line breaks', () => {
    expect(body({ template: '## {{customer}}', values: { customer: 'Nordwind\n\n# Hafen 1' } })).toBe(
      '<h2>Nordwind<br />\n<br />\n# Hafen 1</h2>',
    );
  });
});

describe('a document as HTML', () => {
  it('shows a missing value as a line in an unfinished document and as a dash in a finished one', () => {
    expect(body({ values: {} })).toBe('<p>For ________.</p>');
    expect(body({ values: {}, finished: true })).toBe('<p>For —.</p>');
    expect(
      body({
        template: '{{document.number}} {{document.finalized_on}}',
        document: { number: null, title: 'Customer agreement', created_on: '2026-02-11', finalized_on: null },
      }),
    ).toBe('<p>________ ________</p>');
  });

  it('leaves unknown tokens visible', () => {
    expect(body({ template: 'Dear {{nobody}} {{#table items}} {{toString}} {{customer' })).toBe(
      '<p>Dear {{nobody}} {{#table items}} {{toString}} {{customer</p>',
    );
  });

  it('renders rows as a table with columns in the order of the fields and numbers aligned right', () => {
    const table = body({
      template: '{{#table items}}',
      values: {
        items: [
          { name: 'Hosting', hours: 1.5, price: 100 },
          { name: 'A|B', __proto__: { hours: 3 } },
        ],
      },
    })
      .replaceAll('\n', '')
      .replace(/\u00A0/g, ' ');
    expect(table).toBe(
      '<table><thead><tr><th class="right" scope="col">Hours</th><th class="right" scope="col">Price (EUR)</th>' +
        '<th scope="col">Name</th></tr></thead>' +
        '<tbody><tr><td class="right">1.5</td><td class="right">1.00</td><td>Hosting</td></tr>' +
        '<tr><td class="right">________</td><td class="right">________</td><td>A|B</td></tr></tbody></table>',
    );
    expect(body({ template: '{{#table items}}', values: { items: [] } })).toContain('<td>________</td>');
  });

  it.each([
    ['as columns everywhere if it is narrow', 1, ''],
    ['as a list on phones', 100_000_000, 'some'],
    ['as a list on every screen', 1e15, 'many'],
  ])('shows a table %s', (_, price, kind) => {
    const columns = Array.from({ length: kind === 'many' ? 5 : 3 }, (_column, index) => [`p${index}`, SCHEMA_PRICE] as const);
    const schema = {
      type: 'object',
      properties: { items: { type: 'array', items: { type: 'object', properties: Object.fromEntries(columns) } } },
    };
    const row = Object.fromEntries(columns.map(([name]) => [name, price]));
    const html = body({ template: '{{#table items}}', schema: schema as never, values: { items: [row] } });
    expect(/<table(?: class="(\w+)")?/.exec(html)?.[1] ?? '').toBe(kind);
    expect(html.includes('<td class="right" data-label="P0 (EUR)" role="cell">')).toBe(kind !== '');
  });

  it('ends a table with the sums of the columns that have x-total, also in plain text', () => {
    const sum = (property: object) => ({ 'x-total': true, ...property });
    const properties = {
      name: { type: 'string' },
      hours: sum({ type: 'number' }),
      fee: sum({ type: 'integer', 'x-format': 'money', 'x-currency': 'currency' }),
      currency: { type: 'string' },
    };
    const schema = { type: 'object', properties: { items: { type: 'array', items: { type: 'object', properties } } } } as never;
    const page = (items: object[]) => renderHtml(documentContent({ template: '{{#table items}}', schema, values: { items } }));
    const rows = [
      { name: 'A', hours: 0.1, fee: 1_000, currency: 'EUR' },
      { name: 'B', hours: 0.2, fee: Number.MAX_SAFE_INTEGER, currency: 'EUR' },
      { name: 'C', fee: 5, currency: 'JPY' },
    ];
    const text = textOfHtml(page(rows)).replace(/\u00A0/g, ' ');
    expect(text).toMatch(/\nTotal \| Hours: 0\.3 \| Fee: EUR 90,071,992,547,419\.91 JPY 5$/);
    expect(page([{ name: 'A', fee: 5 }])).not.toContain('<tfoot');
    expect(page([])).not.toContain('<tfoot');
  });

  it('aligns numbers at the decimal point, and shows a currency once', () => {
    const properties = {
      quantity: { type: 'number', 'x-total': true },
      price: { type: 'integer', 'x-format': 'money', 'x-currency': 'currency', 'x-total': true },
      currency: { type: 'string' },
    };
    const schema = { type: 'object', properties: { items: { type: 'array', items: { type: 'object', properties } } } } as never;
    const rows = [{ quantity: 1.5, price: 100_000, currency: 'EUR' }, { quantity: 1_000, price: 5, currency: 'EUR' }, { quantity: 0.125 }];
    const cells = (items: object[], language = 'en') =>
      [
        ...body({ template: '{{#table items}}', schema, language, values: { items } }).matchAll(
          /<t[hd] class="right"[^>]*>([^]*?)<\/t[hd]>/g,
        ),
      ].map(([, cell]) =>
        cell
          .replace(/<span class="pad">|<\/span>|<\/?strong>/g, '')
          .replaceAll('\u2008', ',')
          .replaceAll('\u2007', '_')
          .replace(/[\u00A0\u202F]/g, ' '),
      );
    expect(cells(rows, 'de')).toEqual([
      'Quantity',
      'Price (EUR)',
      '1,5__',
      '1.000,00',
      '1.000,___',
      '0,05',
      '0,125',
      '________',
      'Summe 1.001,625',
      '1.000,05',
    ]);
    expect(cells([rows[0], { quantity: 2, price: 7, currency: 'JPY' }])).toEqual([
      'Quantity',
      'Price',
      '1.5',
      'EUR 1,000.00',
      '2,_',
      'JPY 7',
      'Total 3.5',
      'EUR 1,000.00<br />\nJPY 7',
    ]);
  });

  it('prints the amounts of a table in the currency of the document', () => {
    const price = { type: 'integer', 'x-format': 'money', 'x-currency': 'currency', 'x-total': true };
    const items = { type: 'array', items: { type: 'object', properties: { price } } };
    const schema = { type: 'object', properties: { items, currency: { type: 'string' } } } as never;
    const template = '{{#table items}}\n\n{{sum items.price}} {{words sum items.price}}{{#each items}} {{price}} {{price * 2}}{{/each}}';
    const shown = (currency?: string) =>
      textOfHtml(renderHtml(documentContent({ template, schema, values: { items: [{ price: 1_500 }], currency }, finished: true })))
        .replace(/[\u00A0\u202F]/g, ' ')
        .split('\n')
        .filter((line) => line !== '' && !line.startsWith('#'));
    expect(shown('JPY')).toEqual([
      'Price (JPY): 1,500',
      'Total 1,500',
      'JPY 1,500 one thousand five hundred Japanese yen JPY 1,500 JPY 3,000',
    ]);
    expect(shown()).toEqual(['Price: —', '— — — —']);
  });

  it('shows and adds amounts of a field without a currency', () => {
    const fee = { type: 'integer', 'x-format': 'money', 'x-total': true };
    const schema = { type: 'object', properties: { items: { type: 'array', items: { type: 'object', properties: { fee } } } } } as never;
    const values = { items: [{ fee: 125_050 }, { fee: 1 }] };
    const text = textOfHtml(renderHtml(documentContent({ template: '{{#table items}}', schema, values, finished: true })));
    expect(text).toMatch(/Fee: 1,250\.50\nFee: 0\.01\nTotal 1,250\.51$/);
  });

  it('removes images and unsafe links', () => {
    const html = body({
      template:
        '<img src=x onerror=alert(1)>\n\n![p](https://example.com/p.png)\n\n' +
        '[a](javascript:alert(1)) [b](data:text/html,x) [c](//evil.example) [d](mailto:a@example.com)',
    });
    expect(html).not.toMatch(/<img|href="(javascript|data|\/\/)/);
    expect(html).toContain('<a href="mailto:a@example.com" rel="noopener noreferrer nofollow">d</a>');
  });

  it('has exactly one level 1 heading, whatever the template contains', () => {
    for (const template of ['# One\n\n# Two\n\n## Three', 'Text\n\n# One', '', null])
      expect(renderHtmlBody(documentContent({ template })).match(/<h1>/g)).toHaveLength(1);
  });

  it('shows every field with its label, in order, if there is no template', () => {
    const html = renderHtmlBody(
      documentContent({
        template: null,
        values: { start_on: '2026-03-01' },
        schema: { ...SCHEMA, properties: { ...SCHEMA.properties, odd: { type: 'string', 'x-label': 'A|B *c* <i>' } } },
      }),
    );
    const labels = [...html.matchAll(/<tr>\s*<td>(.*?)<\/td>/g)].map(([, label]) => label);
    expect(labels.slice(0, 8)).toEqual(['Number', 'Customer', 'Phone', 'Begins on', 'Fee', 'Currency', 'Renews', 'A|B *c* &lt;i&gt;']);
    expect(html).toContain('<h2>Services</h2>');
    expect(html).toContain('March 1, 2026');
  });

  it('is a complete page in which every value is escaped', () => {
    const page = renderHtml(
      documentContent({
        language: 'de',
        document: { number: '<1>', title: '</title><script>', created_on: '2026-02-11', finalized_on: null },
      }),
      'DRAFT',
    );
    expect(page).toMatch(/^<!doctype html>\n<html lang="de" dir="ltr">/);
    expect(page).toContain('<title>&lt;/title&gt;&lt;script&gt; (&lt;1&gt;)</title>');
    expect(page).toContain('<p class="mark">ENTWURF</p>');
    expect(page).not.toMatch(/<script|style="/);
    expect(styleSource(page)).toMatch(/^'sha256-[A-Za-z0-9+/]{43}='$/);
  });
});

function escaped(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

it('pictures wider than the text, and words in a language without them, are refused', () => {
  const schema = { type: 'object', properties: { photo: { type: 'string', 'x-format': 'image' }, net: { type: 'integer' } } } as const;
  const problems = (template: string, over: object = {}) =>
    checkTemplate(template, { schema, parties: [], ...over }).map(({ line, message }) => `${line} ${message}`);
  expect(problems('{{#image photo, 9999}}')).toEqual(['1 the picture would be 9999 mm wide, but the text of the page is 157 mm wide']);
  expect(problems('{{#image photo, 100 + 60}}')).toHaveLength(1);
  expect(problems('{{#image photo, 0 - 1}}')).toEqual(['1 the width of a picture must be at least 5 mm']);
  expect(problems('{{#image photo, 0.0001}}')).toEqual(['1 the width of a picture must be at least 5 mm']);
  for (const width of ['60mm', '60 mm', '50%', '"60"', '1e9'])
    expect([width, problems(`{{#image photo, ${width}}}`)]).toEqual([width, [expect.any(String)]]);
  expect(problems('{{#image photo, 157}}\n\n{{#image photo, net}}')).toEqual([]);
  expect(problems('{{words net}}', { language: 'fi' })).toEqual([expect.stringContaining('cannot be written in words in the language fi')]);
  for (const language of PRINTED_LANGUAGES) expect([language, problems('{{words net}}', { language })]).toEqual([language, []]);
});
