import type { CatalogueTool } from './tool-catalogue.js';

// The usual constants of Okapi BM25 (Robertson and Zaragoza, 2009).
const K1 = 1.2;
const B = 0.75;
/** A word of the name says more of a tool than one of its description. */
const NAME_WEIGHT = 3;

interface Entry {
  tool: CatalogueTool;
  frequencies: ReadonlyMap<string, number>;
  length: number;
}

/** BM25 over the names and descriptions of the tools. */
export class SearchIndex {
  private readonly entries: readonly Entry[];
  private readonly averageLength: number;
  private readonly documentFrequencies = new Map<string, number>();

  constructor(tools: readonly CatalogueTool[]) {
    this.entries = tools.map((tool) => {
      const terms = [
        ...Array.from({ length: NAME_WEIGHT }, () => termsOf(tool.name)).flat(),
        ...termsOf(tool.module),
        ...termsOf(tool.description),
      ];
      const frequencies = new Map<string, number>();
      for (const term of terms) frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
      return { tool, frequencies, length: terms.length };
    });
    for (const { frequencies } of this.entries) {
      for (const term of frequencies.keys()) {
        this.documentFrequencies.set(term, (this.documentFrequencies.get(term) ?? 0) + 1);
      }
    }
    this.averageLength = this.entries.reduce((sum, entry) => sum + entry.length, 0) / Math.max(1, this.entries.length);
  }

  /** The best first; the catalogue's order between equals. */
  search(query: string, visible: ReadonlySet<CatalogueTool>, limit: number): CatalogueTool[] {
    const terms = [...new Set(termsOf(query.slice(0, 500)))];
    return this.entries
      .filter((entry) => visible.has(entry.tool))
      .map((entry) => ({ tool: entry.tool, score: this.score(entry, terms) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, limit)
      .map(({ tool }) => tool);
  }

  private score({ frequencies, length }: Entry, terms: readonly string[]): number {
    let score = 0;
    for (const term of terms) {
      const frequency = frequencies.get(term);
      if (frequency === undefined) continue;
      const containing = this.documentFrequencies.get(term) ?? 0;
      const rarity = Math.log(1 + (this.entries.length - containing + 0.5) / (containing + 0.5));
      score += (rarity * frequency * (K1 + 1)) / (frequency + K1 * (1 - B + (B * length) / this.averageLength));
    }
    return score;
  }
}

/** Lower-case words; a plural counts as its singular, since agents ask for "tasks" and tools say "task". */
function termsOf(text: string): string[] {
  return (text.toLowerCase().match(/[a-z0-9]+/g) ?? []).map((word) =>
    word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word,
  );
}
