import { distance } from 'fastest-levenshtein';
import MiniSearch from 'minisearch';
import { stem, termsOf, wordsOf } from '../text/search-terms.js';
import type { Vocabulary } from '../text/vocabulary.js';
import type { CatalogTool } from '../catalog/tool-catalog.js';
import type { Json } from '../protocol/protocol.js';

/** Weights of words, relative to a word of the description. */
const WEIGHTS = { name: 3, description: 1, arguments: 0.1 };
/** `b` is below the usual 0.75, because a long description does not make a tool less relevant; `d` is 0 as in BM25. */
const BM25 = { k: 2, b: 0.5, d: 0 };
/** A misspelled word of five characters or more may have one wrong character in five. */
const MISSPELLING = 0.2;
const SHORTEST_MISSPELT = 5;
const ENDINGS = ['ing', 'ed'];
const SHORTEST_BEGINNING = 4;
/** Weight of what a misspelled word may mean, relative to a word that is known. */
const GUESS_WEIGHT = 0.6;
/** How much more a tool counts if the query has all words of its name: create_task comes before create_task_comment. */
const NAME_BONUS = 2;
/** Factor for tools that delete when the query does not ask to delete, so that none comes first by accident. */
const UNWANTED_WEIGHT = 0.2;

interface Entry {
  tool: CatalogTool;
  nameTerms: readonly string[];
  terms: ReadonlySet<string>;
}

const [DELETE] = termsOf('delete') as [string];

/** An index of the names and descriptions of tools and their arguments. */
export class SearchIndex {
  private readonly entries: ReadonlyMap<string, Entry>;
  private readonly index = new MiniSearch<CatalogTool>({
    idField: 'name',
    fields: Object.keys(WEIGHTS),
    extractField: (tool, field) => textOf(tool, field),
    tokenize: termsOf,
    processTerm: (term) => term,
    searchOptions: { boost: WEIGHTS, bm25: BM25 },
  });

  constructor(
    tools: readonly CatalogTool[],
    private readonly vocabulary: Vocabulary,
  ) {
    const entryOf = (tool: CatalogTool) => ({
      tool,
      nameTerms: termsOf(tool.name),
      terms: new Set(Object.keys(WEIGHTS).flatMap((field) => termsOf(textOf(tool, field)))),
    });
    this.entries = new Map(tools.map((tool) => [tool.name, entryOf(tool)]));
    this.index.addAll(tools);
  }

  /** Best matches first. */
  search(query: string, visible: ReadonlySet<CatalogTool>, limit: number): CatalogTool[] {
    const entryOf = (name: unknown) => this.entries.get(name as string) as Entry;
    // a misspelled word may be one of a tool that the caller does not see
    const known = new Set<string>();
    for (const { name } of visible) for (const term of entryOf(name).terms) known.add(term);
    const terms = this.termsOf(query.slice(0, 500), known);
    return this.index
      .search(query, {
        tokenize: () => [...terms.keys()],
        fuzzy: (term) => !known.has(term) && term.length >= SHORTEST_MISSPELT && MISSPELLING,
        boostTerm: (term) => terms.get(term) ?? 1,
        boostDocument: (name) => suitability(entryOf(name), terms),
        filter: ({ id }) => visible.has(entryOf(id).tool),
      })
      .slice(0, limit)
      .map(({ id }) => entryOf(id).tool);
  }

  /** The terms of a query with their weights, and what words may mean that no tool has. */
  private termsOf(query: string, known: ReadonlySet<string>): Map<string, number> {
    const terms = this.vocabulary.queryTerms(query);
    const guesses = wordsOf(query).flatMap((word) => this.guessesOf(word, known));
    for (const [term, weight] of this.vocabulary.queryTerms(guesses.join(' ')))
      terms.set(term, Math.max(terms.get(term) ?? 0, weight * GUESS_WEIGHT));
    return terms;
  }

  /**
   * An unknown word with two characters exchanged, and without a misspelled ending; if it is too short for a search of similar terms, those
   * with one other character.
   */
  private guessesOf(word: string, known: ReadonlySet<string>): string[] {
    const isKnown = (one: string) => known.has(stem(one)) || this.vocabulary.means(stem(one), known);
    if (isKnown(word)) return [];
    const exchanged = Array.from({ length: word.length - 1 }, (_, at) => word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2));
    const guesses = [...exchanged, ...withoutEnding(word)].filter(isKnown);
    const term = stem(word);
    if (guesses.length > 0 || term.length >= SHORTEST_MISSPELT || word.length < SHORTEST_MISSPELT - 1) return guesses;
    return [...known].filter((other) => other[0] === term[0] && distance(other, term) === 1);
  }
}

/** The beginnings of a word whose rest is an ending with one wrong, missing or additional character: bookng is book. */
function withoutEnding(word: string): string[] {
  return ENDINGS.flatMap((ending) =>
    [-1, 0, 1].flatMap((more) => {
      const beginning = word.slice(0, -(ending.length + more));
      return beginning.length >= SHORTEST_BEGINNING && distance(word.slice(beginning.length), ending) === 1 ? [beginning] : [];
    }),
  );
}

function suitability({ tool, nameTerms }: Entry, terms: ReadonlyMap<string, number>): number {
  const bonus = 1 + (NAME_BONUS * nameTerms.filter((word) => terms.has(word)).length) / nameTerms.length;
  return tool.binding.method === 'DELETE' && !terms.has(DELETE) ? bonus * UNWANTED_WEIGHT : bonus;
}

function textOf(tool: CatalogTool, field: string): string {
  if (field === 'name') return tool.name;
  if (field === 'description') return `${tool.module} ${tool.title} ${tool.details}`;
  const properties = (tool.definition.inputSchema as Json)['properties'] as Record<string, Json>;
  return Object.entries(properties)
    .map(([name, { description }]) => `${name} ${String(description ?? '')}`)
    .join(' ');
}
