import { distance } from 'fastest-levenshtein';
import MiniSearch from 'minisearch';
import { allWordsOf, FARTHEST_PARTICLE, PARTICLES, phraseOf, stem, termsOf, wordsOf } from '../text/search-terms.js';
import type { Vocabulary } from '../text/vocabulary.js';
import type { CatalogTool } from '../catalog/tool-catalog.js';
import type { Json } from '../protocol/protocol.js';

/** Weights of words, relative to a word of the description. `synonyms` are the other words for those of the name. */
const WEIGHTS = { name: 3, title: 2, synonyms: 2, description: 1, arguments: 0.15 };
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
/** Factor for tools that only read when the query is a question. */
const ANSWER_WEIGHT = 1.5;
/** Factor for tools that write when the query is a question. */
const CHANGE_WEIGHT = 0.7;
/** Factor for tools that do something special, such as to merge, when the query does not ask for that. */
const SPECIAL_WEIGHT = 0.7;
/** The same for tools that read one record, because a caller has no identifier at first. */
const GET_WEIGHT = 0.85;
const GENERAL_VERB = /^(list|create)_/;
/** Factor for tools whose verb the query begins with. */
const VERB_WEIGHT = 1.4;
/** Factor for lists when the query is a question, because a caller has no identifiers at first. */
const LIST_WEIGHT = 1.2;
const LIST = /^list_/;
const QUESTION = /^\W*(what|which|who|whom|whose|when|where|why|how|is|are|was|were|has|does|did)\b/i;
const MAX_QUERY = 500;
const LONGEST_PHRASE = 3;
/** Weight of who takes part, which is seldom what a request is about: "bill the client". */
const PARTY_WEIGHT = 0.5;

interface Entry {
  tool: CatalogTool;
  /** By each term of the name: itself and the other words for it. */
  meanings: readonly ReadonlySet<string>[];
}

/** An index of the names and descriptions of tools and their arguments, and of the words that agents use for them. */
export class SearchIndex {
  private readonly entries: ReadonlyMap<string, Entry>;
  private readonly knownByModule = new Map<string, Set<string>>();
  private readonly index = new MiniSearch<Entry>({
    fields: Object.keys(WEIGHTS),
    extractField: (entry, field) => (field === 'id' ? entry.tool.name : termsIn(entry, field).join(' ')),
    tokenize: (text) => text.split(' '),
    processTerm: (term) => term,
    searchOptions: { boost: WEIGHTS, bm25: BM25 },
  });

  constructor(
    tools: readonly CatalogTool[],
    private readonly vocabulary: Vocabulary,
  ) {
    const entries = tools.map((tool) => ({ tool, meanings: vocabulary.meaningsOf(tool.name, tool.module) }));
    this.entries = new Map(entries.map((entry) => [entry.tool.name, entry]));
    this.index.addAll(entries);
    for (const entry of entries) {
      const known = this.knownByModule.get(entry.tool.module) ?? new Set();
      for (const field of Object.keys(WEIGHTS)) for (const term of termsIn(entry, field)) known.add(term);
      this.knownByModule.set(entry.tool.module, known);
    }
  }

  /** Best matches first. */
  search(query: string, visible: ReadonlySet<CatalogTool>, limit: number): CatalogTool[] {
    const entryOf = (name: unknown) => this.entries.get(name as string) as Entry;
    // a misspelled word may be one of a tool that the caller does not see
    const vocabularies = [...new Set([...visible].map(({ module }) => module))].map((module) => this.knownByModule.get(module));
    const isKnown = (term: string) => vocabularies.some((known) => known?.has(term));
    const text = query.slice(0, MAX_QUERY);
    const terms = termsOfQuery(text, isKnown, this.vocabulary.parties);
    const isQuestion = QUESTION.test(text);
    return this.index
      .search(text, {
        tokenize: () => [...terms.keys()],
        fuzzy: (term) => !isKnown(term) && term.length >= SHORTEST_MISSPELT && MISSPELLING,
        prefix: (term) => !isKnown(term) && term.length >= SHORTEST_BEGINNING,
        boostTerm: (term) => terms.get(term) ?? 1,
        boostDocument: (name) => suitability(entryOf(name), terms, isQuestion),
        filter: ({ id }) => visible.has(entryOf(id).tool),
      })
      .slice(0, limit)
      .map(({ id }) => entryOf(id).tool);
  }
}

/** The tools to begin with when none matches: those that return a module's lookups, then the lists. */
export function overviewOf(visible: readonly CatalogTool[], limit: number): CatalogTool[] {
  const rank = ({ name, context }: CatalogTool) => (name === context?.name ? 0 : LIST.test(name) ? 1 : 2);
  return [...visible].sort((one, other) => rank(one) - rank(other)).slice(0, limit);
}

type IsKnown = (term: string) => boolean;

