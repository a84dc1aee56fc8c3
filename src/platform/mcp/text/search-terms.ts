/** Words without meaning for a search. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a an and any are as at be because been by can could did do does for from give had has have he her him his how i if in into is ' +
    'it its let me my need not of on one or other our out please s she should some still t that the their them there they this to up ' +
    'us want was we were what when where which will with would you your'
  ).split(' '),
);

export function termsOf(text: string): string[] {
  return wordsOf(text).map(stem);
}

/** The words that mean something, as they are written. */
export function wordsOf(text: string): string[] {
  return allWordsOf(text).filter((word) => !STOP_WORDS.has(word));
}

export function allWordsOf(text: string): string[] {
  return text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
}

/** The term of words that mean something only together: `call_off` for "called off". */
export function phraseOf(words: string): string {
  return allWordsOf(words.replaceAll('_', ' ')).map(stem).join('_');
}

/** Words that end a phrase whose verb may come earlier ("put five aside"), and how many words of it they begin ("put it on hold"). */
export const PARTICLES: ReadonlyMap<string, number> = new Map([
  ...['aside', 'away', 'back', 'down', 'in', 'off', 'out', 'over', 'together', 'up'].map((word) => [word, 1] as const),
  ['on', 2],
]);
export const FARTHEST_PARTICLE = 4;

type Endings = Readonly<Record<'singulars' | 'spellings', readonly (readonly [RegExp, string])[]>>;

/** The endings that a stem lacks. Browsers get them, too: Safari before 16.4 cannot parse look-behind. */
export const ENDINGS: Endings = {
  /** Of which one applies: responses is response. */
  singulars: [
    [/ies$/, 'y'],
    [/(s|x|z|ch|sh)es$/, '$1'],
    [/([^su])s$/, '$1'],
  ],
  /** British endings, and the American ones. */
  spellings: [
    [/(..)our$/, '$1or'],
    [/(..)enc$/, '$1ens'],
    [/(..)ogu$/, '$1og'],
    [/(...)is$/, '$1iz'],
    [/(..)ys$/, '$1yz'],
    [/(..)isation$/, '$1ization'],
    [/llment$/, 'lment'],
  ],
};

/** Maps the forms and spellings of a word to one stem: tasks and task; completed, completing and complete; statuses and status. */
export function stem(word: string): string {
  return stemBy(ENDINGS, word);
}

/** Uses nothing but its arguments: the search of the documentation takes its text into the browser. */
export function stemBy({ singulars, spellings }: Endings, word: string): string {
  const singular = singulars
    .reduce((found, [ending, one]) => (found === word ? word.replace(ending, one) : found), word)
    .replace(/(..)tre$/, '$1ter');
  const base = singular
    .replace(/(...)(?:ing|ed|ee|e)$/, '$1')
    // cancelled and cancel, shipped and ship, but not fill and file
    .replace(/([aeiou][^aeiou]+[aeiou])ll$/, '$1l')
    .replace(/(..)([bdgmnprt])\2$/, '$1$2');
  return spellings.reduce((term, [ending, american]) => term.replace(ending, american), base);
}
