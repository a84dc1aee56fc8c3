import { html, Html } from './html.js';

/** A document's rendered page as a part of another page. Its text was sanitised when it was rendered. */
export function paper(rendered: string): Html {
  const inside = /<main>([\s\S]*)<\/main>/.exec(rendered)?.[1];
  if (inside === undefined) throw new Error('A rendered document has no main part.');
  return html`<article class="paper" aria-label="The document">${new Html(inside)}</article>`;
}

/** A moment as people read it. The zone of the reader is not known, so it is named. */
export function timeOf(time: Date): Html {
  return html`<time datetime="${time.toISOString()}">${time.toISOString().slice(0, 16).replace('T', ' ')} UTC</time>`;
}
