import { parsePhoneNumberFromString } from 'libphonenumber-js';
import { exactParts, isCalendarDay, minorDigitsOf } from '../../../../kit/index.js';
import { currencyInWords, numberInWords } from './number-words.js';
import { printedWords } from './printed-words.js';
import { currencyAt, type Place, type Value } from '../../model/expressions/evaluate.js';
import { decimalText, rounded } from '../../model/expressions/exact.js';
import type { ValueType } from '../../model/expressions/expression.js';
import type { ScalarField } from '../../model/core/field-schema.js';

const CURRENCY = /^[A-Z]{3}$/;

/** How a document prints its values. */
export interface PrintedFor {
  /** BCP 47. */
  language: string;
  /** Of the project. */
  timeZone: string;
  /** How amounts show their currency; by its code if omitted. */
  currency?: 'code' | 'symbol' | 'none';
}

/**
 * A value as printed in the document, in the document's language. Null if it is missing. A value that does not match the schema
 * is printed unchanged, so that the print never hides an error in the data.
 */
export function fieldText(property: ScalarField, value: unknown, siblings: Record<string, unknown>, print: PrintedFor): string | null {
  const { language, timeZone } = print;
  if (value === null || value === undefined || value === '') return null;
  if (typeof value === 'boolean') return printedWords(language)[value ? 'yes' : 'no'];
  if (typeof value === 'number')
    return property['x-format'] === 'money'
      ? money(value, currencyIn(property, siblings), print)
      : new Intl.NumberFormat(language, { maximumFractionDigits: 20 }).format(value);
  if (typeof value !== 'string') return JSON.stringify(value);
  if (property['x-format'] === 'phone') return parsePhoneNumberFromString(value)?.formatInternational() ?? value;
  if (property.format === 'date') return dateText(value, language);
  if (property.format === 'date-time') return instantText(value, language, timeZone);
  return value;
}

/** The result of an expression, as printed. Null if it has no value. */
export function resultText(value: Value, type: ValueType, place: Place, print: PrintedFor): string | null {
  const { language, timeZone } = print;
  if (value === null) return null;
  if (typeof value === 'boolean') return printedWords(language)[value ? 'yes' : 'no'];
  if (typeof value === 'string') {
    if (type.kind === 'date') return dateText(value, language);
    return type.kind === 'time' ? instantText(value, language, timeZone) : value;
  }
  if (type.kind === 'money') return money(rounded(value, 0).units, currencyAt(type.currency ?? '', place), print);
  return new Intl.NumberFormat(language, { maximumFractionDigits: 20 }).format(decimalText(value) as Intl.StringNumericLiteral);
}

/** The result of an expression in words. Null if it has no value, or if its currency is unknown. */
export function resultInWords(value: Value, type: ValueType, place: Place, language: string): string | null {
  if (value === null || typeof value !== 'object') return null;
  const currency = type.kind === 'money' ? currencyAt(type.currency ?? '', place) : '';
  return currency === null ? null : inWords(rounded(value, 0).units, type.kind === 'money' ? currency : null, language);
}

/** A plain date in the long format, in which month and day cannot be confused. */
export function dateText(date: string, language: string): string {
  if (!isCalendarDay(date)) return date;
  return new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(`${date}T00:00:00Z`));
}

const INSTANT = { year: 'numeric', month: 'long', day: 'numeric', hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const;

/** A time in the zone, which it names. */
function instantText(time: string, language: string, timeZone: string): string {
  const at = new Date(time);
  return Number.isNaN(at.getTime()) ? time : new Intl.DateTimeFormat(language, { ...INSTANT, timeZone }).format(at);
}

/**
 * The sum of a column, as printed; amounts in several currencies have a line each. Null if no row has a value, or if a value
 * cannot be added.
 */
export function totalText(name: string, property: ScalarField, rows: readonly Record<string, unknown>[], print: PrintedFor): string | null {
  const values = columnValues(name, property, rows);
  if (values === null || values.size === 0) return null;
  const lines = [...values].map(([currency, numbers]) =>
    property['x-format'] === 'money'
      ? money(minorSum(numbers), currency, print)
      : new Intl.NumberFormat(print.language, { maximumFractionDigits: 20 }).format(decimalSum(numbers) as Intl.StringNumericLiteral),
  );
  return lines.join('\n');
}

/** The sum of a column of integers in words. Null also for amounts in several currencies. */
export function totalInWords(
  name: string,
  property: ScalarField,
  rows: readonly Record<string, unknown>[],
  language: string,
): string | null {
  const values = columnValues(name, property, rows);
  const [only, ...others] = values ?? [];
  if (only === undefined || others.length > 0) return null;
  const [currency, numbers] = only;
  return inWords(minorSum(numbers), property['x-format'] === 'money' ? currency : null, language);
}

/** A whole number or an amount in words. Null if it is missing, or if its currency is. */
export function wordsText(property: ScalarField, value: unknown, siblings: Record<string, unknown>, language: string): string | null {
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) return null;
  if (property['x-format'] !== 'money') return inWords(BigInt(value), null, language);
  const currency = currencyIn(property, siblings);
  return currency === null ? null : inWords(BigInt(value), currency, language);
}

