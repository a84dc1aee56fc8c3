import { termsOf } from '../text/search-terms.js';
import type { Vocabulary } from '../text/vocabulary.js';
import type { CatalogTool } from '../catalog/tool-catalog.js';
import type { Json } from '../protocol/protocol.js';

// Constants of Okapi BM25 (Robertson and Zaragoza, 2009).
const K1 = 1.2;
/** Below the usual 0.75, because many arguments do not make a tool less relevant. */
const B = 0.3;
/** Weights of words, relative to a word of the description. */
const NAME_WEIGHT = 3;
const ARGUMENT_WEIGHT = 0.3;
/** Factor for tools that delete when the query does not ask to delete, so that none comes first by accident. */
const UNWANTED_WEIGHT = 0.2;

interface Entry {
  tool: CatalogTool;
  deletes: boolean;
  nameTerms: readonly string[];
  frequencies: ReadonlyMap<string, number>;
  length: number;
}

/** A BM25 index of the names and descriptions of tools and their arguments. */
export class SearchIndex {
  private readonly entries: readonly Entry[];
  private readonly averageLength: number;
  private readonly documentFrequencies = new Map<string, number>();

  constructor(
    tools: readonly CatalogTool[],
    private readonly vocabulary: Vocabulary,
  ) {
    this.entries = tools.map(entryOf);
    for (const { frequencies } of this.entries) {
      for (const term of frequencies.keys()) {
        this.documentFrequencies.set(term, (this.documentFrequencies.get(term) ?? 0) + 1);
      }
    }
    this.averageLength = this.entries.reduce((sum, entry) => sum + entry.length, 0) / Math.max(1, this.entries.length);
  }

  /** Best matches first; equal scores keep the order of the catalog. */
  search(query: string, visible: ReadonlySet<CatalogTool>, limit: number): CatalogTool[] {
    const terms = this.vocabulary.queryTerms(query.slice(0, 500));
    return this.entries
      .filter((entry) => visible.has(entry.tool))
      .map((entry) => ({ tool: entry.tool, score: this.score(entry, terms) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, limit)
      .map(({ tool }) => tool);
  }

  private score({ deletes, nameTerms, frequencies, length }: Entry, terms: ReadonlyMap<string, number>): number {
    let score = 0;
    for (const [term, weight] of terms) {
      const frequency = frequencies.get(term);
      if (frequency === undefined) continue;
      const containing = this.documentFrequencies.get(term) ?? 0;
      const rarity = Math.log(1 + (this.entries.length - containing + 0.5) / (containing + 0.5));
      score += (weight * rarity * frequency * (K1 + 1)) / (frequency + K1 * (1 - B + (B * length) / this.averageLength));
    }
    // Prefers names with few words beyond the query: create_task before create_task_comment.
    score *= 1 + nameTerms.filter((term) => terms.has(term)).length / nameTerms.length;
    return deletes && !terms.has(DELETE) ? score * UNWANTED_WEIGHT : score;
  }
}

const [DELETE] = termsOf('delete') as [string];

function entryOf(tool: CatalogTool): Entry {
  const frequencies = new Map<string, number>();
  let length = 0;
  const add = (text: string, weight: number): void => {
    for (const term of termsOf(text)) {
      frequencies.set(term, (frequencies.get(term) ?? 0) + weight);
      length += weight;
    }
  };
  add(tool.name, NAME_WEIGHT);
  add(`${tool.module} ${tool.title} ${tool.details}`, 1);
  const properties = (tool.definition.inputSchema as Json)['properties'] as Record<string, Json>;
  for (const [name, { description }] of Object.entries(properties)) add(`${name} ${String(description ?? '')}`, ARGUMENT_WEIGHT);
  return { tool, deletes: tool.binding.method === 'DELETE', nameTerms: termsOf(tool.name), frequencies, length };
}
