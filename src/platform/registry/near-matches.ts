import { distance } from 'fastest-levenshtein';

const MOST = 3;

/** The names that differ from a misspelt one in few characters, the nearest first. */
export function nearMatches(name: string, names: readonly string[]): string[] {
  const most = Math.max(2, Math.floor(name.length / 4));
  return names
    .map((candidate) => ({ candidate, edits: distance(name, candidate) }))
    .filter(({ edits }) => edits <= most)
    .sort((one, other) => one.edits - other.edits)
    .slice(0, MOST)
    .map(({ candidate }) => candidate);
}
