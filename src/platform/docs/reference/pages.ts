import { html, type Html } from '../../../kit/index.js';
import type { Links } from './markdown.js';

/** An entry of the search. */
export interface SearchEntry {
  title: string;
  /** Where it is, in words. */
  place: string;
  path: string;
  text: string;
}

/** A page below `/docs`. */
export interface DocsPage {
  path: string;
  title: string;
  /** Its place in the navigation. */
  group: string;
  /** One sentence for lists of pages. */
  summary: string;
  /** Whether the page has samples, for which it offers languages. */
  hasSamples: boolean;
  /** Links of the page itself, which the navigation shows below it. */
  parts: readonly { id: string; title: string; method?: string }[];
  html(): Html;
  markdown(): string;
  search(): SearchEntry[];
}

/** Text of one line, such as a description, whose markup is Markdown. */
export type RenderLine = (text: string) => Html;

export interface Rendering {
  line: RenderLine;
  links: Links;
}

export function preformatted(text: string): Html {
  return html`<pre tabindex="0" role="group" aria-label="Code"><code>${text}</code></pre>`;
}

/** The first sentence of a text without markup. */
export function firstSentence(text: string): string {
  return (/^[\s\S]*?[.!?](?=\s|$)/.exec(text)?.[0] ?? text).replace(/\s+/g, ' ').replaceAll('`', '');
}
