import type { AgentWords } from '../../../kit/index.js';
import { termsOf } from './search-terms.js';

/** Words for what the tools of any module do, and arguments that those of several have. Modules declare the others. */
const GENERAL: Required<AgentWords> = {
  search: {
    update: 'close complete finish done end mark move rename assign unassign reassign reopen edit change modify set put adjust archive',
    status: 'close complete finish done reopen',
    delete: 'remove erase destroy drop',
    create: 'make add new open write post insert',
    list: 'find search filter look show see view read browse display',
    get: 'look show see view read browse display',
    member: 'who whom whose people person user someone somebody anyone colleague teammate assign unassign reassign',
    batch: 'bulk many several multiple',
  },
  arguments: {
    key: ['id'],
    name: ['title'],
    title: ['name'],
    status: ['status_id', 'state'],
    state: ['status_id', 'status'],
    query: ['q'],
    search: ['q'],
    page_size: ['limit'],
    per_page: ['limit'],
    page: ['cursor'],
    offset: ['cursor'],
    order_by: ['sort'],
    body: ['text', 'content', 'description'],
    value: ['amount'],
  },
};

/** Weight of a synonym, relative to a word of the query itself. */
const SYNONYM_WEIGHT = 0.6;

/** The general words of agents, and those that modules declare. */
export class Vocabulary {
  private readonly meanings = new Map<string, Set<string>>();
  private readonly candidates = new Map<string, readonly string[]>();

  constructor(declared: readonly AgentWords[] = []) {
    for (const { search = {}, arguments: names = {} } of [GENERAL, ...declared]) {
      for (const [meaning, words] of Object.entries(search)) this.addMeaning(meaning, words);
      for (const [name, meant] of Object.entries(names)) this.candidates.set(name, [...new Set([...this.argumentsFor(name), ...meant])]);
    }
  }

  /** The terms to search for, with their weights. */
  queryTerms(query: string): Map<string, number> {
    const weights = new Map<string, number>();
    const terms = new Set(termsOf(query));
    for (const term of terms) for (const synonym of this.meanings.get(term) ?? []) weights.set(synonym, SYNONYM_WEIGHT);
    for (const term of terms) weights.set(term, 1);
    return weights;
  }

  /** Whether a term means one of the others. */
  means(term: string, others: ReadonlySet<string>): boolean {
    for (const meaning of this.meanings.get(term) ?? []) if (others.has(meaning)) return true;
    return false;
  }

  /** The arguments that a name may mean, best first. */
  argumentsFor(name: string): readonly string[] {
    return this.candidates.get(name) ?? [];
  }

  private addMeaning(meaning: string, words: string): void {
    for (const word of termsOf(words)) this.meanings.set(word, new Set([...(this.meanings.get(word) ?? []), ...termsOf(meaning)]));
  }
}