/** As cheques have it: the whole units in words, the minor ones as a fraction. `currency`: null for a plain number, empty for none. */
function inWords(value: bigint, currency: string | null, language: string): string {
  if (currency === null) return numberInWords(value, language);
  const scale = 10n ** BigInt(minorDigitsOf(currency));
  const absolute = value < 0n ? -value : value;
  const [whole, minor] = [absolute / scale, absolute % scale];
  const units = `${value < 0n ? '−' : ''}${numberInWords(whole, language, currency || null)}`;
  const digits = String(minor).padStart(String(scale).length - 1, '0');
  const fraction = scale === 1n ? '' : ` ${digits}/${scale}`;
  if (currency === '') return `${units}${fraction}`;
  return `${units}${fraction} ${currencyInWords(currency, minor === 0n ? String(whole) : `${whole}.${digits}`, language)}`;
}

/** The values of a column by currency, which is empty for other columns; null if a value cannot be added. */
function columnValues(name: string, property: ScalarField, rows: readonly Record<string, unknown>[]): Map<string, number[]> | null {
  const values = new Map<string, number[]>();
  for (const row of rows) {
    const value = Object.hasOwn(row, name) ? row[name] : null;
    if (value === null || value === undefined) continue;
    const currency = property['x-format'] === 'money' ? currencyIn(property, row) : '';
    if (typeof value !== 'number' || currency === null) return null;
    const numbers = values.get(currency);
    if (numbers) numbers.push(value);
    else values.set(currency, [value]);
  }
  return values;
}

function minorSum(numbers: readonly number[]): bigint {
  return numbers.reduce((sum, number) => sum + BigInt(number), 0n);
}

/** The exact decimal sum: 0.1 and 0.2 are 0.3. */
function decimalSum(numbers: readonly number[]): string {
  const parts = numbers.map(exactParts);
  const least = parts.reduce((minimum, { exponent }) => Math.min(minimum, exponent), 0);
  const sum = parts.reduce((total, { units, exponent }) => total + units * 10n ** BigInt(exponent - least), 0n);
  return `${sum}e${least}`;
}

/**
 * Null while the field that holds the currency is empty: a wrong number of decimals would misstate the amount. A field that never
 * has a currency (`''`) prints the decimals with which forms read it.
 */
function money(minor: number | bigint, currency: string | null, { language, currency: shown = 'code' }: PrintedFor): string | null {
  if (currency === null || (typeof minor === 'number' && !Number.isSafeInteger(minor))) return null;
  const digits = minorDigitsOf(currency);
  // also where a language leaves four digits ungrouped, because amounts are below each other in tables
  const useGrouping = 'always';
  const text = String(minor)
    .replace('-', '')
    .padStart(digits + 1, '0');
  const decimal = digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
  const amount = `${minor < 0 ? '-' : ''}${decimal}` as Intl.StringNumericLiteral;
  const plain = () => new Intl.NumberFormat(language, { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping });
  if (currency === '') return plain().format(amount);
  const currencyDisplay = shown === 'none' ? 'code' : shown;
  const format = new Intl.NumberFormat(language, { style: 'currency', currency, currencyDisplay, useGrouping });
  if (shown !== 'none') return format.format(amount);
  // some regions, such as Austria and French Switzerland, separate the digits of amounts in another way than those of numbers
  const separators = new Map(format.formatToParts(amount).map(({ type, value }) => [type, value]));
  const separated = ({ type, value }: Intl.NumberFormatPart) => (type === 'group' || type === 'decimal' ? separators.get(type) : value);
  return plain().formatToParts(amount).map(separated).join('');
}

/** How a currency is written on its own: EUR, or €. */
export function currencySign(currency: string, { language, currency: shown = 'code' }: PrintedFor): string {
  if (shown !== 'symbol') return currency;
  const parts = new Intl.NumberFormat(language, { style: 'currency', currency, currencyDisplay: 'symbol' }).formatToParts(0);
  return parts.find(({ type }) => type === 'currency')?.value ?? currency;
}

/** What separates the decimals of a number. */
export function decimalPoint(language: string): string {
  return new Intl.NumberFormat(language).formatToParts(0.5).find(({ type }) => type === 'decimal')?.value ?? '.';
}

/** The currency of an amount. Empty for a field without `x-currency`; null if the currency of the amount is unknown. */
export function currencyIn(property: ScalarField, siblings: Record<string, unknown>): string | null {
  const named = property['x-currency'];
  if (named === undefined) return '';
  if (CURRENCY.test(named)) return named;
  const value = Object.hasOwn(siblings, named) ? siblings[named] : null;
  return typeof value === 'string' && CURRENCY.test(value) ? value : null;
}
