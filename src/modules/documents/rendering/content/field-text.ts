import { parsePhoneNumberFromString } from 'libphonenumber-js';
import { isCalendarDay } from '../../../../kit/index.js';
import { minorDigitsOf } from '../../model/core/amounts.js';
import type { ScalarField } from '../../model/core/field-schema.js';

const CURRENCY = /^[A-Z]{3}$/;

/**
 * A value as printed in the document, in the document's language. Null if it is missing. A value that does not match the schema
 * is printed unchanged, so that the print never hides an error in the data.
 */
export function fieldText(property: ScalarField, value: unknown, siblings: Record<string, unknown>, language: string): string | null {
  if (value === null || value === undefined || value === '') return null;
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'number')
    return property['x-format'] === 'money'
      ? money(value, currencyOf(property, siblings), language)
      : new Intl.NumberFormat(language, { maximumFractionDigits: 20 }).format(value);
  if (typeof value !== 'string') return JSON.stringify(value);
  if (property['x-format'] === 'phone') return parsePhoneNumberFromString(value)?.formatInternational() ?? value;
  if (property.format === 'date') return dateText(value, language);
  if (property.format === 'date-time') return timeText(value, language);
  return value;
}

/** A plain date in the long format, in which month and day cannot be confused. */
export function dateText(date: string, language: string): string {
  if (!isCalendarDay(date)) return date;
  return new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(`${date}T00:00:00Z`));
}

function timeText(time: string, language: string): string {
  const at = new Date(time);
  if (Number.isNaN(at.getTime())) return time;
  return `${new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(at)} UTC`;
}

/**
 * The sum of a column, as printed; amounts in several currencies have a line each. Null if no row has a value, or if a value
 * cannot be added.
 */
export function totalText(name: string, property: ScalarField, rows: readonly Record<string, unknown>[], language: string): string | null {
  const values = new Map<string, number[]>();
  for (const row of rows) {
    const value = Object.hasOwn(row, name) ? row[name] : null;
    if (value === null || value === undefined) continue;
    const currency = property['x-format'] === 'money' ? currencyOf(property, row) : '';
    if (typeof value !== 'number' || currency === null) return null;
    const numbers = values.get(currency);
    if (numbers) numbers.push(value);
    else values.set(currency, [value]);
  }
  if (values.size === 0) return null;
  const lines = [...values].map(([currency, numbers]) =>
    property['x-format'] === 'money'
      ? money(
          numbers.reduce((sum, number) => sum + BigInt(number), 0n),
          currency,
          language,
        )
      : new Intl.NumberFormat(language, { maximumFractionDigits: 20 }).format(decimalSum(numbers) as Intl.StringNumericLiteral),
  );
  return lines.join('\n');
}

/** The exact decimal sum: 0.1 and 0.2 are 0.3. */
function decimalSum(numbers: readonly number[]): string {
  const parts = numbers.map((number) => {
    const [digits, exponent = '0'] = String(number).split('e');
    const [whole, fraction = ''] = digits.split('.');
    return { units: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
  });
  const least = parts.reduce((minimum, { exponent }) => Math.min(minimum, exponent), 0);
  const sum = parts.reduce((total, { units, exponent }) => total + units * 10n ** BigInt(exponent - least), 0n);
  return `${sum}e${least}`;
}

/**
 * Null while the field that holds the currency is empty: a wrong number of decimals would misstate the amount. A field that never
 * has a currency (`''`) prints the decimals with which forms read it.
 */
function money(minor: number | bigint, currency: string | null, language: string): string | null {
  if (currency === null || (typeof minor === 'number' && !Number.isSafeInteger(minor))) return null;
  const digits = minorDigitsOf(currency);
  const format = new Intl.NumberFormat(
    language,
    currency === ''
      ? { minimumFractionDigits: digits, maximumFractionDigits: digits }
      : { style: 'currency', currency, currencyDisplay: 'code' },
  );
  const text = String(minor)
    .replace('-', '')
    .padStart(digits + 1, '0');
  const decimal = digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
  return format.format(`${minor < 0 ? '-' : ''}${decimal}` as Intl.StringNumericLiteral);
}

/** Empty for a field without `x-currency`; null if the currency of the amount is unknown. */
function currencyOf(property: ScalarField, siblings: Record<string, unknown>): string | null {
  const named = property['x-currency'];
  if (named === undefined) return '';
  if (CURRENCY.test(named)) return named;
  const value = Object.hasOwn(siblings, named) ? siblings[named] : null;
  return typeof value === 'string' && CURRENCY.test(value) ? value : null;
}
