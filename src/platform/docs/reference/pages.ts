import type { Html } from '../../../kit/index.js';
import type { IconName } from '../../../kit/internal.js';
import type { Links } from './markdown.js';

/** Of the text of a section, the characters that the search knows. */
export const MOST_INDEXED = 2000;

/** An entry of the search. */
export interface SearchEntry {
  title: string;
  /** Where it is, in words. */
  place: string;
  path: string;
  text: string;
  /** Entries of changes, of operations for members and of errors and events stand after others for the same match. */
  kind: 'guide' | 'change' | 'object' | 'operation' | 'member' | 'error' | 'event';
  /** The method of an operation. */
  verb?: string;
  /** Whose other words the manifests declare. */
  operation?: { id: string; module: string };
  /** Other words that readers use, with an underscore within a phrase. */
  words?: string;
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
  /** Whether it is a text, with a table of contents at its side. */
  isText?: boolean;
  /** The entry, whose heading is part of its content. */
  isStart?: boolean;
  /** Beside its title in lists of pages. */
  picture?: IconName;
  /** Links of the page itself; the navigation shows those of the reference below it. */
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

/** The first sentence of a text without markup. */
export function firstSentence(text: string): string {
  return (/^[\s\S]*?[.!?](?=\s|$)/.exec(text)?.[0] ?? text).replace(/\s+/g, ' ').replaceAll('`', '');
}
