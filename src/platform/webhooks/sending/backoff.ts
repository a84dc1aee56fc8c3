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

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const TIME = '(?<time>\\d\\d:\\d\\d:\\d\\d)';
const MONTH = `(?<month>${MONTHS.join('|')})`;
const DAY = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
/** The three forms of an HTTP date (RFC 9110, 5.6.7), all in UTC. */
const HTTP_DATES = [
  new RegExp(`^${DAY}, (?<day>\\d\\d) ${MONTH} (?<year>\\d{4}) ${TIME} GMT$`),
  new RegExp(`^${DAY}[a-z]{3,6}, (?<day>\\d\\d)-${MONTH}-(?<year>\\d\\d) ${TIME} GMT$`),
  new RegExp(`^${DAY} ${MONTH} (?<day>[ \\d]\\d) ${TIME} (?<year>\\d{4})$`),
];

/**
 * Retry-After as seconds or as an HTTP date (RFC 9110, 10.2.3); null if it is missing or malformed. Of several headers, the longest
 * wait counts.
 */
export function retryAfterMs(header: unknown, now = Date.now()): number | null {
  const waits = [header].flat().map((value) => (typeof value === 'string' ? waitOf(value.trim(), now) : null));
  return waits.reduce((most, wait) => (most === null || (wait !== null && wait > most) ? wait : most), null);
}

function waitOf(value: string, now: number): number | null {
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  const time = httpDate(value, now);
  return time === null ? null : Math.max(0, time - now);
}

/** `Date.parse` would take 31 February, read a date without a zone in that of the machine, and take `3600.5` for a year. */
function httpDate(value: string, now: number): number | null {
  const found = HTTP_DATES.map((form) => form.exec(value)?.groups).find((groups) => groups !== undefined);
  if (!found) return null;
  const month = String(MONTHS.indexOf(found.month) + 1).padStart(2, '0');
  const text = `${fullYear(found.year, now)}-${month}-${found.day.replace(' ', '0')}T${found.time}.000Z`;
  const date = new Date(text);
  return Number.isNaN(date.getTime()) || date.toISOString() !== text ? null : date.getTime();
}

/** A year of two digits is not more than 50 years in the future. */
function fullYear(year: string, now: number): string {
  if (year.length === 4) return year;
  const current = new Date(now).getUTCFullYear();
  const guess = current - (current % 100) + Number(year);
  return String(guess > current + 50 ? guess - 100 : guess);
}
