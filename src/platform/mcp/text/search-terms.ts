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

/** Maps the forms of a word to one stem: tasks and task; completed, completing and complete; statuses and status. */
export function stem(word: string): string {
  const singular = word
    .replace(/ies$/, 'y')
    .replace(/(s|x|z|ch|sh)es$/, '$1')
    .replace(/([^su])s$/, '$1');
  return singular.replace(/(?<=...)(?:ing|ed|ee|e)$/, '');
}
