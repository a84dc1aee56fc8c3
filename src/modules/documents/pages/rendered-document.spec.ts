import { expect, it } from '@jest/globals';
import { renderedDocument } from './rendered-document.js';
import { EN } from './texts/en.js';

it('embeds the main part of a rendered document and nothing around it', () => {
  expect(renderedDocument('<html><style>x</style><main>\n<h1>A</h1></main></html>', EN.document).markup).toBe(
    '<article class="paper" id="document" aria-label="The document">\n<h1 aria-level="2">A</h1></article>',
  );
  expect(renderedDocument('<html lang="ar-EG" dir="rtl"><main>x</main></html>', EN.document).markup).toContain(
    ' aria-label="The document" lang="ar-EG" dir="rtl">x',
  );
  expect(() => renderedDocument('<html></html>', EN.document)).toThrow('no main part');
});

it('folds tables that phones show as cards if they have more than five rows', () => {
  const row = (name: string) => `<tr><td data-label="${name}">1</td></tr>`;
  const table = (rows: number, name = 'Price', kind = ' class="some" role="table"') =>
    `<table${kind}><thead><tr></tr></thead><tbody role="rowgroup">${row(name).repeat(rows)}</tbody></table>`;
  const shown = (tables: string) => renderedDocument(`<main>${tables}</main>`, EN.document).markup;
  const fold = '<details class="fold"><summary><span>Show all 8 rows</span><span>Show fewer rows</span></summary></details><table';
  expect(shown(`${table(5)}${table(8)}`).split(fold)).toHaveLength(2);
  expect(shown(table(8))).toContain('<tbody data-more="3 more rows" role="rowgroup">');
  expect(shown(`${table(5)}${table(9, '')}${table(9, 'Price', '')}`)).not.toContain('fold');
});
