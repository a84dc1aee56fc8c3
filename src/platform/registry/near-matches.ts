const MOST = 3;

/** The names that differ from a misspelt one in few characters, the nearest first. */
export function nearMatches(name: string, names: readonly string[]): string[] {
  const most = Math.max(2, Math.floor(name.length / 4));
  return names
    .map((candidate) => ({ candidate, distance: distanceOf(name, candidate) }))
    .filter(({ distance }) => distance <= most)
    .sort((one, other) => one.distance - other.distance)
    .slice(0, MOST)
    .map(({ candidate }) => candidate);
}

/** The number of characters to insert, delete or replace (Levenshtein). */
function distanceOf(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [i, character] of [...one].entries()) {
    const next = [i + 1];
    for (const [j, wanted] of [...other].entries())
      next.push(Math.min(next[j] + 1, row[j + 1] + 1, row[j] + (character === wanted ? 0 : 1)));
    row = next;
  }
  return row[other.length];
}
