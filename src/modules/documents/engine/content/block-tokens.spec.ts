import { describe, expect, it } from '@jest/globals';
import { isEncodable } from '../../model/core/barcodes.js';
import type { FieldSchema } from '../../model/core/field-schema.js';
import { documentContent } from './content.factory.js';
import { checkTemplate } from './document-template.js';
import { isIban, paymentText } from './payment-code.js';
import { textOfHtml } from './plain-text.js';
import { renderHtml, renderHtmlBody } from './render-html.js';

const SCHEMA: FieldSchema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    iban: { type: 'string' },
    currency: { type: 'string' },
    total: { type: 'integer', 'x-format': 'money', 'x-currency': 'currency' },
    wide: { type: 'boolean' },
    gtin: { type: 'string', 'x-format': 'ean13' },
    photo: { type: 'string', 'x-format': 'image' },
    items: {
      type: 'array',
      items: { type: 'object', properties: { name: { type: 'string' }, code: { type: 'string', 'x-format': 'ean8' } } },
    },
  },
};
const VALUES = { name: 'Möbelwerk Süd', iban: 'DE89 3704 0044 0532 0130 00', currency: 'EUR', total: 123_456 };
const content = (template: string, values: Record<string, unknown> = VALUES) =>
  documentContent({ template, schema: SCHEMA, values, finished: true });
const problems = (template: string) =>
  checkTemplate(template, { schema: SCHEMA, parties: [] }).map(({ line, message }) => `${line} ${message}`);

describe('columns', () => {
  const template = '# T\n\n{{#columns}}\n\nFrom\n\n{{#column}}\n\n- {{name}}\n\n{{/columns}}\n\nEnd';
  it('stand side by side, and below each other in text', () => {
    expect(problems(template)).toEqual([]);
    expect(renderHtmlBody(content(template)).replaceAll('\n', '')).toBe(
      '<h1>T</h1><div class="columns"><div><p>From</p></div><div><ul><li>Möbelwerk Süd</li></ul></div></div><p>End</p>',
    );
    expect(textOfHtml(renderHtml(content(template)))).toBe('# T\n\nFrom\n\n- Möbelwerk Süd\n\nEnd');
  });

  it.each([
    ['{{#columns}}\n\na', '1 write {{/columns}} after it'],
    ['{{/columns}}', '1 there is no {{#columns}} before it'],
    ['a\n\n{{#column}}', '3 there is no {{#columns}} before it'],
    ['{{#columns}}\n\n{{#columns}}\n\n{{/columns}}', '3 columns cannot contain columns: write {{/columns}} first'],
    ['{{#columns}}\n\n{{#page_break}}\n\n{{/columns}}', '3 columns cannot contain a page break'],
    ['{{#if wide}}\n{{#columns}}\n{{/if}}\n\na\n\n{{/columns}}', '7 columns must begin and end in the same section'],
    ['- a\n\n  {{#columns}}\n\n{{/columns}}', '3 {{#columns}} must be on a line of its own, between blank lines, without spaces before it'],
  ])('%j is refused', (wrong, problem) => {
    expect(problems(wrong)).toContain(problem);
  });
});

