/** When a failed delivery is retried. */
export interface RetrySchedule {
  attempts: number;
  firstWaitMs: number;
  factor: number;
  capMs: number;
}

/** Random, so that deliveries that failed together are not retried together. */
const MAX_JITTER = 0.1;

/**
 * The wait in milliseconds after the given attempt (from 1), or null if it was the last. A receiver's Retry-After lengthens
 * it. The cap applies to the result, jitter included: the jitter of earlier waits has already spread deliveries that reach it.
 */
export function waitAfter(schedule: RetrySchedule, tries: number, retryAfterMs: number | null, random = Math.random()): number | null {
  if (tries >= schedule.attempts) return null;
  const planned = schedule.firstWaitMs * schedule.factor ** (tries - 1);
  const wait = Math.max(planned, retryAfterMs ?? 0) * (1 + random * MAX_JITTER);
  return Math.min(Math.round(wait), schedule.capMs);
}

/** An HTTP date in one of its three forms (RFC 9110, 5.6.7). `Date.parse` would take `3600.5` for a year. */
const HTTP_DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? .*\d{2}:\d{2}:\d{2}( GMT$| \d{4}$)/;

/** Retry-After as seconds or as an HTTP date (RFC 9110, 10.2.3); null if it is missing or malformed. */
export function retryAfterMs(header: unknown, now = Date.now()): number | null {
  // several headers of the name are an array
  if (typeof header !== 'string') return null;
  if (/^\s*\d{1,9}\s*$/.test(header)) return Number(header) * 1000;
  if (!HTTP_DATE.test(header.trim())) return null;
  const time = Date.parse(header);
  return Number.isNaN(time) ? null : Math.max(0, time - now);
}
