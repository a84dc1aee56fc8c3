/** A character that JSON contains only escaped. */
const SEPARATOR = '\x1e';

/** SQL: the array of the bodies that `columnsOf` has joined. */
export const bodiesIn = (value: string): string => `(SELECT string_to_array(${value}, E'\\x1e'))`;

/**
 * The values of events by column, for `unnest`. The bodies, which are JSON, become one text: as an array, each of their many quotes would
 * be escaped.
 */
export function columnsOf(rows: readonly (readonly unknown[])[], body: number): unknown[] {
  const columns: unknown[][] = rows[0].map((_, column) => rows.map((row) => row[column]));
  return (columns as unknown[]).with(body, columns[body].join(SEPARATOR));
}
