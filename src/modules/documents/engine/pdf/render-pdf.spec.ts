import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { poppler } from '../../testing/poppler.js';
import { documentContent } from '../content/content.factory.js';
import type { DocumentContent } from '../content/document-content.js';
import { unprintable } from '../typst/glyphs.js';
import { PLAIN } from '../typst/plain-characters.js';
import type { ScalarField } from '../../model/core/field-schema.js';
import { renderPdf, type PdfInput } from './render-pdf.js';
import { growth, LINEAR } from '../../../../../test/harness/cpu-time.js';

const tools = poppler();
const read = tools ? it : it.skip;
const CLAUSE =
  'The Supplier shall perform the services with reasonable skill and care, ' +
  'in accordance with good industry practice and all laws that apply to it. ';

const pdf = async (given: Partial<DocumentContent>, rest: Partial<PdfInput> = {}) =>
  renderPdf({ content: documentContent(given), subject: 'Customer agreement', created_at: new Date('2026-02-11T10:00:00Z'), ...rest });
const text = (file: Buffer) => tools?.text(file).replace(/\s+/g, ' ') ?? '';
const pages = (file: Buffer) => Number(tools?.info(file).Pages);

describe('a document as PDF', () => {
  it('has the same bytes for the same input and different bytes for another', async () => {
    const [one, two, other] = [await pdf({}), await pdf({}), await pdf({ values: { customer: 'Südwind GmbH' } })];
    expect(one.subarray(0, 8).toString()).toBe('%PDF-1.7');
    expect(one.equals(two)).toBe(true);
    expect(one.equals(other)).toBe(false);
  });

  read('contains the metadata', async () => {
    const file = await pdf({
      language: 'de',
      document: { number: 'AGR-1', title: 'Vertrag – Ελλάδα', created_on: '2026-02-11', finalized_on: null },
    });
    expect(tools?.info(file)).toMatchObject({
      Title: 'Vertrag – Ελλάδα',
      Subject: 'Customer agreement',
      Pages: '1',
    });
    expect(tools?.info(file).CreationDate).toContain('2026');
    expect(file.toString('latin1')).toContain('/Lang (de)');
    expect(text(file)).toBe('Vertrag – Ελλάδα AGR-1 Vertrag – Ελλάδα For Nordwind GmbH. Seite 1 von 1 ');
  });

  read('renders everything that a template can contain', async () => {
    const file = await pdf({
      template:
        '# Contract\n\n## 1. *Scope*\n\n3. three **bold**\n4. four\n   - deep {{customer}}\n     1. deeper\n\n> quoted\n\n---\n\n' +
        '| A | B |\n|---|--:|\n| one | two |\n\n~~old~~ [link](https://example.com/x) hard\\\nbreak\n\nЖук Ωμέγα Maß nő',
      values: { customer: '*N* <b>' },
    });
    expect(text(file)).toContain(
      'Contract 1. Scope 3. three bold 4. four • deep *N* <b> 1. deeper quoted A B one two old link hard break Жук Ωμέγα Maß nő',
    );
    expect(file.toString('latin1')).toContain('/URI (https://example.com/x)');
    // bookmarks
    expect(file.toString('latin1')).toMatch(/\/Outlines/);
  });

  read('keeps the indents of a value with several lines', async () => {
    const file = await pdf({ template: 'Steps:\n\n{{customer}}', values: { customer: 'if (paid) {\n    send();\n\tlog();\n}' } });
    const lines = (tools as NonNullable<typeof tools>).layout(file).split('\n');
    const [outer, ...inner] = ['if (paid)', 'send();', 'log();'].map(
      (words) => lines.find((line) => line.includes(words))?.indexOf(words) ?? -1,
    );
    expect([outer >= 0, inner[0] > outer, inner[1] === inner[0]]).toEqual([true, true, true]);
  });

  read('has the watermark on every page', async () => {
    const file = await pdf({ template: `${CLAUSE.repeat(60)}` }, { watermark: 'TEST DRAFT' });
    expect(pages(file)).toBeGreaterThan(1);
    // The watermark consists of single rotated letters. The footer has it as one text.
    expect(text(file).match(/T E S T D R A F T|TESTDRAFT/g)).toHaveLength(pages(file));
    expect(text(file).match(/TEST DRAFT Page/g)).toHaveLength(pages(file));
    expect(text(await pdf({}))).not.toContain('DRAFT');
  });

  read(
    'numbers sixty pages and keeps every heading on the page of its text',
    async () => {
      const template = Array.from(
        { length: 420 },
        (_, index) => `## ${index + 1}. Clause\n\nBegin${index + 1} ${CLAUSE.repeat(1 + (index % 5))}`,
      ).join('\n\n');
      const file = await pdf({ template });
      expect(pages(file)).toBeGreaterThanOrEqual(60);
      const all = (tools as NonNullable<typeof tools>).text(file).split('\f').slice(0, -1);
      all.forEach((page, index) => expect(page).toContain(`Page ${index + 1} of ${all.length}`));
      for (let clause = 1; clause <= 420; clause++)
        expect(all.filter((page) => new RegExp(`^ *${clause}\\. Clause\\s+Begin${clause} `, 'm').test(page))).toHaveLength(1);
    },
    60_000,
  );

  read('repeats the header of a long table and loses no row', async () => {
    const file = await pdf({
      template: '{{#table items}}',
      values: {
        items: Array.from({ length: 200 }, (_, index) => ({
          name: `Row${index}x and a description that takes more than the one line there is for it in a column`,
          hours: index,
          price: index,
        })),
      },
    });
    const all = text(file);
    expect(pages(file)).toBeGreaterThan(4);
    expect(all.match(/Hours Price \(EUR\) Name/g)).toHaveLength(pages(file));
    for (let row = 0; row < 200; row++) expect(all.match(new RegExp(`Row${row}x`, 'g'))).toHaveLength(1);
  });

  const money = { type: 'integer', 'x-format': 'money', 'x-currency': 'EUR', 'x-total': true } as const;
  const tableOf = (columns: Record<string, ScalarField>) =>
    ({ type: 'object', properties: { items: { type: 'array', items: { type: 'object', properties: columns } } } }) as const;
  const layout = (file: Buffer) => (tools as NonNullable<typeof tools>).layout(file);

  read('never breaks a number, and ends a table with its totals', async () => {
    const columns = {
      article: { type: 'string' },
      fee: money,
      description: { type: 'string' },
      hours: { type: 'number', 'x-total': true },
    };
    const row = { article: 'ART-1', fee: 123_456_789_012, description: 'Donaudampfschifffahrtsgesellschaft '.repeat(9), hours: 0.1 };
    const template = '{{#table items}}';
    const file = await pdf({ template, schema: tableOf(columns as never), values: { items: [row, { ...row, hours: 0.2 }] } });
    const lines = layout(file).split('\n');
    expect(lines.filter((line) => line.includes('1,234,567,890.12'))).toHaveLength(2);
    expect(layout(file)).toContain('Fee (EUR)');
    const total = lines
      .find((line) => line.includes('Total'))
      ?.replace(/[\s\u00A0]+/g, ' ')
      .trim();
    expect(total).toBe('Total 2,469,135,780.24 0.3');
  });

  read('breaks no word while the columns have room, and only what is longer than a line otherwise', async () => {
    const columns = { a: { type: 'string' }, b: { type: 'string' }, c: { type: 'string' } } as const;
    const url = 'https://example.com/contracts/2026/11/28/rental-agreement-of-the-flat-in-the-second-floor';
    const row = {
      a: 'Grundstücksverkehrsgenehmigungszuständigkeit',
      b: 'ein paar kurze Worte '.repeat(8),
      c: 'Unterhaltsreinigungsvertrag',
    };
    const wordsOf = async (values: object) =>
      layout(await pdf({ template: '{{#table items}}', schema: tableOf(columns), values: { items: [values] } })).split(/[\s\u00A0]+/);
    expect(await wordsOf(row)).toEqual(expect.arrayContaining([row.a, row.c]));
    const words = await wordsOf({ ...row, b: `siehe ${url}` });
    expect(words).toEqual(expect.arrayContaining([row.a, row.c, 'siehe']));
  });

  read.each([3, 6, 9, 12, 20])('keeps the columns of a table of %i columns apart', async (count) => {
    const columns = Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`column_${index}`, index % 3 === 0 ? money : { type: 'string' }]),
    );
    const row = Object.fromEntries(
      Object.keys(columns).map((name, index) => [name, index % 3 === 0 ? 123_456_789 : `Wörter${index}mitten`]),
    );
    const file = await pdf({ template: '{{#table items}}', schema: tableOf(columns as never), values: { items: [row, row] } });
    const words = layout(file).split(/[\s\u00A0]+/);
    // each value is a word of its own: two columns that touch would read as one
    expect(words.filter((word) => word === '1,234,567.89')).toHaveLength(2 * Math.ceil(count / 3));
    for (let index = 0; index < count; index++)
      if (index % 3 !== 0) expect([index, words.filter((word) => word === `Wörter${index}mitten`).length]).toEqual([index, 2]);
  });

  read(
    'leaves no heading and no row of a table alone on a page',
    async () => {
      const rows = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `Row${index}x`, fee: 100 }));
      const schema = tableOf({ name: { type: 'string' }, fee: money } as never);
      for (const count of [2, 29, 60]) {
        for (let before = 14; before < 38; before += 3) {
          const template = `# T\n\n${'Text\n\n'.repeat(before)}## Above\n\n{{#table items}}\n\nEnd`;
          const file = await pdf({ template, schema, values: { items: rows(count) } });
          const all = (tools as NonNullable<typeof tools>).text(file);
          const pagesOf = all.split('\f');
          const on = (words: string) => pagesOf.findIndex((page) => page.includes(words));
          expect([count, before, on('Row0x')]).toEqual([count, before, on('Above')]);
          expect([count, before, on(`Row${count - 2}x`), on('Total')]).toEqual([
            count,
            before,
            on(`Row${count - 1}x`),
            on(`Row${count - 1}x`),
          ]);
          expect(all.match(/Row\d+x/g)).toHaveLength(count);
        }
      }
    },
    60_000,
  );

  read('breaks a word that is longer than the line, also in a table', async () => {
    const word = 'Donaudampfschifffahrt'.repeat(20);
    for (const template of [
      '{{customer}}',
      '| A | B |\n|---|---|\n| {{customer}} | |',
      '# {{customer}}',
      '- - {{customer}}',
      '> 1. {{customer}}',
    ]) {
      const file = await pdf({ template, values: { customer: word } });
      // Text beyond the right edge of the page is not extracted.
      expect((tools as NonNullable<typeof tools>).text(file).replace(/\s/g, '')).toContain(word);
    }
  });

  // the table header is empty, because every page repeats it
  describe.each([['{{customer}}'], ['| | |\n|---|---|\n| {{customer}} | |'], ['# {{customer}}']])('a very long word in %j', (template) => {
    const wordOf = (length: number) => Array.from({ length }, (_, index) => String.fromCharCode(65 + (index % 26))).join('');
    const printed = (customer: string) => pdf({ template, values: { customer } });

    it('is typeset in time in proportion to its length', async () => {
      expect(await growth(wordOf, 1_000, printed)).toBeLessThan(LINEAR);
    });

    read('is not changed', async () => {
      const word = wordOf(20_000);
      const found = (tools as NonNullable<typeof tools>).text(await printed(word));
      expect(found.replace(/Customer agreement.*|.*Page \d+ of \d+|\s/g, '').includes(word)).toBe(true);
    });
  });

  it.each<[string, string, Partial<DocumentContent>]>([
    ['a long value', 'data_values.customer', { values: { customer: 'x'.repeat(300_001) } }],
    ['a repeated value', 'data_values.customer', { template: '{{customer}} '.repeat(2_000), values: { customer: 'x'.repeat(1_000) } }],
    ['many lines', 'data_values.customer', { values: { customer: '\n'.repeat(20_000) } }],
    [
      'many rows',
      'data_values.items',
      { template: '{{customer}}\n\n{{#table items}}', values: { items: Array.from({ length: 80_000 }, () => ({})) } },
    ],
    ['blocks of the template', 'template', { template: '#\n'.repeat(40_000) }],
  ])('rejects content that is too long because of %s, and the error names the source', async (_, param, given) => {
    await expect(pdf(given)).rejects.toMatchObject({
      spec: { code: 'validation_failed' },
      occurrence: { param, details: [{ param, code: 'too_long' }] },
    });
  });

  read('splits a row that is longer than a page', async () => {
    const file = await pdf({
      template: '| A | B |\n|---|---|\n| {{customer}} | x |',
      values: { customer: `First ${CLAUSE.repeat(80)} Last` },
    });
    expect(text(file).match(/Supplier/g)).toHaveLength(80);
    expect(text(file)).toContain('Last');
  });

  read(
    'keeps every word in any combination of blocks',
    async () => {
      let count = 0;
      const words = (length: number) => Array.from({ length }, () => `w${count++}e`);
      const paragraph = fc.integer({ min: 1, max: 400 }).map((length) => () => words(length).join(' '));
      const lines = fc.integer({ min: 1, max: 120 }).map((length) => () => words(length).join('\\\n'));
      const title = fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 40 })).map(
        ([level, length]) =>
          () =>
            `${'#'.repeat(level)} ${words(length).join(' ')}`,
      );
      const nested = fc.integer({ min: 1, max: 30 }).map(
        (depth) => () =>
          words(depth)
            .map((word, index) => `${'  '.repeat(index)}- ${word}`)
            .join('\n'),
      );
      const flat = fc.integer({ min: 1, max: 80 }).map(
        (length) => () =>
          words(length)
            .map((word, index) => `${index + 1}. ${word}`)
            .join('\n'),
      );
      const rows = fc
        .tuple(fc.integer({ min: 1, max: 14 }), fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 60 }))
        .map(([columns, length, size]) => () => {
          const row = () => `| ${Array.from({ length: columns }, () => words(1 + (count % size)).join(' ')).join(' | ')} |`;
          return [row(), `|${'---|'.repeat(columns)}`, ...Array.from({ length }, row)].join('\n');
        });
      const quoted = fc.oneof(paragraph, lines).map((inside) => () => inside().replace(/^/gm, '> '));
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.oneof(paragraph, lines, title, title, nested, flat, rows, quoted), { minLength: 1, maxLength: 8 }),
          async (parts) => {
            count = 0;
            const file = await pdf({ template: parts.map((part) => part()).join('\n\n') });
            const seen = [
              ...(tools as NonNullable<typeof tools>)
                .text(file)
                .replace(/\s/g, '')
                .matchAll(/w(\d+)e/g),
            ].map(([, number]) => Number(number));
            expect(new Set(seen).size).toBe(count);
          },
        ),
        { numRuns: 25, seed: 20_261_121 },
      );
    },
    120_000,
  );

  read('replaces each character that the fonts lack', async () => {
    const file = await pdf({ template: '{{customer}} end', values: { customer: 'A \uE000\uE001 𓀀 ب\u0000\u0007\u200B Z' } });
    expect(text(file)).toContain('A \uFFFD\uFFFD \uFFFD ');
    expect(unprintable('Ada 田 \uE000 \uE000 Ω 𓀀')).toEqual(['\uE000', '𓀀']);
  });

  it('has fonts for every character that is taken to be plain', () => {
    const plain = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).filter((character) => PLAIN.test(character));
    expect(plain.length).toBeGreaterThan(30_000);
    // no grapheme is plain, so that the fonts decide
    expect(unprintable(plain.map((character) => `${character}\u200D`).join(''))).toEqual([]);
  });

  it.each(['', ' ', '\n\n', '#', '- ', '|a|\n|-|', '>', '1.', '{{#table items}}', '# \n\n## ', '\u0000', '***', '| |\n|-|\n| |'])(
    'renders %j',
    async (template) => {
      expect(
        (await pdf({ template, values: {}, document: { number: null, title: '', created_on: '2026-02-11', finalized_on: null } })).length,
      ).toBeGreaterThan(1000);
    },
  );

  it('reads no file and requests no URL that a template names', async () => {
    expect((await pdf({ template: '![x](file:///etc/passwd) ![y](http://127.0.0.1:1/x.png)' })).length).toBeGreaterThan(1000);
  });
});
