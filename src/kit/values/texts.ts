import { decimalOfUnits } from './decimals.js';
import { minorDigitsOf } from './money.js';

/** Days before months and 24 hours, as in the other languages of the suite. */
const tagOf = (language: string) => (language === 'en' ? 'en-GB' : language);

/**
 * A calendar day as mails and pages say it: `14 November 2026`.
 *
 * @example
 * ```ts
 * import { dayText } from 'work-suite/kit';
 *
 * const due = dayText('2026-11-14', 'de'); // 14. November 2026
 * ```
 */
export function dayText(day: string, language = 'en'): string {
  return new Intl.DateTimeFormat(tagOf(language), { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`));
}

/** The parts of a time with its zone. */
const TIME_PARTS = {
  year: 'numeric',
  month: 'long',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
} as const;

/**
 * A time with its zone as mails and pages say it: `14 November 2026 at 09:30 CET`.
 *
 * @example
 * ```ts
 * import { timeText } from 'work-suite/kit';
 *
 * const until = timeText(new Date('2026-11-14T08:30:00Z'), 'en', 'Europe/Berlin');
 * ```
 */
export function timeText(time: Date, language = 'en', timeZone = 'UTC'): string {
  return new Intl.DateTimeFormat(tagOf(language), { ...TIME_PARTS, timeZone }).format(time);
}

/**
 * An amount of minor units with its currency as mails say it: `€214.20`.
 *
 * @example
 * ```ts
 * import { amountText } from 'work-suite/kit';
 *
 * const balance = amountText(21_420, 'EUR', 'fr'); // 214,20 €
 * ```
 */
export function amountText(amount: number, currency: string, language = 'en'): string {
  const format = new Intl.NumberFormat(tagOf(language), { style: 'currency', currency });
  return format.format(decimalOfUnits(BigInt(amount), minorDigitsOf(currency)) as `${number}`);
}
