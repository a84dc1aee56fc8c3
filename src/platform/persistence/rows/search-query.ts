/** Compounds are looked for in queries of up to this many words; longer ones are searched as they are. */
const MAX_WORDS = 4;
/** Words of such a length are split; a part has at least two letters. */
const SPLIT = /^\p{L}{4,12}$/u;

/**
 * Converts words to a tsquery of prefixes that must all match. Parts joined by punctuation form a phrase: `ENG-4` means `eng`
 * followed by a word that begins with `4`. Compounds are found either way they are written: `log in` and `log-in` also find
 * `login`, and `login` also finds `log in`. All of this is in the query, so that writing costs nothing.
 */
export function searchQuery(text: string): string {
  const phrases = text
    .toLowerCase()
    .split(/\s+/)
    .map((chunk) => chunk.match(/[\p{L}\p{N}]+/gu))
    .filter((words): words is RegExpMatchArray => words !== null);
  // a query without a word matches nothing
  if (phrases.length === 0) return "'\u0001'";
  if (phrases.length > MAX_WORDS) return allOf(phrases.map(phrase));
  const joined = phrases.slice(1).flatMap((words, index) => {
    const before = phrases[index];
    if (before.length > 1 || words.length > 1) return [];
    return [allOf([...phrases.slice(0, index), [before[0] + words[0]], ...phrases.slice(index + 2)].map(phrase))];
  });
  return [allOf(phrases.map((words) => anyOf([phrase(words), ...compounds(words)]))), ...joined].join(' | ');
}

function phrase(words: readonly string[]): string {
  return `(${words.map((word) => `'${word}'`).join(' <-> ')}:*)`;
}

function compounds(words: readonly string[]): string[] {
  const isHyphenated = words.length === 2 && words.every((word) => /^\p{L}+$/u.test(word));
  return isHyphenated ? [phrase([words.join('')])] : splits(words);
}

/** The word as two adjacent ones, which are complete: prefixes as short as two letters would match most of a table. */
function splits([word, ...others]: readonly string[]): string[] {
  if (others.length > 0 || !SPLIT.test(word)) return [];
  const letters = [...word];
  return letters.slice(3).map((_, index) => `('${letters.slice(0, index + 2).join('')}' <-> '${letters.slice(index + 2).join('')}')`);
}

function allOf(terms: readonly string[]): string {
  return terms.join(' & ');
}

function anyOf(terms: readonly string[]): string {
  return terms.length === 1 ? terms[0] : `(${terms.join(' | ')})`;
}
