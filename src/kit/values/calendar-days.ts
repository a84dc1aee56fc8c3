import { DAY_MS } from './durations.js';
import { currentTime } from '../work/current-time.js';

const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * The calendar day, `YYYY-MM-DD`, in an IANA time zone at an instant; now if omitted.
 *
 * @example
 * ```ts
 * import { dayIn } from 'work-suite/kit';
 *
 * const today = dayIn('Europe/Berlin'); // '2026-11-29'
 * ```
 */
export function dayIn(timezone: string, at = currentTime()): string {
  let format = formats.get(timezone);
  if (!format) {
    // the locale writes dates as YYYY-MM-DD
    format = new Intl.DateTimeFormat('en-CA', { timeZone: timezone, year: 'numeric', month: '2-digit', day: '2-digit' });
    formats.set(timezone, format);
  }
  return format.format(at);
}

const [FIRST, LAST] = [Date.parse('1000-01-01T00:00:00Z'), Date.parse('9999-12-31T00:00:00Z')];

/**
 * The calendar day that is `days` after the given one, or before it if negative. It stays within the years 1000 to 9999: other days
 * cannot be stored, nor compared as texts.
 *
 * @example
 * ```ts
 * import { plusDays } from 'work-suite/kit';
 *
 * const dueOn = plusDays('2026-11-29', 14); // '2026-12-13'
 * ```
 */
export function plusDays(day: string, days: number): string {
  const at = Date.parse(`${day}T00:00:00Z`) + days * DAY_MS;
  return new Date(Math.min(LAST, Math.max(FIRST, at))).toISOString().slice(0, 10);
}

/**
 * Whether the day that is `days` after the given one is in the years 1000 to 9999.
 *
 * @example
 * ```ts
 * import { isInRange, plusDays } from 'work-suite/kit';
 *
 * const dueOn = isInRange('2026-11-29', 30) ? plusDays('2026-11-29', 30) : null;
 * ```
 */
export function isInRange(day: string, days: number): boolean {
  const at = Date.parse(`${day}T00:00:00Z`) + days * DAY_MS;
  return at >= FIRST && at <= LAST;
}