/** The terms of a query with their weights, and what words may mean that no tool has. */
function termsOfQuery(query: string, isKnown: IsKnown, parties: ReadonlySet<string>): Map<string, number> {
  const { phrases, rest } = phrasesOf(allWordsOf(query), isKnown);
  const words = wordsOf(rest.join(' '));
  const terms = new Map([...phrases, ...words.map(stem)].map((term) => [term, parties.has(term) ? PARTY_WEIGHT : 1]));
  const guesses = words.flatMap((word) => (isKnown(stem(word)) ? [] : guessesOf(word, isKnown)));
  for (const guess of guesses) if (!terms.has(guess)) terms.set(guess, GUESS_WEIGHT);
  return terms;
}

/** The known phrases of a query, longest first, and its other words. */
function phrasesOf(query: readonly string[], isKnown: IsKnown): { phrases: string[]; rest: string[] } {
  const { phrases, rest: words } = separatedPhrasesOf(query, isKnown);
  const rest: string[] = [];
  for (let at = 0; at < words.length;) {
    const phrase = Array.from({ length: LONGEST_PHRASE - 1 }, (_, shorter) => words.slice(at, at + LONGEST_PHRASE - shorter)).find(
      (some) => some.length > 1 && isKnown(phraseOf(some.join(' '))),
    );
    if (phrase) phrases.push(phraseOf(phrase.join(' ')));
    else rest.push(words[at] as string);
    at += phrase?.length ?? 1;
  }
  return { phrases, rest };
}

/** The known phrases whose particle comes later than its verb, as in "put five aside" and "sum all of it up", and the other words. */
function separatedPhrasesOf(query: readonly string[], isKnown: IsKnown): { phrases: string[]; rest: string[] } {
  const phrases: string[] = [];
  const rest = [...query];
  for (let at = 0; at < rest.length; at++) {
    const isLater = (word: string, index: number) => index > at && index <= at + FARTHEST_PARTICLE && PARTICLES.has(word);
    const later = PARTICLES.has(rest[at + 1] as string) ? -1 : rest.findIndex(isLater);
    const particle = later < 0 ? [] : rest.slice(later, later + (PARTICLES.get(rest[later] as string) as number));
    const phrase = phraseOf([rest[at], ...particle].join(' '));
    if (particle.length === 0 || !isKnown(phrase)) continue;
    phrases.push(phrase);
    rest.splice(later, particle.length);
    rest.splice(at--, 1);
  }
  return { phrases, rest };
}

/** The known terms that an unknown word may be: with two characters exchanged, without an ending or a misspelled one. */
function guessesOf(word: string, isKnown: IsKnown): string[] {
  const exchanged = Array.from({ length: word.length - 1 }, (_, at) => word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2));
  const shorter = [1, 2, 3, 4].map((length) => word.slice(0, -length)).filter(({ length }) => length >= SHORTEST_BEGINNING);
  return [...exchanged, ...withoutEnding(word), ...shorter].map(stem).filter(isKnown);
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

function suitability({ tool, meanings }: Entry, terms: ReadonlyMap<string, number>, isQuestion: boolean): number {
  const isAsked = (words: ReadonlySet<string> | undefined) => words !== undefined && [...words].some((word) => terms.has(word));
  const bonus = 1 + (NAME_BONUS * meanings.filter(isAsked).length) / meanings.length;
  const [verb = new Set<string>()] = meanings;
  const [first = ''] = terms.keys();
  if (tool.binding.method === 'DELETE' && !isAsked(verb)) return bonus * UNWANTED_WEIGHT;
  if (!isAsked(verb) && !GENERAL_VERB.test(tool.name)) return bonus * (tool.name.startsWith('get_') ? GET_WEIGHT : SPECIAL_WEIGHT);
  const asked = verb.has(first) ? bonus * VERB_WEIGHT : bonus;
  if (!isQuestion) return asked;
  if (!tool.readOnly) return asked * CHANGE_WEIGHT;
  return asked * ANSWER_WEIGHT * (LIST.test(tool.name) ? LIST_WEIGHT : 1);
}

function termsIn({ tool, meanings }: Entry, field: string): string[] {
  if (field === 'name') return termsOf(tool.name);
  if (field === 'title') return termsOf(tool.title);
  if (field === 'synonyms') return [...new Set(meanings.flatMap((words) => [...words].slice(1)))];
  if (field === 'description') return termsOf(`${tool.module} ${tool.details}`);
  return termsOf(textsOf(tool.definition.inputSchema as Json).join(' '));
}

/** The names, descriptions and allowed values of the members of a schema, at any depth. */
function textsOf(schema: Json): string[] {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Json>);
  const parts = ['anyOf', 'oneOf', 'allOf'].flatMap((key) => (schema[key] ?? []) as Json[]);
  const items = schema['items'] === undefined ? [] : [schema['items'] as Json];
  return [
    ...properties.flatMap(([name, { description }]) => [name, String(description ?? '')]),
    ...((schema['enum'] ?? []) as unknown[]).map(String),
    ...[...properties.map(([, property]) => property), ...parts, ...items].flatMap(textsOf),
  ];
}
