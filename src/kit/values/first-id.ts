/**
 * The smallest UUID v7 of a time in milliseconds. Ids start with their creation time, so the primary key index finds rows by age.
 *
 * @example
 * ```ts
 * import { currentTime, firstIdAt, sql } from 'work-suite/kit';
 *
 * const ofLastHour = sql`t.id >= ${firstIdAt(currentTime().getTime() - 3_600_000)}`;
 * ```
 */
export function firstIdAt(time: number): string {
  const hex = Math.max(0, time).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
