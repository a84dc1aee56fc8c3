const printed = new Set<string>();

/** Prints why tests are skipped, once per process. Jest prints no `console` output of a file that skips all of its tests. */
export function explainSkippedTests(reason: string): void {
  if (!printed.has(reason)) process.stderr.write(`${reason}\n`);
  printed.add(reason);
}
