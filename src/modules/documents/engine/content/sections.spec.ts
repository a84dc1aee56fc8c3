import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Calculation } from '../../model/expressions/evaluate.js';
import { checkTemplate } from './document-template.js';
import { documentContent, SCHEMA } from './content.factory.js';
import { unsupportedMarkdown } from './markdown.js';
import { renderHtmlBody } from './render-html.js';
import { Sections } from './sections.js';
import { growth, LINEAR } from '../../../../../test/harness/cpu-time.js';

const schema = {
  ...SCHEMA,
  properties: {
    ...SCHEMA.properties,
    level: { type: 'string', enum: ['basic', 'gold'] },
    signed_on: { type: 'string', format: 'date' },
  },
} as typeof SCHEMA;
const chosen = (template: string, values: Record<string, unknown>) =>
  new Sections({ schema }, { values, rows: {}, groups: {} }, new Calculation(), () => undefined).expand(template);
const body = (template: string, values: Record<string, unknown>, language = 'en') =>
  renderHtmlBody(documentContent({ template: `# T\n\n${template}`, schema, values, language, finished: true }))
    .replace('<h1>T</h1>', '')
    .replace(/\u00A0/g, ' ')
    .trim();

describe('a section', () => {
  it.each([
    ['customer', { customer: 'Nordwind' }, true],
    ['customer', { customer: '' }, false],
    ['customer', {}, false],
    ['toString', {}, false],
    ['renews', { renews: false }, false],
    ['fee', { fee: 0 }, true],
    ['items', { items: [] }, false],
    ['items', { items: [{}] }, true],
    ['fee >= 100000', { fee: 100_000 }, true],
    ['fee>100000', { fee: 100_000 }, false],
    ['fee < -1.5', { fee: -2 }, true],
    ['fee < 5', { fee: '1' }, false],
    ['currency = "EUR"', { currency: 'EUR' }, true],
    ['currency != "EUR"', {}, true],
    ['currency = "{EUR}"', { currency: '{EUR}' }, true],
    ['renews = false', { renews: false }, true],
    ['signed_on >= "2026-03-01"', { signed_on: '2026-11-24' }, true],
    ['signed_on < "2026-03-01"', { signed_on: '2026-11-24' }, false],
  ])('%s of %j is shown: %s', (condition, values, isShown) => {
    expect(chosen(`a {{#if ${condition}}}yes{{else}}no{{/if}} b`, values)).toBe(`a ${isShown ? 'yes' : 'no'} b`);
    expect(chosen(`a\n{{#if ${condition}}}\nyes\n{{else}}\r\nno\n  {{/if}}  \nb`, values)).toBe(`a\n${isShown ? 'yes' : 'no'}\nb`);
  });

  it('contains others, tables and lists', () => {
    const template =
      'Fees\n\n{{#if items}}\n{{#table items}}\n{{else}}\n- none{{#if renews}}\n- but renews{{/if}}\n{{/if}}\n\n\\{{#if fee}} stays';
    expect(checkTemplate(template, { schema, parties: [] })).toEqual([]);
    expect(body(template, { items: [{ name: 'Hosting' }] })).toContain('<td>Hosting</td>');
    expect(body(template, { renews: true })).toMatch(/<li>none<\/li>\s*<li>but renews<\/li>[^]*\{\{#if fee\}\} stays/);
  });

  it('is never begun or ended by a value', () => {
    const value = '{{/if}}{{#if fee}}{{else}}';
    expect(body('{{#if customer}}{{customer}}{{/if}}', { customer: value })).toBe(`<p>${value}</p>`);
  });

  it('stays in a published template that compares an integer with 120.00', () =>
    expect(chosen('{{#if fee >= 120.00}}a{{/if}}', { fee: 120 })).toBe('a'));

  it('leaves text without sections as it is, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        fc.pre(!text.includes('{{'));
        expect(chosen(text, {})).toBe(text);
        expect(chosen(`{{#if fee}}${text}{{else}}no{{/if}}`, { fee: 1 }).trim()).toBe(text.trim());
      }),
    );
  });

  it.each([
    ['{{#if}}a{{/if}}', 'a section must name a field: write {{#if field}}'],
    ['{{#if nobody}}a{{/if}}', 'nobody is not a field of this type'],
    [
      '{{#if fee = "x"}}a{{/if}}',
      'fee can be compared with a whole number of minor units, such as 12000 for 120.00 EUR or 120 for 120 JPY',
    ],
    [
      '{{#if fee >= 120.00}}a{{/if}}',
      'fee can be compared with a whole number of minor units, such as 12000 for 120.00 EUR or 120 for 120 JPY',
    ],
    ['{{#if currency > "EUR"}}a{{/if}}', 'currency can only be compared by = and !='],
    ['{{#if currency = EUR}}a{{/if}}', 'currency can be compared with a text in quotes, such as "EUR"'],
    ['{{#if level = "silver"}}a{{/if}}', 'silver is not a value of level: basic, gold'],
    ['{{#if items = 1}}a{{/if}}', 'items is a table, which cannot be compared: write {{#if items}}'],
    ['{{#if fee}}a', 'the section is not ended: write {{/if}} after it'],
    ['a{{/if}}', 'there is no {{#if ...}} before it'],
    ['a{{else}}', 'there is no {{#if ...}} before it'],
    ['{{#if fee}}a{{else}}b{{else}}c{{/if}}', 'the section has an {{else}} already'],
    [`${'{{#if fee}}'.repeat(11)}a${'{{/if}}'.repeat(11)}`, 'sections can be nested 10 levels deep'],
  ])('%s is refused with its place', (template, message) => {
    expect(checkTemplate(`x\n${template}`, { schema, parties: [] })).toEqual([expect.objectContaining({ line: 2, message })]);
  });

  it.each<[string, string, string?]>([
    ['sections on one line', '{{#if fee}}a{{/if}}'],
    ['spaces around sections', `${' '.repeat(20)}{{#if fee}}{{/if}}`],
    ['spaces in a section that is not ended', ' ', '{{#if '],
    ['spaces after else', ' ', '{{else if '],
  ])('is chosen in linear time: %s', async (_, section, before = '') => {
    const templateOf = (size: number) => before + section.repeat(size);
    expect(await growth(templateOf, 1_500, (template) => chosen(template, { fee: 1 }))).toBeLessThan(LINEAR);
    expect(await growth(templateOf, 1_500, (template) => checkTemplate(template, { schema, parties: [] }))).toBeLessThan(LINEAR);
  });
});

describe('sums and words', () => {
  const values = { fee: 123_456, currency: 'EUR', items: [{ price: 100_050 }, { price: 1 }] };

  it.each([
    ['{{sum items.price}}', 'en', 'EUR 1,000.51'],
    ['{{words fee}}', 'en', 'one thousand two hundred thirty-four 56/100 euros'],
    ['{{words sum items.price}}', 'de', 'eintausend 51/100 Euro'],
    ['{{words sum items.price}}', 'fr', 'mille 51/100 euros'],
    ['{{words sum items.price}}', 'ja', '千 51/100 ユーロ'],
    ['{{words fee}}', 'ar', 'ألف ومئتان وأربعة وثلاثون 56/100 يورو'],
    ['{{words fee}}', 'he', 'אלף מאתיים שלושים וארבעה 56/100 אירו'],
    ['{{words fee}}', 'pl', 'tysiąc dwieście trzydzieści cztery 56/100 euro'],
  ])('%s in %s', (token, language, text) => {
    expect(checkTemplate(token, { schema, parties: [] })).toEqual([]);
    expect(body(token, values, language)).toBe(`<p>${text}</p>`);
  });

  it.each([
    ['{{words customer}}', 'customer is not a field of the type integer'],
    ['{{sum fee.price}}', 'fee is not a table of this type'],
    ['{{sum items.name}}', 'name is not a column of items with the type integer or number'],
  ])('%s is refused', (token, message) => {
    expect(checkTemplate(token, { schema, parties: [] })).toEqual([expect.objectContaining({ message })]);
  });
});

describe('Markdown that would be printed as it is written', () => {
  it.each([
    ['a\n\n![logo](https://example.com/x.png)', 'line 3: images cannot be used in a template'],
    ['`code`', 'line 1: code cannot be used in a template'],
    ['~~~\nx\n~~~', 'line 1: code cannot be used in a template'],
    ['a\n\n- [ ] todo', 'line 3: check boxes cannot be used in a template; write ☐ or ☑ instead'],
    ['a <b>b</b>', 'line 1: HTML cannot be used in a template'],
    ['<div>\n</div>', 'line 1: HTML cannot be used in a template'],
    ['see <https://example.com>', 'line 1: links in angle brackets cannot be used in a template'],
    ['see [a][b]\n\n[b]: https://example.com', '[B]: write the address of a link behind its text, as in [text](address)'],
  ])('%j is refused', (template, message) => {
    expect(unsupportedMarkdown(template)).toBe(message);
  });

  it.each(['a < b and b > c', '    indented clause', '[a](https://example.com)', '| A |\n|---|\n| b |', 'Müller & Söhne', '~~old~~'])(
    '%j is not',
    (template) => {
      expect(unsupportedMarkdown(template)).toBeNull();
    },
  );
});
