import { distance } from 'fastest-levenshtein';
import { termsOf } from './search-terms.js';
import type { Vocabulary } from './vocabulary.js';

/**
 * The candidate that a wrong name most likely means, or undefined when none is close enough to suggest. The vocabulary has the
 * arguments that names may mean.
 */
export function nearestName(name: string, candidates: Iterable<string>, vocabulary?: Vocabulary): string | undefined {
  // The distance takes quadratic time and the name comes from the client.
  if (name.length > 64) return undefined;
  const all = [...candidates];
  const given = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[\s.-]+/g, '_')
    .toLowerCase();
  // two swapped characters are two edits
  const misspelled = nearest(given, all, given.length < 6 ? 1 : 2);
  return (
    misspelled ??
    meant(given, all, vocabulary) ??
    extended(given, all) ??
    related(given, all) ??
    nearest(given, all, Math.max(2, Math.floor(given.length / 3)))
  );
}

/** `task_id` or `key` may mean the `id` of a tool with one path parameter, and `id` its `task_id`. */
function meant(given: string, all: readonly string[], vocabulary: Vocabulary | undefined): string | undefined {
  const bare = given.replace(/(_ids?|s)$/, '').replace(/.*_key$/, 'key');
  const candidates = [given, bare].map((name) => vocabulary?.argumentsFor(name) ?? []).find(({ length }) => length > 0);
  const found = candidates?.find((candidate) => all.includes(candidate));
  if (found !== undefined || !/(^|_)id$/.test(given)) return found;
  return all.find((candidate) => candidate !== given && (given === 'id' ? candidate.endsWith('_id') : candidate === 'id'));
}

/** The name of nearest length that begins with the given one or ends with it as a whole word, or whose first or last word it extends. */
function extended(given: string, all: readonly string[]): string | undefined {
  const contains = (long: string, short: string): boolean =>
    short.length >= 3 && (long.startsWith(`${short}_`) || long.endsWith(`_${short}`));
  const begins = (long: string, short: string): boolean => short.length >= 3 && long.startsWith(short);
  return closest(
    given,
    all.filter((candidate) => contains(candidate, given) || begins(candidate, given) || contains(given, candidate)),
  );
}

/** The name of nearest length with all words of the given one, or the other way around, in any form: `labels` is `label_ids`. */
function related(given: string, all: readonly string[]): string | undefined {
  const wordsOf = (name: string) => termsOf(name).filter((word) => word !== 'id');
  const isWithin = (some: readonly string[], others: readonly string[]) => some.length > 0 && some.every((word) => others.includes(word));
  const own = wordsOf(given);
  return closest(
    given,
    all.filter((candidate) => {
      const words = wordsOf(candidate);
      return isWithin(own, words) || isWithin(words, own);
    }),
  );
}

function closest(given: string, found: readonly string[]): string | undefined {
  return [...found].sort((a, b) => Math.abs(a.length - given.length) - Math.abs(b.length - given.length))[0];
}

function nearest(given: string, all: readonly string[], most: number): string | undefined {
  let found: string | undefined;
  let least = most + 1;
  for (const candidate of all) {
    if (Math.abs(candidate.length - given.length) >= least) continue;
    const edits = distance(given, candidate.toLowerCase());
    if (edits < least) [found, least] = [candidate, edits];
  }
  return found;
}
