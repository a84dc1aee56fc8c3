import { isEmail } from 'class-validator';

/** UUIDs are accepted in any case and compared in lower case, in which every id of the API is. */
export const UUID_PATTERN = '^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$';

const UUID = new RegExp(UUID_PATTERN);

/**
 * A UUID in any case; `canonicalOf` returns it as it is stored.
 *
 * @example
 * ```ts
 * import { isUuid } from 'work-suite/kit';
 *
 * const column = (idOrCode: string) => (isUuid(idOrCode) ? 'id' : 'code');
 * ```
 */
export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && UUID.test(value);
}

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;
const DAYS_IN_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * A calendar date as `YYYY-MM-DD`, in the years 1000 to 9999: an earlier one is the default value of a program rather than a date.
 *
 * @example
 * ```ts
 * import { invalid, isCalendarDay } from 'work-suite/kit';
 *
 * export function requireDay(text: string): void {
 *   if (!isCalendarDay(text)) throw invalid('on', 'must be a day, such as 2026-11-29');
 * }
 * ```
 */
export function isCalendarDay(value: unknown): value is string {
  const match = typeof value === 'string' ? DAY.exec(value) : null;
  if (match === null) return false;
  // by arithmetic, because Date takes ten times as long
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return year >= 1000 && month >= 1 && month <= 12 && day >= 1 && day <= (month === 2 && isLeap ? 29 : DAYS_IN_MONTH[month - 1]);
}

// time zones are within 14 hours of UTC, and PostgreSQL rejects offsets of 16 hours or more
const INSTANT = /^(\d{4}-\d{2}-\d{2})[Tt]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?([Zz]|[+-](0\d|1[0-5]):[0-5]\d)$/;
const EARLIEST = Date.parse('1000-01-01T00:00:00Z');
const LATEST = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * An RFC 3339 time with an offset, in the years 1000 to 9999 of UTC. Leap seconds are none, because PostgreSQL has none.
 *
 * @example
 * ```ts
 * import { isInstant } from 'work-suite/kit';
 *
 * const isTime = isInstant('2026-11-29T09:30:00+01:00'); // true
 * ```
 */
export function isInstant(value: unknown): value is string {
  const match = typeof value === 'string' ? INSTANT.exec(value) : null;
  if (match === null || !isCalendarDay(match[1])) return false;
  // the offset may move it outside these years
  return isInstantTime(Date.parse(match[0].toUpperCase()));
}

/** Whether milliseconds since 1970 are a time in the years 1000 to 9999 of UTC. */
export function isInstantTime(time: number): boolean {
  return time >= EARLIEST && time <= LATEST;
}

/** An RFC 3339 time with an offset that PostgreSQL can compare: many clients send the year 1 for a time that was never set. */
export function isComparableInstant(value: unknown): value is string {
  return isInstant(value) || (typeof value === 'string' && value.startsWith('0') && isDayOfCommonEra(INSTANT.exec(value)?.[1]));
}

/** A calendar date that PostgreSQL can compare, in the years 1 to 9999. */
export function isComparableDay(value: unknown): value is string {
  return isCalendarDay(value) || isDayOfCommonEra(value);
}

/** The calendar repeats after 400 years. */
function isDayOfCommonEra(value: unknown): value is string {
  const [, year, rest] = typeof value === 'string' ? (/^(0\d{3})(-\d{2}-\d{2})$/.exec(value) ?? []) : [];
  return year !== undefined && Number(year) > 0 && isCalendarDay(`${Number(year) + 2000}${rest}`);
}

/**
 * Whether the text has more than `most` characters. They are code points, as in JSON Schema and in PostgreSQL.
 *
 * @example
 * ```ts
 * import { invalid, isLongerThan } from 'work-suite/kit';
 *
 * export function requireShort(title: string): void {
 *   if (isLongerThan(title, 255)) throw invalid('title', 'must have at most 255 characters');
 * }
 * ```
 */
export function isLongerThan(text: string, most: number): boolean {
  return text.length > most && (text.length > 2 * most || [...text].length > most);
}

/**
 * The first `most` characters of the text, counted as in `isLongerThan`.
 *
 * @example
 * ```ts
 * import { firstCharacters } from 'work-suite/kit';
 *
 * const subject = firstCharacters('A long subject', 6); // 'A long'
 * ```
 */
export function firstCharacters(text: string, most: number): string {
  return isLongerThan(text, most) ? [...text.slice(0, 2 * most)].slice(0, most).join('') : text;
}

const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

/**
 * An e-mail address that fits into one line of a mail's header: RFC 5322 allows escaped line breaks in a quoted local part.
 *
 * @example
 * ```ts
 * import { isEmailAddress } from 'work-suite/kit';
 *
 * const addresses = ['ada@example.com', 'ada'].filter(isEmailAddress); // ['ada@example.com']
 * ```
 */
export function isEmailAddress(value: unknown): value is string {
  // validator's isEmail throws for an unpaired surrogate
  return typeof value === 'string' && value.isWellFormed() && !CONTROL.test(value) && isEmail(value);
}

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/**
 * Whether it is the ISO 4217 code of a currency.
 *
 * @example
 * ```ts
 * import { isCurrency } from 'work-suite/kit';
 *
 * const known = ['EUR', 'XXY'].filter(isCurrency); // ['EUR']
 * ```
 */
export function isCurrency(code: string): boolean {
  return CURRENCIES.has(code);
}
