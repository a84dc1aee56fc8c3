/**
 * SQL: whether the organization that a column names is not closed. While one is closed, its keys and sessions are refused and none of its
 * work runs. The closed ones are few, and read once for each statement.
 */
export function isOpen(column: string): string {
  return `${column} <> ALL (ARRAY(SELECT id FROM organizations WHERE closed_at IS NOT NULL))`;
}
