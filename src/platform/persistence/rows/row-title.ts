/** The columns with a title, the first first. */
export const TITLE_COLUMNS = ['title', 'name', 'full_name', 'number', 'code'] as const;

/** What people call a row; undefined if it has no column for that. */
export function titleOf(row: object): string | undefined {
  const named = row as Partial<Record<(typeof TITLE_COLUMNS)[number], unknown>>;
  return TITLE_COLUMNS.map((name) => named[name]).find((value): value is string => typeof value === 'string');
}
