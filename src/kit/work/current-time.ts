import { currentWork } from './work.js';

/**
 * The time by which a decision is made: the present, or that of `Svc-Test-Clock` in a call on test data. Take it in place of `new Date()`
 * wherever something is due, expires or is dated. `now()` in a module's SQL and `tx.startedAt` are the same time; `created_at` and
 * `updated_at` are those of the real clock. What is written to rows that both modes share, or decides about rows of live data, is dated
 * with `realTime()`.
 *
 * @example
 * ```ts
 * import { currentTime } from 'work-suite/kit';
 *
 * export const isLate = (dueAt: Date) => dueAt <= currentTime();
 * ```
 */
export function currentTime(): Date {
  const clock = currentWork()?.clock ?? null;
  return clock === null ? new Date() : new Date(clock);
}

/**
 * The present, also in a call with `Svc-Test-Clock`: for rows that live and test data share, such as settings.
 *
 * @example
 * ```ts
 * import { realTime } from 'work-suite/kit';
 *
 * export const isOver = (endsAt: Date) => endsAt <= realTime();
 * ```
 */
export function realTime(): Date {
  return new Date();
}

/** Of modules' SQL: every place but the columns that tell when a row was written. */
const NOW = /(?<!"?updated_at"? = )\b(?:now|clock_timestamp)\(\)/g;

/** A statement of a module as of the test clock of the running call. The time in the text is safe: it is no caller's text any more. */
export function asOfClock(text: string): string {
  const clock = currentWork()?.clock ?? null;
  return clock === null ? text : text.replace(NOW, `'${clock.toISOString()}'::timestamptz`);
}
