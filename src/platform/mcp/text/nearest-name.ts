import { termsOf } from './search-terms.js';

/** Words that agents use for arguments, and the arguments they may mean. */
const SLIPS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    assignee: ['assignee_ids', 'assignee_id', 'owner_id'],
    owner: ['owner_id', 'assignee_ids'],
    key: ['id'],
    name: ['title', 'full_name'],
    title: ['name'],
    status: ['status_id', 'stage_id', 'state'],
    state: ['status_id', 'status'],
    stage: ['stage_id', 'lifecycle_stage', 'status_id'],
    query: ['q'],
    search: ['q'],
    page_size: ['limit'],
    per_page: ['limit'],
    page: ['cursor'],
    offset: ['cursor'],
    order_by: ['sort'],
    body: ['text', 'content', 'description'],
    due_date: ['due_on'],
    deadline: ['due_on', 'due_before', 'expected_close_on'],
    value: ['amount'],
  }),
);

/** The candidate that a wrong name most likely stands for, or undefined when none is close enough to suggest. */
export function nearestName(name: string, candidates: Iterable<string>): string | undefined {
  // The distance takes quadratic time and the name comes from the client, so its length is bounded.
  if (name.length > 64) return undefined;
  const all = [...candidates];
  const given = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[\s.-]+/g, '_')
    .toLowerCase();
  const misspelled = nearest(given, all, 1);
  return (
    misspelled ??
    meant(given, all) ??
    extended(given, all) ??
    related(given, all) ??
    nearest(given, all, Math.max(2, Math.floor(given.length / 3)))
  );
}

/** `task_id` or `key` may mean the `id` of a tool with one path parameter, and `id` its `task_id`. */
function meant(given: string, all: readonly string[]): string | undefined {
  const candidates = SLIPS.get(given) ?? SLIPS.get(given.replace(/(_ids?|s)$/, '').replace(/.*_key$/, 'key'));
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
    const distance = editDistance(given, candidate.toLowerCase());
    if (distance < least) [found, least] = [candidate, distance];
  }
  return found;
}

/** Optimal string alignment: insertions, deletions, substitutions and swaps of adjacent characters. */
function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let cost = Math.min((previous[j] as number) + 1, (current[j - 1] as number) + 1, substitution);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, (beforePrevious[j - 2] as number) + 1);
      }
      current.push(cost);
    }
    [beforePrevious, previous] = [previous, current];
  }
  return previous[b.length] as number;
}
