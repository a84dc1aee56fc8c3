import { describe, expect, it } from '@jest/globals';
import type { FieldSchema, ScalarField } from '../../model/core/field-schema.js';
import { documentContent } from './content.factory.js';
import { checkTemplate, fieldsOf } from './document-template.js';
import { textOfHtml } from './plain-text.js';
import { renderHtml, renderHtmlBody } from './render-html.js';

const EUR: ScalarField = { type: 'integer', 'x-format': 'money', 'x-currency': 'EUR' };
const SCHEMA: FieldSchema = {
  type: 'object',
  properties: {
    customer: { type: 'string' },
    rate: { type: 'number' },
    fee: EUR,
    due_on: { type: 'string', format: 'date' },
    rooms: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } },
    items: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          name: { type: 'string' },
          quantity: { type: 'number' },
          price: { ...EUR, 'x-total': true },
          foreign: { type: 'integer', 'x-format': 'money', 'x-currency': 'currency' },
          currency: { type: 'string' },
          vat: { type: 'number' },
          room: { type: 'string' },
        },
      },
    },
  },
};
const NAMES = { schema: SCHEMA, parties: [] };
const ITEMS = [
  { name: 'Desk', quantity: 2, price: 40_000, vat: 19, room: 'A', foreign: 100, currency: 'JPY' },
  { name: 'Book {{customer}} **x**', quantity: 1, price: 1_050, vat: 7, room: 'A', foreign: 250, currency: 'USD' },
  { name: 'Lamp', quantity: 3, price: 2_999, vat: 19, room: 'B', foreign: 50, currency: 'JPY' },
];
const VALUES = { customer: 'Acme', rate: 0.19, fee: 1_000, due_on: '2028-02-20', items: ITEMS };

const page = (template: string, values: Record<string, unknown> = VALUES) => {
  expect(checkTemplate(template, NAMES)).toEqual([]);
  return documentContent({ template: `# T\n\n${template}`, schema: SCHEMA, values, finished: true });
};
const text = (template: string, values?: Record<string, unknown>) =>
  textOfHtml(renderHtml(page(template, values)))
    .replace(/[\u00A0\u202F]/g, ' ')
    .replace('# T', '')
    .trim();

describe('expressions in a template', () => {
  it.each([
    ['{{fee * 1.19}}', 'EUR 11.90'],
    ['{{fee / 3}}', 'EUR 3.33'],
    ['{{sum(items.price * items.quantity) - 10 * fee}}', 'EUR 800.47'],
    ['{{count(items)}} / {{avg(items.quantity)}}', '3 / 2'],
    ['{{1 / 8 + rate}}', '0.315'],
    ['{{due_on + 10}}', 'March 1, 2028'],
    ['{{due_on - document.created_on}}', '739'],
    ['{{if(fee > 5, "dear", "cheap")}}', 'dear'],
    ['{{fee > 5 and not rooms}}', 'Yes'],
    ['{{fee / (rate - 0.19)}}', '—'],
    ['{{words fee * 2}}', 'twenty 00/100 euros'],
    ['{{words count(items)}}', 'three'],
    ['{{#if document.created_on < "2026-03-01" and (fee > 5000 or customer = "Acme")}}yes{{/if}}', 'yes'],
    ['{{#if fee > 5000}}a{{else if fee > 999}}b{{else if fee > 1}}c{{else}}d{{/if}}', 'b'],
  ])('%s prints %s', (template, printed) => {
    expect(text(template)).toBe(printed);
  });
});

describe('a section for each row', () => {
  it('prints the columns, the fields of the document, and where it stands', () => {
    expect(
      text('{{#each items}}\n- {{row.index}}: {{name}} for {{customer}}, {{quantity * price}}{{#if row.last}}!{{/if}}\n{{/each}}'),
    ).toBe('- 1: Desk for Acme, EUR 800.00\n- 2: Book {{customer}} **x** for Acme, EUR 10.50\n- 3: Lamp for Acme, EUR 89.97!');
  });

  it('makes rows of a Markdown table, and has none without rows', () => {
    const template =
      '| Item | All |\n|---|---:|\n{{#each items}}\n{{#if vat = 19}}\n| {{name}} | {{price * quantity}} |\n{{/if}}\n{{/each}}\n\nEnd';
    expect(text(template)).toBe('Item | All\nDesk: EUR 800.00\nLamp: EUR 89.97\n\nEnd');
    expect(text(template, {})).toBe('Item | All\n\nEnd');
  });

  it('can contain blocks, and tables of other rows', () => {
    const template =
      '{{#each rooms}}\n### {{name}}\n\n{{#each items}}\n{{#if room = rooms.name}}\n- {{items.name}}\n{{/if}}\n{{/each}}\n\n{{/each}}';
    expect(text(template, { ...VALUES, rooms: [{ name: 'B' }, { name: 'A' }] })).toBe(
      '### B\n\n- Lamp\n\n### A\n\n- Desk\n- Book {{customer}} **x**',
    );
  });
});

