/** Words without meaning for a search. */
const STOP_WORDS = new Set(
  'a an and are as at be by can do for from how i in is it me my of on one or that the this to up want what which with'.split(' '),
);

export function termsOf(text: string): string[] {
  return wordsOf(text).map(stem);
}

/** The words that mean something, as they are written. */
export function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(/[a-z0-9]+/g) ?? []).filter((word) => !STOP_WORDS.has(word));
}

/** British endings, and the American ones. */
const SPELLINGS: readonly [RegExp, string][] = [
  [/(?<=..)our$/, 'or'],
  [/(?<=..)enc$/, 'ens'],
  [/(?<=..)ogu$/, 'og'],
  [/(?<=...)is$/, 'iz'],
  [/(?<=..)ys$/, 'yz'],
  [/(?<=..)isation$/, 'ization'],
  [/llment$/, 'lment'],
];

/** Maps the forms and spellings of a word to one stem: tasks and task; completed, completing and complete; statuses and status. */
export function stem(word: string): string {
  const singular = word
    .replace(/ies$/, 'y')
    .replace(/(s|x|z|ch|sh)es$/, '$1')
    .replace(/([^su])s$/, '$1')
    .replace(/(?<=..)tre$/, 'ter');
  const base = singular
    .replace(/(?<=...)(?:ing|ed|ee|e)$/, '')
    // cancelled and cancel, shipped and ship, but not fill and file
    .replace(/([aeiou][^aeiou]+[aeiou])ll$/, '$1l')
    .replace(/(?<=..)([bdgmnprt])\1$/, '$1');
  return SPELLINGS.reduce((term, [ending, american]) => term.replace(ending, american), base);
}
