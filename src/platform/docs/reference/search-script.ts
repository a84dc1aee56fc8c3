import { hash } from 'node:crypto';
import { ENDINGS, FARTHEST_PARTICLE, PARTICLES, stemBy, STOP_WORDS } from '../../mcp/text/search-terms.js';

const HEAD_WEIGHT = 3;
/** Of what mentions the name that the question is: guides explain it, and objects have it as a member. */
const NAME_WEIGHTS = { guide: 60, object: 50 };
const NAME_WEIGHT = 20;
/** Of errors, if the question begins with the status of a response. */
const STATUS_WEIGHT = 3;

const rules = (some: readonly (readonly [RegExp, string])[]) =>
  `[${some.map(([ending, other]) => `[${String(ending)}, ${JSON.stringify(other)}]`).join(', ')}]`;

/**
 * The search of the documentation, a module for browsers: `openSearch` takes MiniSearch and the index, and returns the search. Guides and
 * operations stand before errors and events unless the question is the name of one or begins with a status, and what matches all words
 * of the question before what matches some.
 */
export const SEARCH_SCRIPT = `const ENDINGS = { singulars: ${rules(ENDINGS.singulars)}, spellings: ${rules(ENDINGS.spellings)} };
const STOP_WORDS = new Set(${JSON.stringify([...STOP_WORDS].join(' '))}.split(' '));
const PARTICLES = new Map(${JSON.stringify([...PARTICLES])});
const stemBy = ${stemBy.toString()};
const stem = (word) => stemBy(ENDINGS, word);
const wordsOf = (text) => text.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase().match(/[a-z0-9]+/g) ?? [];
const WEIGHTS = { title: 4, words: 2.5, place: 1.5, text: 1 };
const KINDS = { guide: 1.1, change: .5, object: .7, operation: 1.2, member: .7, error: .3, event: .3 };
const termsOf = (text) => {
  const words = wordsOf(text);
  const meaning = words.filter((word) => !STOP_WORDS.has(word));
  return [...new Set((meaning.length > 0 ? meaning : words).map(stem))];
};
const joined = (words) => words.map(stem).join('_');
const phrasesFrom = (word, i, words) => [
  ...[2, 3].map((length) => joined(words.slice(i, i + length))),
  ...words.slice(i + 2, i + 1 + ${FARTHEST_PARTICLE}).flatMap((later, j) =>
    PARTICLES.has(later) ? [joined([word, ...words.slice(i + 2 + j, i + 2 + j + PARTICLES.get(later))])] : []),
];
// of changed, added, left out and swapped letters
const distanceOf = (one, other) => {
  let [before, last] = [[], [...Array(other.length + 1).keys()]];
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      row[j] = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (one[i - 1] === other[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]) row[j] = Math.min(row[j], before[j - 2] + 1);
    }
    [before, last] = [last, row];
  }
  return last[other.length];
};
export const openSearch = (MiniSearch, packed) => {
  const entries = packed.map(([title, place, path, verb, kind, words, text], id) =>
    ({ id, title, place, path, verb, kind, words, text, terms: termsOf(title), name: termsOf(path.split('#')[1] ?? title) }));
  const known = new Map();
  for (const { words, text, terms, place } of entries)
    for (const term of new Set([...words.split(' '), ...text.split(' '), ...terms, ...termsOf(place)]))
      known.set(term, (known.get(term) ?? 0) + 1);
  const terms = [...known.keys()];
  // the nearest word that is known, of two as near the one in more entries
  const corrected = (term, isLast) => {
    if (known.has(term) || term.length < 5 || /^\\d+$/.test(term) || (isLast && terms.some((one) => one.startsWith(term)))) return term;
    const most = term.length > 7 ? 2 : 1;
    let [best, least] = [term, most + 1];
    for (const one of terms) {
      if (Math.abs(one.length - term.length) > most) continue;
      const distance = distanceOf(one, term);
      if (distance < least || (distance === least && distance <= most && known.get(one) > known.get(best))) [best, least] = [one, distance];
    }
    return best;
  };
  const rarity = (term) => Math.log(1 + entries.length / (known.get(term) ?? 1));
  const sum = (terms, weight) => terms.reduce((total, term) => total + rarity(term) * weight(term), 0);
  const share = (some, all, weight = () => 1) => sum(some, weight) / sum(all, weight);
  const index = new MiniSearch({
    fields: Object.keys(WEIGHTS),
    extractField: (entry, field) =>
      field === 'title' ? entry.terms.join(' ') : field === 'place' ? termsOf(entry.place).join(' ') : entry[field],
    tokenize: (text) => String(text).split(' ').filter(Boolean),
    processTerm: (term) => term,
    searchOptions: { boost: WEIGHTS, bm25: { k: 1.2, b: .4, d: 0 } },
  });
  index.addAll(entries);
  return (question) => {
    const words = wordsOf(question);
    const terms = termsOf(question).map((term, i, all) => corrected(term, i === all.length - 1));
    const name = question.trim().toLowerCase();
    const asksForStatus = /^[45]\\d\\d\\b/.test(name);
    const whole = /^[\\w-]+$/.test(name) && words.length > 1 ? joined(words) : '';
    const phrases = [...new Set([...words.flatMap(phrasesFrom), whole])].filter((phrase) => phrase.includes('_') && known.has(phrase));
    const last = terms.at(-1);
    // of a name that nothing has, the last word says what it is: sales_quote is a quote
    const isName = /^\\w+_\\w+$/.test(question.trim()) && phrases.length === 0;
    const weight = (term) => isName && term === last ? ${HEAD_WEIGHT} : 1;
    const hits = index.search(question, {
      tokenize: () => [...terms, ...phrases],
      prefix: (term) => term === last && term.length > 1,
      boostTerm: weight,
    });
    return hits.map(({ id, score, match, queryTerms }) => {
      const entry = entries[id];
      const found = new Set(queryTerms.flatMap((term) => (term.includes('_') ? term.split('_') : [term])));
      const coverage = share(terms.filter((term) => found.has(term)), terms, weight);
      const isNamed = (term) => Object.hasOwn(match, term) && match[term].some((field) => field === 'title' || field === 'words');
      const named = Math.max(...[entry.terms, entry.name].map((terms) => share(terms.filter(isNamed), terms, weight)));
      // the name of an operation, an error or an event stands before all that tells about it
      const exact = name === entry.path.split('#')[1]?.toLowerCase() ? 2000 : name === entry.title.toLowerCase() ? 1000 : 1;
      const isMentioned = whole !== '' && Object.hasOwn(match, whole);
      const mentions = isMentioned ? (${JSON.stringify(NAME_WEIGHTS)}[entry.kind] ?? ${NAME_WEIGHT}) : 1;
      const path = isMentioned && entry.kind === 'object' ? \`\${entry.path}#field.\${name}\` : entry.path;
      const kind = asksForStatus && entry.kind === 'error' ? ${STATUS_WEIGHT} : KINDS[entry.kind];
      return { entry: { ...entry, path }, score: score * coverage ** 2 * (1 + named) * kind * exact * mentions };
    }).sort((one, other) => other.score - one.score).map(({ entry }) => entry);
  };
};
`;

/** The file name contains a hash of the content, so browsers can cache it. */
export const SEARCH_SCRIPT_FILE = `search-${hash('sha256', SEARCH_SCRIPT, 'hex').slice(0, 16)}.js`;
