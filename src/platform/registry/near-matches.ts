import { distance } from 'fastest-levenshtein';

const MOST = 3;

/** The names that differ from a misspelt one in few characters, the nearest first; none that is much farther than the nearest. */
export function nearMatches(name: string, names: readonly string[], most = Math.max(2, Math.floor(name.length / 4))): string[] {
  const near = names
    .map((candidate) => ({ candidate, edits: distance(name, candidate) }))
    .filter(({ edits }) => edits <= most)
    .sort((one, other) => one.edits - other.edits);
  return near
    .filter(({ edits }) => edits <= near[0].edits + 1)
    .slice(0, MOST)
    .map(({ candidate }) => candidate);
}

/** `; did you mean ...?` with the names that are spelled alike; empty if there are none. */
export function suggestion(name: string, names: readonly string[]): string {
  const near = nearMatches(name, names);
  return near.length > 0 ? `; did you mean ${near.join(' or ')}?` : '';
}
