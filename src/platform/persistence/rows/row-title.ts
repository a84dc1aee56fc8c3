const NAMES = ['title', 'name', 'full_name', 'number', 'code'] as const;

/** What people call a row; undefined if it has no column for that. */
export function titleOf(row: object): string | undefined {
  const named = row as Partial<Record<(typeof NAMES)[number], unknown>>;
  return NAMES.map((name) => named[name]).find((value): value is string => typeof value === 'string');
}
