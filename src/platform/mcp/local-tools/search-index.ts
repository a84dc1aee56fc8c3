import MiniSearch from 'minisearch';
import { termsOf } from '../text/search-terms.js';
import type { Vocabulary } from '../text/vocabulary.js';
import type { CatalogTool } from '../catalog/tool-catalog.js';
import type { Json } from '../protocol/protocol.js';

/** Weights of words, relative to a word of the description. */
const WEIGHTS = { name: 3, description: 1, arguments: 0.1 };
/** `b` is below the usual 0.75, because a long description does not make a tool less relevant; `d` is 0 as in BM25. */
const BM25 = { k: 2, b: 0.5, d: 0 };
/** Misspelled words: one wrong character in five. Shorter words differ in too few characters. */
const MISSPELLING = (term: string) => term.length >= 5 && 0.2;
/** How much more a tool counts if the query has all words of its name: create_task comes before create_task_comment. */
const NAME_BONUS = 2;
/** Factor for tools that delete when the query does not ask to delete, so that none comes first by accident. */
const UNWANTED_WEIGHT = 0.2;

interface Entry {
  tool: CatalogTool;
  nameTerms: readonly string[];
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
    searchOptions: { boost: WEIGHTS, bm25: BM25, fuzzy: MISSPELLING },
  });

  constructor(
    tools: readonly CatalogTool[],
    private readonly vocabulary: Vocabulary,
  ) {
    this.entries = new Map(tools.map((tool) => [tool.name, { tool, nameTerms: termsOf(tool.name) }]));
    this.index.addAll(tools);
  }

  /** Best matches first. */
  search(query: string, visible: ReadonlySet<CatalogTool>, limit: number): CatalogTool[] {
    const terms = this.vocabulary.queryTerms(query.slice(0, 500));
    const entryOf = (name: unknown) => this.entries.get(name as string) as Entry;
    return this.index
      .search(query, {
        tokenize: () => [...terms.keys()],
        boostTerm: (term) => terms.get(term) ?? 1,
        boostDocument: (name) => suitability(entryOf(name), terms),
        filter: ({ id }) => visible.has(entryOf(id).tool),
      })
      .slice(0, limit)
      .map(({ id }) => entryOf(id).tool);
  }
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
