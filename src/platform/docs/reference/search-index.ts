import { allWordsOf, stem, termsOf } from '../../mcp/text/search-terms.js';
import type { Vocabulary } from '../../mcp/text/vocabulary.js';
import type { DocsPage, SearchEntry } from './pages.js';

/** What the search script reads, as an array because thousands of them are sent: `words` and `text` are terms. */
type PackedEntry = [title: string, place: string, path: string, verb: string, kind: SearchEntry['kind'], words: string, text: string];

/** The index of the search. Texts are their terms, each once, without those of the title and the place. */
export function searchIndex(pages: readonly DocsPage[], vocabulary: Vocabulary): PackedEntry[] {
  return pages.flatMap((page) => page.search()).map((entry) => packed(entry, vocabulary));
}

function packed({ title, place, path, verb = '', kind, operation, words = '', text }: SearchEntry, vocabulary: Vocabulary): PackedEntry {
  const shown = new Set(allWordsOf(`${title} ${place}`).map(stem));
  const name = operation === undefined ? [] : termsOf(operation.id);
  const meanings = operation === undefined ? [] : vocabulary.meaningsOf(operation.id, operation.module);
  const others = new Set([...words.split(' ').filter(Boolean).map(termOf), ...name, ...meanings.flatMap((terms) => [...terms].slice(1))]);
  const rest = new Set(
    [...termsOf(text), ...namesIn(`${words} ${text}`).map((name) => termOf(name.toLowerCase().replaceAll('-', '_')))].filter(
      (term) => !shown.has(term) && !others.has(term),
    ),
  );
  return [title, place, path, verb, kind, [...others].filter((term) => !shown.has(term)).join(' '), [...rest].join(' ')];
}

/** Names of members, headers, codes and tools, which readers look for as a whole: `would_emit`, `Svc-Dry-Run`. */
export function namesIn(text: string): string[] {
  return text.match(/\b[a-z0-9]+(?:_[a-z0-9]+)+\b|\b[A-Z][A-Za-z0-9]*(?:-[A-Z][A-Za-z0-9]*)+\b/g) ?? [];
}

/** Of a word, or of several that are joined by an underscore. */
function termOf(words: string): string {
  return words.split('_').map(stem).join('_');
}
