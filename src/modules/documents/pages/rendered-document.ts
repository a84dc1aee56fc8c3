import { html, Html } from '../../../kit/index.js';

/** A document's rendered page as part of another page. Its text was sanitized when it was rendered. */
export function renderedDocument(rendered: string, label = 'The document'): Html {
  const inside = /<main>([\s\S]*)<\/main>/.exec(rendered)?.[1];
  if (inside === undefined) throw new Error('A rendered document has no main part.');
  return html`<article class="paper" id="document" aria-label="${label}">${new Html(inside)}</article>`;
}