describe('a section for each group', () => {
  it('has the rows of the group: in tables, sums and sections', () => {
    const template =
      '{{#group items by vat}}\n## {{vat}} %\n\n{{#each items}}\n- {{name}}\n{{/each}}\n\n' +
      '{{sum(items.price)}}, {{sum items.price}}, {{count(items)}}\n\n{{/group}}';
    expect(text(template)).toBe(
      '## 19 %\n\n- Desk\n- Lamp\n\nEUR 429.99, EUR 429.99, 2\n\n## 7 %\n\n- Book {{customer}} **x**\n\nEUR 10.50, EUR 10.50, 1',
    );
    const tables = renderHtmlBody(page('{{#group items by vat}}\n{{#table items}}\n{{/group}}')).match(/<tbody[^>]*>[^]*?<\/tbody>/g) ?? [];
    expect(tables.map((table) => table.match(/<tr/g)?.length)).toEqual([2, 1]);
  });

  it('can be grouped again, and has one currency if it is grouped by it', () => {
    expect(text('{{#group items by room}}\n{{#group items by vat}}\n- {{room}} {{vat}}: {{count(items)}}\n{{/group}}\n{{/group}}')).toBe(
      '- A 19: 1\n- A 7: 1\n- B 19: 1',
    );
    expect(text('{{#group items by items.currency}}\n- {{sum(items.foreign)}}\n{{/group}}')).toBe('- JPY 150\n- USD 2.50');
  });
});

it('is refused with its place', () => {
  const problems = (template: string) => checkTemplate(template, NAMES).map(({ line, message }) => `${line} ${message}`);
  expect(problems('{{#each nobody}}\n{{/each}}')).toEqual(['1 nobody is not a table of this type']);
  expect(problems('{{#each items}}\n{{nobody}} {{quantity * name}}\n{{/each}}')).toEqual([
    '2 nobody is not a field of this type',
    '2 * needs numbers, amounts or dates, not a text',
  ]);
  expect(problems('{{name}}\n\n{{row.index}}')).toEqual(['1 name is not a field of this type', '3 row.index is not a field of this type']);
  expect(problems('{{#each items}}\n{{#if price > 5}}\n{{/each}}\n{{/if}}')).toEqual(
    ['3 the section {{#if price > 5}} must be ended first: write {{/if}}', '1 the section is not ended: write {{/each}} after it'].sort(),
  );
  expect(problems('{{#each items}}{{#each items}}{{/each}}{{/each}}')).toEqual(['1 the rows of items are repeated already']);
  expect(problems('{{#each}}{{/each}}{{#group items}}{{/group}}')).toEqual([
    '1 write {{#each table}}',
    '1 write {{#group table by column}}',
  ]);
  expect(problems('{{#group items by nobody}}{{/group}}')).toEqual(['1 nobody is not a column of items']);
  expect(problems('{{#group items by vat}}{{price}}{{/group}}')).toEqual([
    '1 price can differ between the rows of a group: write sum(items.price)',
  ]);
  expect(problems('{{#each items}}{{else}}{{/each}}')).toEqual(['1 there is no {{#if ...}} before it']);
  expect(problems('{{sum(items.foreign)}}')[0]).toMatch(/^1 each row has the currency in items.currency/);
  expect(problems('{{@1 fee}}')).toEqual(['1 @ cannot be used in an expression']);
});

it('a document that repeats too much is refused', () => {
  const many = { items: Array.from({ length: 5_000 }, () => ({ name: 'x' })) };
  const content = page(
    '{{#each items}}\nOne hundred characters or so are repeated for each of the rows, which is too much in the end.\n{{/each}}',
    many,
  );
  expect(() => renderHtmlBody(content)).toThrow(/data_values.items makes the document too long/);
  const deep = page('{{#each items}}\n{{#if sum(items.price where items.quantity > 1) > 5}}a{{/if}}\n{{/each}}', {
    items: Array(90_000).fill({}),
  });
  expect(() => renderHtmlBody(deep)).toThrow(/too long|too many rows/);
});

it('what a template prints is found in expressions and repeated sections', () => {
  const template = '{{#each rooms}}{{name}}{{/each}} {{fee + sum(items.price)}} {{document.number}}';
  expect([...fieldsOf(template, NAMES)].filter((name) => name !== 'document').sort()).toEqual(['fee', 'items', 'rooms']);
});