describe('a payment code', () => {
  const token = '{{#payment_qr name, iban, total, document.number}}';
  const codes = (values: Record<string, unknown>) => renderHtmlBody(content(token, values)).match(/<svg class="qr"/g)?.length ?? 0;

  it('has what banks read', () => {
    expect(paymentText({ name: 'Red Cross', iban: 'be72 0000 0000 1616', amount: 100n, reference: 'Urgency fund' })).toBe(
      'BCD\n002\n1\nSCT\n\nRed Cross\nBE72000000001616\nEUR1.00\n\n\nUrgency fund',
    );
    expect(['DE89370400440532013000', 'GB82WEST12345698765432', 'DE89370400440532013001', 'DE00'].map(isIban)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it.each([
    ['without an amount', { total: undefined }],
    ['of nothing', { total: 0 }],
    ['in another currency', { currency: 'USD' }],
    ['to no account', { iban: 'DE89 3704 0044 0532 0130 01' }],
    ['to nobody', { name: '' }],
  ])('is left out %s', (_, wrong) => {
    expect([codes(VALUES), codes({ ...VALUES, ...wrong })]).toEqual([1, 0]);
  });

  it('is refused without all that it needs', () => {
    const needs =
      '1 a payment code needs the name of the recipient, the IBAN, the amount, the reference: ' +
      'write {{#payment_qr name, iban, total, number}}';
    expect(problems(token)).toEqual([]);
    expect(problems('{{#payment_qr name, iban, 5, name}}')).toEqual([needs]);
    expect(problems('{{#payment_qr name, iban, total}}')).toEqual([needs]);
    expect(problems('{{#qr total}}')).toEqual(['1 a QR code needs one text: write {{#qr field}}']);
    expect(problems('{{#payment_qr name, iban,, total}}')[0]).toMatch(/^1 expected a value: .*, found ,$/);
  });
});

describe('a barcode', () => {
  const page = (template: string, values: object) => renderHtmlBody(content(template, { ...VALUES, ...values }));

  it('has the bars of its kind, and its text below them', () => {
    expect([problems('{{#barcode gtin}}'), problems('{{#barcode document.number}}')]).toEqual([[], []]);
    expect(problems('{{#barcode total}}')).toEqual(['1 a barcode needs one text: write {{#barcode field}}']);
    expect(problems('a {{#barcode gtin}}')).toEqual(['1 a barcode token must be on a line of its own, between blank lines']);
    const ean = page('{{#barcode gtin}}', { gtin: '4006381333931' });
    // an EAN-13 has 30 bars in 95 modules; 18 more are blank
    expect(ean).toMatch(/<p><svg class="barcode" role="img" aria-label="EAN-13" viewbox="0 0 113 40">.*<\/svg><br \/>4006381333931<\/p>/);
    expect(ean.match(/M\d+ 0h\dv40h-\dz/g)).toHaveLength(30);
    expect(ean).toContain('d="M11 0h1v40h-1zM13 0h1v40h-1zM17 0h2v40h-2z');
    const code = page('{{#barcode name}}', { name: '"A"<1>' });
    expect(code).toContain('aria-label="Code 128"');
    expect(code).toContain('&lt;1&gt;</p>');
    expect(page('{{#barcode gtin}}', {})).not.toContain('svg');
    expect(() => page('{{#barcode name}}', {})).toThrow(/has a text for a barcode that is not a text of 1 to 32 letters.*: Möbelwerk Süd/);
  });

  it('stands in the cells of its column, where it is no text to be broken', () => {
    const html = page('{{#table items}}', { items: [{ name: 'A', code: '12345670' }, { name: 'B' }] });
    expect(html).toMatch(/<td><svg class="barcode" role="img" aria-label="EAN-8" viewbox="0 0 81 40">.*<\/svg><br \/>12345670<\/td>/);
    expect(html.match(/<svg/g)).toHaveLength(1);
  });

  it.each([
    ['ean13', ['4006381333931', '0000000000000'], ['4006381333932', '400638133393', '400638133393X']],
    ['ean8', ['12345670', '96385074'], ['12345671']],
    ['upca', ['036000291452'], ['036000291453', '0036000291452']],
    ['code128', ['Order-4711', ' '], ['', 'ä', 'x'.repeat(33), 'a\tb']],
  ] as const)('%s takes only what scanners can read', (kind, right, wrong) => {
    expect([...right, ...wrong].map((text) => isEncodable(kind, text))).toEqual([...right.map(() => true), ...wrong.map(() => false)]);
  });
});

it.each([
  ['{{#image photo}}\n\n{{#image photo, 60}}\n\n{{#image photo, 60, name}}', []],
  ['{{photo}}', ['1 photo is a picture: write {{#image photo}}']],
  ['{{#image name}}', ['1 an image needs a field with the x-format image: write {{#image photo}} or, 60 mm wide, {{#image photo, 60}}']],
  [
    '{{#image photo, name}}',
    ['1 an image needs a field with the x-format image: write {{#image photo}} or, 60 mm wide, {{#image photo, 60}}'],
  ],
  ['a {{#image photo}}', ['1 a picture token must be on a line of its own, between blank lines']],
])('%j is checked as a picture', (template, expected) => {
  expect(problems(template)).toEqual(expected);
});

it('a page shows a QR code with its text for those who cannot see it', () => {
  const html = renderHtmlBody(content('{{#qr name}}', { name: '"><script>' }));
  expect(html).toMatch(
    /<svg class="qr" role="img" aria-label="&quot;&gt;&lt;script&gt;" viewbox="0 0 (\d+) \1"><path d="M[^"]+"><\/path><\/svg>/,
  );
  expect(() => renderHtmlBody(content('{{#qr name}}', { name: 'x'.repeat(1_001) }))).toThrow(/more than 1000 characters for a QR code/);
});
