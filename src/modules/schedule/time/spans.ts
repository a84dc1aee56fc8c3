/** Milliseconds since 1970; the end is exclusive. */
export interface Span {
  start: number;
  end: number;
}

/** The parts of the spans in which at least `capacity` of them overlap. */
export function fullSpans(uses: readonly Span[], capacity: number): Span[] {
  if (capacity === 1) return [...uses];
  const edges = uses
    .filter(({ start, end }) => start < end)
    .flatMap(
      ({ start, end }) =>
        [
          [start, 1],
          [end, -1],
        ] as [number, 1 | -1][],
    );
  // an end comes before a start at the same time: they do not overlap
  edges.sort(([a, x], [b, y]) => a - b || x - y);
  const full: Span[] = [];
  let count = 0;
  for (const [at, change] of edges) {
    if (change === 1 && count === capacity - 1) full.push({ start: at, end: at });
    if (change === -1 && count === capacity) full[full.length - 1].end = at;
    count += change;
  }
  return full.filter(({ start, end }) => start < end);
}
