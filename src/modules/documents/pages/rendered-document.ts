import { html, Html } from '../../../kit/index.js';
import { directionOf } from '../engine/content/printed-words.js';
import type { Texts } from './texts/en.js';

/** As many cards fit on about two screens of a phone. */
const UNFOLDED_ROWS = 5;

/** A document's rendered page as part of another page. Its text was sanitized when it was rendered. */
export function renderedDocument(rendered: string, { label, table }: Texts['document']): Html {
  const inside = /<main>([\s\S]*)<\/main>/.exec(rendered)?.[1];
  if (inside === undefined) throw new Error('A rendered document has no main part.');
  const language = languageOf(rendered);
  const written = language !== undefined && html` lang="${language}" dir="${directionOf(language)}"`;
  return html`<article class="paper" id="document" aria-label="${label}"${written}>${new Html(folded(nested(inside), table))}</article>`;
}

/** BCP 47; undefined for a page that was rendered before it had a language. */
export function languageOf(rendered: string): string | undefined {
  return /<html lang="([\w-]+)"/.exec(rendered)?.[1];
}

/** The headings of the document stand below the heading of the page. */
function nested(markup: string): string {
  return markup.replace(/<h([1-6])>/g, (_, level: string) => `<h${level} aria-level="${Number(level) + 1}">`);
}

/** On phones, tables with many rows that are shown as cards show the first ones, and all once a reader opens what stands before them. */
function folded(markup: string, { all, fewer, more }: Texts['document']['table']): string {
  return markup.replace(/<table class="(?:some|many)"[^>]*>[\s\S]*?<\/table>/g, (table) => {
    const [body = ''] = /<tbody[\s\S]*<\/tbody>/.exec(table) ?? [];
    const rows = body.split('<tr').length - 1;
    // one without names only arranges what it has
    if (rows <= UNFOLDED_ROWS || !/data-label="[^"]/.test(body)) return table;
    const fold = html`<details class="fold"><summary><span>${all(rows)}</span><span>${fewer}</span></summary></details>`;
    const left = html`<tbody data-more="${more(rows - UNFOLDED_ROWS)}"`;
    return `${fold.markup}${table.replace('<tbody', left.markup)}`;
  });
}
