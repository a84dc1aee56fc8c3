import { html, Html } from '../../../kit/index.js';

/** A document's rendered page as part of another page. Its text was sanitized when it was rendered. */
export function paper(rendered: string): Html {
  const inside = /<main>([\s\S]*)<\/main>/.exec(rendered)?.[1];
  if (inside === undefined) throw new Error('A rendered document has no main part.');
  return html`<article class="paper" aria-label="The document">${new Html(inside)}</article>`;
}

/** A time for people. The reader's time zone is unknown, so the text names UTC. */
export function timeOf(time: Date): Html {
  return html`<time datetime="${time.toISOString()}">${time.toISOString().slice(0, 16).replace('T', ' ')} UTC</time>`;
}
