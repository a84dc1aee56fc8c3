import { setImmediate as pause } from 'node:timers/promises';
import { RE2JS } from 're2js';

/** A short pattern can compile to 50,000 instructions, and a request has up to 500: this limits the time to compile them. */
const PATTERNS_MS = 2_000;

/** What is wrong with each of the patterns, or null. RE2 has no lookaround and no back-references, so matching takes linear time. */
export async function patternProblems(patterns: readonly (string | null | undefined)[]): Promise<(string | null)[]> {
  const known = new Map<string, string | null>();
  const problems: (string | null)[] = [];
  let spent = 0;
  for (const pattern of patterns) {
    if (pattern === undefined || pattern === null) {
      problems.push(null);
      continue;
    }
    if (!known.has(pattern)) {
      if (spent > PATTERNS_MS) return [...problems, 'makes the patterns too large in total; use smaller {n} repetitions'];
      const since = performance.now();
      known.set(pattern, patternProblem(pattern));
      spent += performance.now() - since;
      await pause();
    }
    problems.push(known.get(pattern) ?? null);
  }
  return problems;
}

function patternProblem(pattern: string): string | null {
  try {
    RE2JS.compile(pattern);
    return null;
  } catch (error) {
    return `is not an RE2 regular expression: ${(error as Error).message}`;
  }
}
